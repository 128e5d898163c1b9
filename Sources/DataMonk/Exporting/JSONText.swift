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
    static func append(_ value: ManagedValue, of imported: ImportedAttribute, to bytes: inout [UInt8]) {
        append(value, of: imported.attribute, in: imported.dateFormat, to: &bytes)
    }

    private static func append(
        _ value: ManagedValue, of attribute: Entity.Attribute, in format: ImportedDateFormat, to bytes: inout [UInt8]
    ) {
        if case .dictionary(let values) = value {
            var separator = UInt8(ascii: "{")
            for element in attribute.elements {
                bytes.append(separator)
                append(element.name, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                append(values[element.name] ?? .null, of: element, in: .standard, to: &bytes)
                separator = UInt8(ascii: ",")
            }
            if separator == UInt8(ascii: "{") { bytes.append(separator) }
            return bytes.append(UInt8(ascii: "}"))
        }
        switch ExportedText(value, of: attribute, format) {
        case nil: bytes.append(contentsOf: "null".utf8)
        case .plain(let text): bytes.append(contentsOf: text.utf8)
        case .quoted(let text): append(text, to: &bytes)
        }
    }
}
