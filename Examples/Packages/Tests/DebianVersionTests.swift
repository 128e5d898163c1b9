import DebianPackages
import Testing

@Suite struct DebianVersionTests {
    @Test(arguments: [
        ("1.0~rc1", "1.0"), ("1.0~~", "1.0~"), ("1.0", "1.0a"), ("1.0a", "1.0+b"), ("1.9", "1.10"), ("9", "1:0"),
        ("1.0-1", "1.0-1+b1"), ("1.0-1~bpo12+1", "1.0-1"), ("1.0", "1.0-1"), ("2.36-9+deb12u9", "2.36-9+deb12u10"),
        ("1-2-3", "1-3-1"), ("20240101", "99999999999999999999"), ("-2:1.0", "9223372036854775807:1.0"),
    ])
    func `are ordered as dpkg orders them`(earlier: String, later: String) {
        #expect(DebianVersion(earlier) < DebianVersion(later))
        #expect(!(DebianVersion(later) < DebianVersion(earlier)))
    }

    @Test(arguments: [("0:1.0", "1.0"), ("1.00", "1.0"), ("1.0-0", "1.0"), ("1.01", "1.1")])
    func `may be equal in two spellings`(left: String, right: String) {
        #expect(DebianVersion(left) == DebianVersion(right))
    }
}
