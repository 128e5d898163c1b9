/// **Value.** A version of a package, ordered as dpkg orders it: `[epoch:]upstream[-revision]`.
///
/// Each part is compared in turns of letters and digits: digits as numbers, letters before all other signs, and `~`
/// before everything, the end included, so that `1.0~rc1` comes before `1.0`.
public struct DebianVersion: Comparable, Sendable {
    private let epoch: Int
    private let upstream: [UInt8]
    private let revision: [UInt8]

    /// A version from its text; every text is one.
    public init(_ text: String) {
        var rest = text[...]
        if let colon = rest.firstIndex(of: ":"), let epoch = Int(rest[..<colon]) {
            self.epoch = epoch
            rest = rest[rest.index(after: colon)...]
        } else {
            epoch = 0
        }
        let hyphen = rest.lastIndex(of: "-")
        upstream = [UInt8](rest[..<(hyphen ?? rest.endIndex)].utf8)
        revision = hyphen.map { [UInt8](rest[rest.index(after: $0)...].utf8) } ?? []
    }

    /// Whether they are the same to dpkg: `1.0` and `1.00` are.
    public static func == (left: DebianVersion, right: DebianVersion) -> Bool {
        order(left, right) == 0
    }

    /// Whether the left one is earlier.
    public static func < (left: DebianVersion, right: DebianVersion) -> Bool {
        order(left, right) < 0
    }

    /// Negative, zero or positive as `left` comes before `right`, with it, or after it.
    private static func order(_ left: DebianVersion, _ right: DebianVersion) -> Int {
        if left.epoch != right.epoch { return left.epoch < right.epoch ? -1 : 1 }
        let upstream = order(left.upstream[...], right.upstream[...])
        return upstream != 0 ? upstream : order(left.revision[...], right.revision[...])
    }

    private static func order(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
        var (left, right) = (left, right)
        while !left.isEmpty || !right.isEmpty {
            while left.first.map({ !$0.isDigit }) ?? false || right.first.map({ !$0.isDigit }) ?? false {
                let difference = weight(left.first) - weight(right.first)
                if difference != 0 { return difference }
                left = left.dropFirst()
                right = right.dropFirst()
            }
            let (leftDigits, rightDigits) = (number(&left), number(&right))
            if leftDigits.count != rightDigits.count { return leftDigits.count - rightDigits.count }
            if leftDigits != rightDigits { return leftDigits.lexicographicallyPrecedes(rightDigits) ? -1 : 1 }
        }
        return 0
    }

    /// Where a sign stands among those that are not digits; a digit counts as the end.
    private static func weight(_ byte: UInt8?) -> Int {
        guard let byte, !byte.isDigit else { return 0 }
        if byte == UInt8(ascii: "~") { return -1 }
        return byte.isLetter ? Int(byte) : Int(byte) + 256
    }

    /// Takes the digits in front, leading zeros left out: numbers of any length, compared by length and then by digits.
    private static func number(_ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let digits = text.prefix(while: \.isDigit)
        text = text[digits.endIndex...]
        return digits.drop { $0 == UInt8(ascii: "0") }
    }
}
