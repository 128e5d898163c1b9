import DataMonkCore
import DataMonkTesting
import Foundation
import Testing

/// Packed rows of values beside arrays of them.
@Suite struct `Packed rows of values` {
    /// Appends values as stores do, and returns what they are read as.
    private func appended(_ values: [ManagedValue], to rows: inout ValueRows) -> [ManagedValue] {
        for value in values {
            switch value {
            case .string(let text): Array(text.utf8).withUnsafeBytes { rows.append(utf8: $0) }
            default: rows.append(value)
            }
        }
        return values
    }

    private static func values(_ count: Int, _ random: inout SeededGenerator) -> [ManagedValue] {
        let date = Date(timeIntervalSinceReferenceDate: 1.5)
        return (0..<count).map { index in
            switch Int.random(in: 0..<8, using: &random) {
            case 0: .null
            case 1: .int(.random(in: .min ... .max, using: &random))
            case 2: .double(.random(in: -1...1, using: &random))
            case 3: .string(["", "a", "\0", "é\u{301}", "Wat Pho"][index % 5])
            case 4: .string(String(repeating: "x", count: index % 300))
            case 5: .decimal(Decimal(index) / 3)
            case 6: .date(date)
            default: .data(Data([0, UInt8(truncatingIfNeeded: index)]))
            }
        }
    }

    @Test(arguments: [0, 1, 1_365, 1_366, 4_095, 4_096, 4_097, 20_000], [1, 3])
    func `any number of values is read as it was appended`(rowCount: Int, columnCount: Int) {
        var random = SeededGenerator(seed: UInt64(rowCount))
        var rows = ValueRows(columnCount: columnCount)
        let expected = appended(Self.values(rowCount * columnCount, &random), to: &rows)
        var cursor = ValueRows.Cursor(rows)
        #expect(cursor.rowCount == rowCount)
        var read: [ManagedValue] = []
        for _ in expected { read.append(cursor.next()) }
        #expect(read == expected && cursor.next() == .null)
        #expect(rows.makeArrays().flatMap(\.self) == expected)
    }

    @Test func `texts of any length`() {
        for length in [1 << 18, 1 << 18 - 1, 1 << 20, 100_000] {
            var rows = ValueRows(columnCount: 2)
            let text = ManagedValue.string(String(repeating: "é", count: length / 2) + "!")
            let expected = appended([text, "a", text, text, .null, text, 7, text], to: &rows)
            #expect(rows.makeArrays() == stride(from: 0, to: 8, by: 2).map { [expected[$0], expected[$0 + 1]] })
        }
    }

    @Test func `bytes that are no UTF-8 are read as a string repairs them`() {
        var rows = ValueRows(columnCount: 1)
        let bytes: [UInt8] = [0x61, 0xFF, 0x62]
        bytes.withUnsafeBytes { rows.append(utf8: $0) }
        #expect(rows.makeArrays() == [[.string(String(decoding: bytes, as: UTF8.self))]])
    }
}
