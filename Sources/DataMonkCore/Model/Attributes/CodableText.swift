import Foundation

/// **Value.** The form of a `Codable` value in an attribute: its JSON, as text.
///
/// The same value has the same text, so that values can be compared as texts: the members of an object are in the order of
/// their names. A `Set`, or a dictionary whose keys are no coding keys, becomes an array, which is sorted if it is the value
/// itself; inside of another value it has any order. Dates are seconds since 2001, as in the columns of dates, data is
/// Base64, and a number that is not finite is the text "NaN", "Infinity" or "-Infinity".
package enum CodableText {
    /// The word that nonconforming numbers are written as.
    private static let (infinity, negativeInfinity, notANumber) = ("Infinity", "-Infinity", "NaN")

    /// Returns the JSON of a value.
    ///
    /// - Throws: The error of the value's `encode(to:)`.
    package static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.nonConformingFloatEncodingStrategy = .convertToString(
            positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
        if let values = value as? any UnorderedValues, let text = try values.sortedText(encoder) { return text }
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// Returns `true` if a text is JSON.
    package static func isValid(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { JSONScanner.isValid(UnsafeRawBufferPointer($0)) }
    }

    /// Returns the value of a JSON text.
    ///
    /// - Throws: The error of the type's `init(from:)`, or `DecodingError` for a text that is not JSON.
    package static func decode<Value: Decodable>(_ type: Value.Type, from text: UnsafeRawBufferPointer) throws -> Value
    {
        let decoder = JSONDecoder()
        decoder.nonConformingFloatDecodingStrategy = .convertFromString(
            positiveInfinity: infinity, negativeInfinity: negativeInfinity, nan: notANumber)
        return try decoder.decode(type, from: Data(text))
    }
}

/// A collection that may be encoded in any order.
private protocol UnorderedValues {
    /// Returns the JSON of the collection in order, or `nil` if it is encoded in order anyway.
    func sortedText(_ encoder: JSONEncoder) throws -> String?
}

extension Set: UnorderedValues where Element: Encodable {
    fileprivate func sortedText(_ encoder: JSONEncoder) throws -> String? {
        let elements = try map { String(decoding: try encoder.encode($0), as: UTF8.self) }
        return "[\(elements.sorted(by: String.precedesInBytes).joined(separator: ","))]"
    }
}

extension Dictionary: UnorderedValues where Key: Encodable, Value: Encodable {
    fileprivate func sortedText(_ encoder: JSONEncoder) throws -> String? {
        if Key.self is any CodingKeyRepresentable.Type { return nil }
        let pairs = try map { key, value in
            let parts = try [encoder.encode(key), encoder.encode(value)]
            return parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
        }
        return "[\(pairs.sorted(by: String.precedesInBytes).joined(separator: ","))]"
    }
}
