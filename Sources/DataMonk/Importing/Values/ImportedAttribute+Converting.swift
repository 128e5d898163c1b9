import DataMonkCore
import Foundation

/// From the values of formats, which know numbers and texts, to those that an attribute holds.
extension ImportedAttribute {
    /// Returns the value as the attribute holds it.
    ///
    /// - Parameter isCell: A Boolean value indicating whether the value is the cell of a table, where a text may be JSON.
    /// - Throws: ``ImportError`` with the code `invalidValue`.
    func converted(_ value: ManagedValue, isCell: Bool = false) throws(ImportError) -> ManagedValue {
        if case .null = value { return .null }
        if isCell, attribute.isCodable, case .string(let text) = value, CodableText.isValid(text) {
            try requireDecodable(text, value)
            return value
        }
        if let converted = attribute.converted(value, dateFormat: dateFormat), attribute.accepts(converted) {
            if attribute.isCodable, case .string(let text) = converted { try requireDecodable(text, value) }
            return converted
        }
        throw .invalidValue(value, for: self)
    }

    /// Throws an error if the attribute's type does not decode a JSON text: each read of it would fail.
    private func requireDecodable(_ text: String, _ value: ManagedValue) throws(ImportError) {
        do { try requireDecodable?(text) } catch { throw .undecodableValue(error, for: self) }
    }

    /// Returns the value that an object's composite attribute is to have: the elements that the row does not give stay as they
    /// are.
    func whole(_ value: ManagedValue, of object: ManagedObject) throws -> ManagedValue {
        guard case .dictionary(let given) = value else { return value }
        var elements: [String: ManagedValue] = [:]
        if case .dictionary(let present) = try object.assigned(attribute) { elements = present }
        // A composite value has no nulls when it is read.
        elements = elements.merging(given) { $1 }.filter { !$0.value.isNull }
        return elements.isEmpty ? .null : .dictionary(elements)
    }
}

extension Entity.Attribute {
    fileprivate func converted(_ value: ManagedValue, dateFormat: ImportedDateFormat) -> ManagedValue? {
        switch (type, value) {
        case (.string, _): return isCodable ? codableText(value) : text(value)
        case (.integer16, _), (.integer32, _), (.integer64, _): return integer(value)
        case (.boolean, _): return boolean(value)
        case (.double, .int(let number)): return Double(exactly: number).map { .double($0) }
        case (.double, .decimal(let number)), (.float, .decimal(let number)):
            return converted(.string(number.description), dateFormat: dateFormat)
        case (.double, .string(let text)), (.float, .string(let text)):
            let parsed: ManagedValue? = Int64(text).map { .int($0) } ?? ImportedNumber.double(text).map { .double($0) }
            return parsed.flatMap { converted($0, dateFormat: dateFormat) }
        case (.double, _): return Double(managedValue: value).map { .double($0) }
        case (.float, .int(let number)): return Float(exactly: number).map { .double(Double($0)) }
        case (.float, _): return Double(managedValue: value).flatMap(single)
        case (.decimal, .string(let text)): return decimal(text)
        case (.decimal, .decimal(let number)): return stored(number, writtenAs: number.description)
        case (.decimal, _): return Decimal(managedValue: value).map { .decimal($0.stored ?? $0) }
        case (.date, _): return dateFormat.date(value).map { .date($0) }
        case (.uuid, .string(let text)): return UUID(uuidString: text).map { .uuid($0) }
        // A text that is no URL is refused: Foundation makes one of it by escapes, which is another text.
        case (.uri, .string(let text)): return URL(string: text).flatMap { $0.absoluteString == text ? .url($0) : nil }
        case (.binary, .string(let text)), (.transformable, .string(let text)), (.undefined, .string(let text)),
            (.objectID, .string(let text)):
            return Data(base64Encoded: text).map { .data($0) }
        case (.composite, .dictionary(let values)): return composite(values)
        default: return value
        }
    }

    private func text(_ value: ManagedValue) -> ManagedValue? {
        switch value {
        case .string: value
        case .int(let number): .string(String(number))
        case .double(let number): .string(ImportedNumber.text(number))
        case .decimal(let number): .string(number.description)
        case .bool(let flag): .string(flag ? "true" : "false")
        case .uuid(let uuid): .string(uuid.uuidString)
        case .url(let url): .string(url.absoluteString)
        default: nil
        }
    }

    private func integer(_ value: ManagedValue) -> ManagedValue? {
        switch value {
        case .int: value
        case .string(let text): Int64(text).map { .int($0) }
        // No Double is a Boolean value either.
        case .bool: nil
        default: Int64(managedValue: value).map { .int($0) }
        }
    }

