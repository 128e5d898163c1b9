package import DataMonkCore
import Foundation

/// **Value.** Small sets of values, so that random values are often equal.
package enum QueryValues {
    /// Returns a random value of an attribute; null one time in five.
    static func random(_ attribute: Entity.Attribute, using generator: inout SeededGenerator) -> ManagedValue {
        if attribute.isCodable { return randomJSON(using: &generator) }
        guard attribute.name == "points" else { return random(attribute.type, using: &generator) }
        return extremes.randomElement(using: &generator) ?? .null
    }

    /// Returns a random value of an attribute's type; null one time in five.
    package static func random(_ type: AttributeType, using generator: inout SeededGenerator) -> ManagedValue {
        if Int.random(in: 0..<5, using: &generator) == 0 { return .null }
        return all(type).randomElement(using: &generator) ?? .null
    }

    /// Returns some consecutive scalars of a text.
    static func part(of text: String, using generator: inout SeededGenerator) -> String {
        let scalars = Array(text.unicodeScalars)
        let start = Int.random(in: 0...scalars.count, using: &generator)
        let end = Int.random(in: start...scalars.count, using: &generator)
        var part = String.UnicodeScalarView()
        part.append(contentsOf: scalars[start..<end])
        return String(part)
    }

    /// Integers at the limits of their range.
    static let extremes: [ManagedValue] = [
        .int(.max), .int(.min), .int(.max - 1), .int(9_007_199_254_740_993), .int(0), .int(1), .null,
    ]

    package static let texts = [
        "", "Monk", "monk", "Knight", "Knight of Taipei", "É", "é", "e\u{301}", "E", "straße", "STRASSE", "a_b%c",
        "a*b", "it's", "\u{FFFD}", "\u{1F600}", "\u{E000}x", "Σ", "ς", "line\nbreak", "Zoë", "zoe", "\"quoted\"; DROP",
        "üvw", "u\u{308}vw", "UVW", "x\u{302}y", "xy", "İ", "i\u{307}", "ı", "I", "ﬁ", "FI", "각",
        "\u{1100}\u{1161}\u{11A8}",
        "\u{10400}", "\u{10428}", "\u{1F469}\u{200D}\u{1F680}", "a\0b", "a", "\\?*", "\u{7FF}\u{D7FF}", "ǅ",
    ]

    private static func all(_ type: AttributeType) -> [ManagedValue] {
        switch type {
        case .string: texts.map { .string($0) }
        case .integer16, .integer32, .integer64: [-1, 0, 1, 2, 18, 41].map { .int($0) }
        case .double: [-0.5, 0, 0.1, 0.2, 0.7, 1, 1.5, 18, 1e300].map { .double($0) }
        case .float: [0, 1, 0.5, 0.1].map { .double(Double(Float($0))) }
        case .decimal:
            ["0", "0.1", "0.2", "0.3", "18", "-7.25", "0.07", "123456.789"].compactMap {
                Decimal(string: $0).map { .decimal($0) }
            }
        case .boolean: [.bool(false), .bool(true)]
        case .date: [-63_114_076_800, 0, 1.5, 86_400].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case .uuid: (0..<3).map { .uuid(UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9))) }
        case .uri: ["https://a.example/", "https://b.example/x"].compactMap { URL(string: $0).map { .url($0) } }
        case .binary:
            [Data(), Data([0]), Data([0, 1]), Data([255]), Data([0x61, 0x62]), Data([0x41, 0x62, 0xC3, 0xBC])]
                .map { .data($0) }
        case .transformable, .undefined, .objectID, .composite: [.data(Data([1]))]
        }
    }
}
