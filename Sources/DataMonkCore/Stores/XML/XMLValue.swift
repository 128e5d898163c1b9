import Foundation

/// **Value.** The text of attributes' values in an XML store.
enum XMLValue {
    /// The names after `binary` are not verified.
    static func typeName(_ type: AttributeType) -> String {
        switch type {
        case .string: "string"
        case .boolean: "bool"
        case .integer16: "int16"
        case .integer32: "int32"
        case .integer64: "int64"
        case .float: "float"
        case .double: "double"
        case .decimal: "decimal"
        case .date: "date"
        case .binary: "binary"
        case .uuid: "UUID"
        case .uri: "URI"
        case .transformable: "transformable"
        case .composite: "composite"
        case .undefined, .objectID: "undefined"
        }
    }

    static func text(of value: ManagedValue) -> String {
        switch value {
        case .bool(let bool): bool ? "1" : "0"
        case .int(let number): "\(number)"
        case .double(let number): "\(number)"
        case .decimal(let number): number.description
        case .date(let date): text(of: date)
        case .string(let text): text
        case .data(let data): data.base64EncodedString()
        case .uuid(let uuid): uuid.uuidString
        case .url(let url): url.absoluteString
        case .null, .object, .list, .dictionary: ""
        }
    }

    /// Seconds since 2001 with 20 decimals. A date that these do not distinguish from others has the digits that do.
    private static func text(of date: Date) -> String {
        let seconds = date.timeIntervalSinceReferenceDate
        let text = String(format: "%.20f", seconds)
        return Double(text) == seconds ? text : "\(seconds)"
    }

    /// Returns the value of a text, or `nil` if the text is none of the type.
    static func value(of text: String, type: String) -> ManagedValue? {
        switch type {
        case "string": .string(text)
        case "bool": text == "1" ? .bool(true) : text == "0" ? .bool(false) : nil
        case "int16", "int32", "int64": Int64(text).map(ManagedValue.int)
        case "float", "double": Double(text).map(ManagedValue.double)
        case "decimal": decimal(text).map(ManagedValue.decimal)
        case "date": Double(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case "UUID", "uuid": UUID(uuidString: text).map(ManagedValue.uuid)
        case "URI", "uri": URL(string: text).map(ManagedValue.url)
        case "binary", "transformable", "undefined":
            Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(ManagedValue.data)
        default: nil
        }
    }

    private static func decimal(_ text: String) -> Decimal? {
        // Decimal(string:) would take the digits that a text begins with.
        let isNumber = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) }
        return isNumber ? Decimal(string: text) : nil
    }
}
