import DataMonkCore
import Foundation

/// **Value.** Values as JSON that an import reads as the same values.
enum JSONText {
    /// Appends a text in quotation marks.
    static func append(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { utf8 in
            var plainStart = 0
            for (place, byte) in utf8.enumerated() {
                guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
                bytes.append(contentsOf: utf8[plainStart..<place])
                plainStart = place + 1
                appendEscape(of: byte, to: &bytes)
            }
            bytes.append(contentsOf: utf8[plainStart...])
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        switch byte {
        case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
        case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
        case 0x0A: bytes.append(contentsOf: #"\n"#.utf8)
        case 0x0D: bytes.append(contentsOf: #"\r"#.utf8)
        case 0x09: bytes.append(contentsOf: #"\t"#.utf8)
        default:
            let digits = String(byte, radix: 16)
            bytes.append(contentsOf: (digits.utf8.count == 1 ? #"\u000"# : #"\u00"#).utf8)
            bytes.append(contentsOf: digits.utf8)
        }
    }

    /// Appends the value of an attribute.
    ///
    /// - Parameter depth: The number of arrays and objects around it.
    /// - Throws: The problem of a `Codable` value whose JSON no import reads.
    static func append(
        _ value: ManagedValue, of imported: ImportedAttribute, inside depth: Int, to bytes: inout [UInt8]
    ) throws(RowProblem) {
        try append(value, of: imported.attribute, in: imported.dateFormat, inside: depth, to: &bytes)
    }

    private static func append(
        _ value: ManagedValue, of attribute: Entity.Attribute, in format: ImportedDateFormat, inside depth: Int,
        to bytes: inout [UInt8]
    ) throws(RowProblem) {
        if case .dictionary(let values) = value {
            var separator = UInt8(ascii: "{")
            for element in attribute.elements {
                bytes.append(separator)
                append(element.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                try append(
                    values[element.name] ?? .null, of: element, in: .standard, inside: depth + 1, to: &bytes)
                separator = UInt8(ascii: ",")
            }
            if separator == UInt8(ascii: "{") { bytes.append(separator) }
            return bytes.append(UInt8(ascii: "}"))
        }
        switch ExportedText(value, of: attribute, format) {
        case nil: bytes.append(contentsOf: "null".utf8)
        case .plain(let text): bytes.append(contentsOf: text.utf8)
        // The value itself: line breaks in JSON lie between its parts only, and would end a line of JSON lines.
        case .quoted(let text) where attribute.isCodable:
            try JSONParser.check(text, inside: depth)
            bytes.append(contentsOf: text.utf8.lazy.filter { $0 != 0x0A && $0 != 0x0D })
        case .quoted(let text): append(text, to: &bytes)
        }
    }
}
