import DataMonkCore
import Foundation

/// **Value.** Expressions of Swift for values.
struct SwiftLiteral {
    let names: SwiftNames

    /// Returns a literal for a text, on as many lines as it needs.
    static func text(_ text: String) -> String {
        var lines: [String] = []
        var line = ""
        for scalar in text.unicodeScalars {
            line += escaped(scalar)
            // Short enough for any place in a line.
            if line.count >= 72 {
                lines.append(line)
                line = ""
            }
        }
        if !line.isEmpty || lines.isEmpty { lines.append(line) }
        return lines.map { "\"\($0)\"" }.joined(separator: "\n    + ")
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\n": "\\n"
        case "\r": "\\r"
        case "\t": "\\t"
        default:
            scalar.value < 0x20 || scalar.properties.generalCategory == .format
                || scalar.properties.generalCategory == .lineSeparator
                || scalar.properties.generalCategory == .paragraphSeparator
                ? "\\u{\(String(scalar.value, radix: 16, uppercase: true))}" : String(Character(scalar))
        }
    }

    /// Returns an array literal.
    static func list(_ elements: [String]) -> String { "[\(elements.joined(separator: ", "))]" }

    /// Returns an array literal with one element in a line if it is longer than a number of characters.
    static func list(_ elements: [String], upTo length: Int) -> String {
        let plain = list(elements)
        return plain.count <= length ? plain : "[\n\(elements.map { "    \($0),\n" }.joined())]"
    }

    /// Returns an array literal of texts.
    static func texts(_ texts: [String]) -> String { list(texts.map(text)) }

    /// Returns an expression of the attribute's type for a value, or `nil` if there is none.
    func value(_ value: ManagedValue, of type: AttributeType) -> String? {
        switch value {
        case .bool(let flag): "\(flag)"
        case .int(let number) where type == .double || type == .float: Self.number(Double(number))
        case .int(let number): "\(number)"
        case .double(let number): Self.number(number)
        case .decimal(let number): decimal(number)
        case .string(let text): Self.text(text)
        case .date(let date):
            "\(names.type("Date"))(timeIntervalSinceReferenceDate: \(Self.number(date.timeIntervalSinceReferenceDate)))"
        case .uuid(let uuid): self.uuid(uuid)
        case .url(let url): "\(names.type("URL"))(string: \(Self.text(url.absoluteString))) ?? .fallback"
        case .null, .data, .object, .list, .dictionary: nil
        }
    }

    /// Returns an expression of the type `ManagedValue` for a bound.
    func bound(_ value: ManagedValue) -> String? {
        switch value {
        case .int(let number): "\(number)"
        case .double(let number): ".double(\(Self.number(number)))"
        case .decimal(let number): ".decimal(\(decimal(number)))"
        case .date: self.value(value, of: .date).map { ".date(\($0))" }
        default: nil
        }
    }

    private static func number(_ number: Double) -> String {
        if number.isInfinite { return number < 0 ? "-.infinity" : ".infinity" }
        // Whole numbers without a point, as people write them.
        return Int64(exactly: number).map { "\($0)" } ?? "\(number)"
    }

    private func decimal(_ number: Decimal) -> String {
        if let whole = Int64(number.description) { return "\(whole)" }
        return "\(names.type("Decimal"))(string: \"\(number)\") ?? 0"
    }

    private func uuid(_ uuid: UUID) -> String {
        let bytes = withUnsafeBytes(of: uuid.uuid) { $0.map { String(format: "0x%02X", $0) } }
        return "\(names.type("UUID"))(uuid: (\n    \(bytes.joined(separator: ", "))\n))"
    }
}
