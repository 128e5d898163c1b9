import DataMonkCore
import DataMonkTesting
import Testing

/// LIKE beside a plain implementation of its rules.
@Suite struct `Patterns of LIKE` {
    private static let letters: [Character] = ["a", "b", "é", "😀"]

    @Test(arguments: 0..<8) func `random patterns match what their rules say`(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<4_000 {
            let text = Self.text(of: Self.letters, upTo: 12, &random)
            let pattern = Self.text(of: Self.letters + ["*", "*", "?", "\\"], upTo: 8, &random)
            let expected = Self.matches(text.unicodeScalars[...], pattern.unicodeScalars[...])
            #expect(try Self.like(text, pattern) == expected, "\(text) LIKE \(pattern)")
        }
    }

    @Test func `literal parts of any length`() throws {
        for length in [1, 63, 64, 65, 200] {
            let part = String(repeating: "a", count: length) + "b"
            for (text, isTrue) in [
                (part, true), ("aaa" + part, true), ("x" + part + "y", true), (String(part.dropLast()), false),
                (String(repeating: "a", count: length * 3), false), (part + part, true), ("", false),
            ] {
                #expect(try Self.like(text, "*\(part)*") == isTrue)
                #expect(try Self.like(text, "*\(part)*\(part)") == (text == part + part))
            }
        }
    }

    private static func text(of letters: [Character], upTo count: Int, _ random: inout SeededGenerator) -> String {
        let length = Int.random(in: 0...count, using: &random)
        return String((0..<length).compactMap { _ in letters.randomElement(using: &random) })
    }

    private static func like(_ text: String, _ pattern: String) throws -> Bool {
        try Array(text.utf8).withUnsafeBytes { text in
            try Array(pattern.utf8).withUnsafeBytes { try LikePattern.matches(text, pattern: $0) }
        }
    }

    /// By trying all that a star may stand for.
    private static func matches(_ text: Substring.UnicodeScalarView, _ pattern: Substring.UnicodeScalarView) -> Bool {
        guard var expected = pattern.first else { return text.isEmpty }
        var rest = pattern.dropFirst()
        if expected == "*" {
            return matches(text, rest) || !text.isEmpty && matches(text.dropFirst(), pattern)
        }
        guard let scalar = text.first else { return false }
        if expected == "?" { return matches(text.dropFirst(), rest) }
        if expected == "\\", let escaped = rest.first {
            expected = escaped
            rest = rest.dropFirst()
        }
        return scalar == expected && matches(text.dropFirst(), rest)
    }
}
