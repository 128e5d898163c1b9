import DataMonkCore
import Foundation
import Testing

@Suite struct `Numbers in dynamic form` {
    @Test(arguments: [("42", 42), ("-42", -42), ("0", 0), ("42.5", nil), ("1e30", nil)] as [(String, Int?)])
    func `a decimal reads as an integer if it is one`(text: String, number: Int?) throws {
        let decimal = try #require(Decimal(string: text))
        #expect(Int(managedValue: .decimal(decimal)) == number)
    }

    @Test func `a decimal that is too large for a narrow integer is refused`() {
        #expect(Int16(managedValue: .decimal(40_000)) == nil)
    }
}
