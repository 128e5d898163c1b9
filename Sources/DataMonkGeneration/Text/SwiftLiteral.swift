import DataMonkCore
import Foundation

/// **Value.** Expressions of Swift for values.
struct SwiftLiteral {
    /// The length up to which an expression stays on one line, whatever its place.
    private static let lineLength = 85

    let names: SwiftNames

    /// Returns one literal for a text, however long: the only form of a raw value or a key.
    static func literal(_ text: String) -> String { "\"\(text.unicodeScalars.map(escaped).joined())\"" }

    /// Returns an expression for a text, on as many lines as it needs.
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

    /// Returns an array literal with one element in a line if it is long, or a dictionary literal for its entries.
    static func lines(_ elements: [String]) -> String {
        let plain = list(elements)
        if plain.count <= lineLength, !plain.contains("\n") { return plain }
        // The formatter wants a comma after the last of several elements, and none after the only one.
        return "[\n\(indented(elements))\(elements.count > 1 ? "," : "")\n]"
    }

    /// Returns a call with one argument in a line if it is long.
    static func call(_ function: String, _ arguments: [String]) -> String {
        let plain = "\(function)(\(arguments.joined(separator: ", ")))"
        return plain.count <= lineLength && !plain.contains("\n") ? plain : "\(function)(\n\(indented(arguments)))"
    }

    private static func indented(_ parts: [String]) -> String {
        parts.map { "    \($0.replacing("\n", with: "\n    "))" }.joined(separator: ",\n")
    }

    /// Returns an array literal of texts.
    static func texts(_ texts: [String]) -> String { list(texts.map(text)) }

    /// Returns a dictionary literal of texts, in the order of their keys.
    static func dictionary(_ texts: [String: String]) -> String {
        let sorted = texts.sorted { String.precedesInBytes($0.key, $1.key) }
        return lines(
            sorted.map { entry in
                let (key, value) = (literal(entry.key), text(entry.value))
                let isLong = key.count + value.count > lineLength || value.contains("\n")
                return isLong ? "\(key):\n    \(value)" : "\(key): \(value)"
            })
    }

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

    /// Returns an expression of the type `ManagedValue`, or `nil` if there is none, as for no value.
    func managedValue(_ value: ManagedValue) -> String? {
        switch value {
        case .bool(let flag): return "\(flag)"
        case .int(let number): return "\(number)"
        case .double(let number): return ".double(\(Self.number(number)))"
        case .decimal(let number): return ".decimal(\(decimal(number)))"
        case .string(let text): return Self.call(".string", [Self.text(text)])
        case .date: return self.value(value, of: .date).map { ".date(\($0))" }
        case .uuid: return self.value(value, of: .uuid).map { Self.call(".uuid", [$0]) }
        case .url: return self.value(value, of: .uri).map { Self.call(".url", [$0]) }
        case .list(let values):
            let elements = values.compactMap(managedValue)
            return elements.count == values.count ? Self.lines(elements) : nil
        case .null, .data, .object, .dictionary: return nil
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
