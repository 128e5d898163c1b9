import Foundation

extension ModelFileReader {
    private static let types: [String: AttributeType] = [
        "Undefined": .undefined, "Integer 16": .integer16, "Integer 32": .integer32, "Integer 64": .integer64,
        "Decimal": .decimal, "Double": .double, "Float": .float, "String": .string, "Boolean": .boolean, "Date": .date,
        "Binary": .binary, "UUID": .uuid, "URI": .uri, "Transformable": .transformable, "ObjectID": .objectID,
        "Composite": .composite,
    ]

    /// Returns the name of a type in files, or `nil` for the type that an absent name stands for.
    static func name(of type: AttributeType) -> String? {
        type == .undefined ? nil : types.first { $0.value == type }?.key
    }

    func attribute(_ element: XMLElementNode) throws(ModelError) -> AttributeDescription {
        let typeName = element.attributes["attributeType"] ?? "Undefined"
        guard let type = Self.types[typeName] else {
            throw fault(at: element, "\(typeName) is not an attribute type.")
        }
        let isDerived = try flag("derived", of: element) ?? false
        let isTransient = try flag("transient", of: element) ?? false
        // Xcode leaves `indexed` in place when an attribute becomes transient.
        let isIndexed = try flag("indexed", of: element) ?? false && !isTransient
        return AttributeDescription(
            try required("name", of: element), type, isOptional: try flag("optional", of: element) ?? false,
            isTransient: isTransient, isIndexed: isIndexed,
            // Xcode leaves the default of a number in place when an attribute becomes derived.
            defaultValue: isDerived
                ? .null : try value("defaultValueString", dateKey: "defaultDateTimeInterval", type: type, of: element),
            minimum: try bound("minValueString", dateKey: "minDateTimeInterval", type: type, of: element),
            maximum: try bound("maxValueString", dateKey: "maxDateTimeInterval", type: type, of: element),
            regularExpression: element.attributes["regularExpressionString"],
            allowsExternalBinaryDataStorage: try flag("allowsExternalBinaryDataStorage", of: element) ?? false,
            preservesValueInHistoryOnDeletion: try flag("preserveAfterDeletion", of: element) ?? false,
            valueTransformerName: element.attributes["valueTransformerName"],
            attributeValueClassName: element.attributes["customClassName"],
            derivationExpression: isDerived ? element.attributes["derivationExpression"] ?? "" : nil,
            usesScalarValueType: try flag("usesScalarValueType", of: element) ?? false,
            renamingIdentifier: element.attributes["elementID"],
            versionHashModifier: element.attributes["versionHashModifier"], userInfo: try userInfo(of: element),
            elements: try elements(ofAttribute: element, type))
    }

    private func elements(
        ofAttribute element: XMLElementNode, _ type: AttributeType
    ) throws(ModelError) -> [AttributeDescription] {
        guard type == .composite else { return [] }
        let name = try required("composite", of: element)
        guard let elements = composites[name] else {
            throw fault(at: element, "there is no composite type named \(name).")
        }
        return elements
    }

    /// Returns a bound. The bounds of a string are lengths.
    private func bound(
        _ key: String, dateKey: String, type: AttributeType, of element: XMLElementNode
    ) throws(ModelError) -> ManagedValue {
        try value(key, dateKey: dateKey, type: type == .string ? .integer64 : type, of: element)
    }

    private func value(
        _ key: String, dateKey: String, type: AttributeType, of element: XMLElementNode
    ) throws(ModelError) -> ManagedValue {
        if type == .date {
            guard let text = element.attributes[dateKey] else { return .null }
            guard let seconds = Double(text), seconds.isFinite else {
                throw fault(at: element, "\(dateKey) is not a number.")
            }
            return .date(Date(timeIntervalSinceReferenceDate: seconds))
        }
        guard let text = element.attributes[key] else { return .null }
        guard let value = Self.value(text, of: type) else {
            throw fault(at: element, "\(key) is not a value of the attribute's type.")
        }
        return value
    }

    /// Returns the integer at the beginning of a text, or 0 if there is none. Apple's model compiler does the same: Xcode
    /// leaves "0.0" or "NO" in place when an attribute was of another type before.
    private static func integer(_ text: String) -> Int64 {
        let digits = text.drop(while: \.isWhitespace)
        let sign = digits.first == "-" || digits.first == "+" ? digits.prefix(1) : ""
        let number = digits.dropFirst(sign.count).prefix { $0.isASCII && $0.isNumber }
        if number.isEmpty { return 0 }
        return Int64(sign + number) ?? (sign == "-" ? .min : .max)
    }

    /// Returns the value that a text represents, `.null` for a type whose values have no text, or `nil` if the text cannot
    /// be read.
    private static func value(_ text: String, of type: AttributeType) -> ManagedValue? {
        switch type {
        case .integer16, .integer32, .integer64: return .int(integer(text))
        case .decimal:
            return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map(ManagedValue.decimal)
        case .double, .float: return Double(text).map(ManagedValue.double)
        case .string: return .string(text)
        case .boolean: return flag(text).map(ManagedValue.bool)
        case .uuid: return UUID(uuidString: text).map(ManagedValue.uuid)
        case .uri: return URL(string: text).map(ManagedValue.url)
        case .undefined, .date, .binary, .transformable, .objectID, .composite: return .null
        }
    }
}