    private func boolean(_ value: ManagedValue) -> ManagedValue? {
        switch value {
        case .bool: return value
        case .int(0), .double(0): return .bool(false)
        case .int(1), .double(1): return .bool(true)
        case .string(let text):
            switch text.lowercased() {
            case "true", "yes", "1": return .bool(true)
            case "false", "no", "0": return .bool(false)
            default: return nil
            }
        default: return nil
        }
    }

    /// Returns a number as a float holds it, rounded as it is stored, since it may be compared with what is there; `nil` if it is
    /// too large or too small.
    private func single(_ number: Double) -> ManagedValue? {
        let single = Float(number)
        let isLost = single.isInfinite && number.isFinite || single == 0 && number != 0
        return isLost ? nil : .double(Double(single))
    }

    private func decimal(_ text: String) -> ManagedValue? {
        // `Decimal(string:)` reads as far as it can: "12 apples" is 12.
        guard ImportedNumber.isNumber(text),
            let number = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX"))
        else { return nil }
        return stored(number, writtenAs: text)
    }

    /// Returns a decimal as a store holds it, or `nil` for an integer that would have other digits, and for a number so small
    /// that it would be 0. A fraction is rounded.
    private func stored(_ number: Decimal, writtenAs text: String) -> ManagedValue? {
        let stored = number.stored ?? number
        // A text of more digits than a decimal has was rounded before.
        if stored == number, text.utf8.count <= 38 { return .decimal(stored) }
        let written = PlainNumber(text)
        let isLost = stored.isZero && !written.isZero || written.isWhole && PlainNumber(stored.description) != written
        return isLost ? nil : .decimal(stored)
    }

    private func composite(_ values: [String: ManagedValue]) -> ManagedValue? {
        var converted: [String: ManagedValue] = [:]
        for (name, value) in values {
            guard let element = elements.first(where: { $0.name == name }) else { return nil }
            guard let part = value.isNull ? .null : element.converted(value, dateFormat: .standard) else { return nil }
            converted[name] = part
        }
        return .dictionary(converted)
    }

    /// Returns the JSON of a value.
    private func codableText(_ value: ManagedValue) -> ManagedValue? {
        // Reason for try?: the caller tells of an invalid value.
        return (try? CodableText.encode(CodableValue(value: value))).map { .string($0) }
    }
}

/// **Value.** Encodes a managed value as the value of JSON that it came from.
private struct CodableValue: Encodable {
    let value: ManagedValue

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .list(let values):
            var container = encoder.unkeyedContainer()
            for value in values { try container.encode(CodableValue(value: value)) }
        case .dictionary(let values):
            try values.mapValues(CodableValue.init).encode(to: encoder)
        default:
            var container = encoder.singleValueContainer()
            switch value {
            case .bool(let flag): try container.encode(flag)
            case .int(let number): try container.encode(number)
            case .double(let number): try container.encode(number)
            case .decimal(let number): try container.encode(number)
            case .string(let text): try container.encode(text)
            case .date(let date): try container.encode(date)
            case .data(let data): try container.encode(data)
            case .uuid(let uuid): try container.encode(uuid)
            case .url(let url): try container.encode(url)
            case .null, .object, .list, .dictionary: try container.encodeNil()
            }
        }
    }
}

extension ImportError {
    fileprivate static func undecodableValue(_ error: any Error, for imported: ImportedAttribute) -> ImportError {
        let attribute = imported.attribute
        return ImportError(
            .invalidValue,
            """
            "\(imported.path.description)" is JSON that the type of \(attribute.entity.name).\(attribute.name) does not decode, so \
            each read of it would fail. Correct the row, or convert the value in importValue(_:forKey:).
            """, entityName: attribute.entity.name, key: attribute.name, underlyingError: error)
    }

    fileprivate static func invalidValue(_ value: ManagedValue, for imported: ImportedAttribute) -> ImportError {
        let attribute = imported.attribute
        let expected =
            switch attribute.type {
            case .date: "Write it as 2026-11-24T02:15:00Z, or give the attribute a dateFormat"
            case .binary, .transformable, .undefined, .objectID: "Write the bytes in Base64"
            case .boolean: "Write true or false"
            default: "Correct the row, or convert the value in importValue(_:forKey:)"
            }
        return ImportError(
            .invalidValue,
            """
            "\(imported.path.description)" is \(value.kind), which \(attribute.entity.name).\(attribute.name) cannot hold: it \
            is of the type \(attribute.type) and may be too narrow or in another form. \(expected).
            """, entityName: attribute.entity.name, key: attribute.name)
    }
}
