import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Random JSON, read by the reader of rows and by Foundation.
@Suite struct `Random JSON` {
    /// Rows: `DATAMONK_JSON_ROWS`.
    private static var count: Int {
        ProcessInfo.processInfo.environment["DATAMONK_JSON_ROWS"].flatMap { Int($0) } ?? 2_000
    }

    @Test func `rows have the values that Foundation reads`() async throws {
        var writer = JSONTextGenerator(seed: 22)
        let rows = (0..<Self.count).map { _ in writer.object(depth: 4) }
        let text = "[" + rows.joined(separator: ",\n") + "]"
        let foundation = try #require(
            try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]])
        let elements = await ReadRows(JSONRows(.text(text)))
        #expect(elements.problems.isEmpty && elements.failure == nil && elements.values.count == rows.count)
        let lines = await ReadRows(JSONLines(.text(rows.map(Self.onOneLine).joined(separator: "\n"))))
        #expect(lines.values == elements.values)
        for (place, (row, other)) in zip(elements.values, foundation).enumerated() {
            let isEqual = row.count == other.count && row.allSatisfy { Self.equal($1, other[$0]) }
            #expect(isEqual, "row \(place): \(rows[place]) was read as \(row), by Foundation as \(other)")
        }
    }

    @Test func `random doubles are read as they are`() async {
        var random = SeededGenerator(seed: 23)
        let numbers = (0..<Self.count).map { _ in Double(bitPattern: UInt64.random(in: 0...(.max), using: &random)) }
            .filter(\.isFinite)
        let read = await ReadRows(JSONLines(.text(numbers.map { "{\"n\": \($0)}" }.joined(separator: "\n"))))
        #expect(read.values == numbers.map { ["n": .double($0)] })
    }

    private static func onOneLine(_ text: String) -> String {
        String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\n" || $0 == "\r" ? " " : $0 }))
    }

    /// Foundation takes a number with many digits for a decimal, whose double may be the one beside.
    private static func isClose(_ number: Double, _ other: Any?) -> Bool {
        guard let other = (other as? NSNumber)?.doubleValue else { return false }
        return number == other || abs(number - other) <= abs(number) * 1e-14
    }

    private static func equal(_ value: ManagedValue, _ other: Any?) -> Bool {
        switch value {
        case .null: other is NSNull
        case .bool(let flag): other as? Bool == flag
        case .int(let number): (other as? NSNumber)?.int64Value == number
        case .double(let number): isClose(number, other)
        case .decimal(let number): isClose(NSDecimalNumber(decimal: number).doubleValue, other)
        case .string(let text): (other as? String).map { Array($0.utf8) } == Array(text.utf8)
        case .list(let elements):
            (other as? [Any]).map { $0.count == elements.count && zip(elements, $0).allSatisfy(equal) } ?? false
        case .dictionary(let members):
            (other as? [String: Any]).map { other in
                other.count == members.count && members.allSatisfy { equal($1, other[$0]) }
            } ?? false
        default: false
        }
    }
}

/// Writes random JSON in many forms: escapes, exponents, blanks.
private struct JSONTextGenerator {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int.random(in: 0..<elements.count, using: &random)]
    }

    private mutating func space() -> String { pick(["", "", "", " ", "\n", "\t ", "\r\n"]) }

    mutating func object(depth: Int) -> String {
        let count = Int.random(in: 0...5, using: &random)
        let members = (0..<count).map { number in
            "\(space())\"\(number)\(text())\"\(space()):\(space())\(value(depth: depth - 1))\(space())"
        }
        return "{\(space())\(members.joined(separator: ","))}"
    }

    private mutating func value(depth: Int) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
        case 0: pick(["null", "true", "false"])
        case 1: "\(Int64.random(in: .min ... .max, using: &random) >> Int64.random(in: 0..<63, using: &random))"
        case 2: "\(Double.random(in: -1...1, using: &random) * pick([1, 1e-9, 1e15, 1e200]))"
        case 3:
            pick([
                "0", "-0", "1E5", "1.50", "-2e-3", "0.1", "123456789.125", "1e22", "1e23", "8.5e-300",
                "4503599627370497.5",
            ])
        case 6: object(depth: depth)
        case 7:
            "[\(space())"
                + (0..<Int.random(in: 0...4, using: &random)).map { _ in value(depth: depth - 1) + space() }
                .joined(separator: ",\(space())") + "]"
        default: "\"\(text())\""
        }
    }

    private mutating func text() -> String {
        let parts = [
            "a", "Monk", " ", "é", "e\u{301}", "\u{1F680}", "\\n", "\\\"", "\\\\", "\\/", "\\u00e9", "\\uD83D\\uDE80",
            "\\u0000",
            "{", "}", "[", "]", ",", ":", "\u{7F}", "\u{2028}", "\\t\\b\\f\\r", "\u{FFFF}",
        ]
        return (0..<Int.random(in: 0...6, using: &random)).map { _ in pick(parts) }.joined()
    }
}
