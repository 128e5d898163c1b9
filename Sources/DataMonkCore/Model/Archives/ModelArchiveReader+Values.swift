import Foundation

extension ModelArchiveReader {
    /// Returns a value of an attribute's type. Returns `.null` if there is none, or if the value is left out because it
    /// does not fit the type.
    mutating func managedValue(
        _ value: KeyedArchiveValue, of type: AttributeType, subject: String
    ) throws -> ManagedValue {
        if case .null = value { return .null }
        if let known = try knownValue(value, of: type) { return known }
        try omit("\(subject): \(Self.kind(of: value))")
        return .null
    }

    private mutating func knownValue(_ value: KeyedArchiveValue, of type: AttributeType) throws -> ManagedValue? {
        switch type {
        case .integer16, .integer32, .integer64:
            return Self.wholeNumber(value).map(ManagedValue.int)
        case .boolean:
            if case .plain(.bool(let flag)) = value { return .bool(flag) }
            return Self.wholeNumber(value).map { .bool($0 != 0) }
        case .double, .float:
            guard let number = value.plain?.realValue, number.isFinite else { return nil }
            return .double(number)
        case .decimal: return try archive.decimal(value).map(ManagedValue.decimal)
        case .string: return try archive.string(value).map(ManagedValue.string)
        case .date: return try archive.date(value).map(ManagedValue.date)
        case .uuid: return try archive.uuid(value).map(ManagedValue.uuid)
        case .uri: return try archive.url(value).map(ManagedValue.url)
        case .binary, .transformable: return try archive.data(value).map(ManagedValue.data)
        case .undefined, .objectID, .composite: return nil
        }
    }

    private static func wholeNumber(_ value: KeyedArchiveValue) -> Int64? {
        switch value {
        case .plain(.integer(let number)): number
        case .plain(.real(let number)): Int64(exactly: number)
        case .plain(.bool(let flag)): flag ? 1 : 0
        default: nil
        }
    }

    /// Gives the elements of a composite attribute their defaults, which SwiftData stores in a single dictionary.
    mutating func addDefaults(of object: KeyedArchiveObject, to elements: inout [AttributeDescription]) throws {
        let value = try archive.value(of: object, "NSDefaultValue")
        if case .null = value { return }
        guard let entries = try archive.dictionary(value) else {
            return try omit("its default value: \(Self.kind(of: value))")
        }
        for (name, value) in entries {
            guard let index = elements.firstIndex(where: { $0.name == name }) else {
                try omit("its default value for \(name), which is not one of its elements")
                continue
            }
            elements[index].defaultValue = try managedValue(
                value, of: elements[index].type, subject: "its default value for \(name)")
        }
    }

    // MARK: Bounds

    /// Reads an attribute's bounds and conditions from its validation predicates: `SELF >= 0`, `length <= 20`,
    /// `SELF MATCHES "…"`, and any other that can be written in Core Data's format language. A predicate with its own
    /// warning is kept as a condition.
    ///
    /// Other predicates cannot be checked, and are recorded as omissions.
    mutating func addBounds(of object: KeyedArchiveObject, to attribute: inout AttributeDescription) throws {
        let warnings = try archive.array(archive.value(of: object, "NSValidationWarnings")) ?? []
        for (place, value) in (try archive.array(archive.value(of: object, "NSValidationPredicates")) ?? [])
            .enumerated()
        {
            var warning = try warnings.indices.contains(place) ? archive.string(warnings[place]) : nil
            if warning == ModelArchiveWriter.boundsWarning { warning = nil }
            if warning == nil, let predicate = value.object, try addBound(predicate, to: &attribute) { continue }
            let text = try value.object.flatMap { try archive.string(of: $0, ModelArchiveKey.predicateFormat) }
            let format = try text ?? format(ofPredicate: value)
            try archive.takeSteps(format?.utf8.count ?? 0)
            guard let format, let condition = Self.condition(format) else {
                try omit("the condition \(format ?? Self.kind(of: value))")
                continue
            }
            attribute.validationPredicates.append(
                ValidationPredicate(condition, warning: warning ?? ModelArchiveWriter.boundsWarning))
        }
    }

    private static func condition(_ format: String) -> Condition? {
        // Reason for try?: the caller records a condition that cannot be parsed.
        try? Condition(format: format, arguments: [])
    }

    private mutating func addBound(
        _ predicate: KeyedArchiveObject, to attribute: inout AttributeDescription
    ) throws -> Bool {
        guard predicate.className == "NSComparisonPredicate",
            let comparison = try archive.value(of: predicate, "NSPredicateOperator").object,
            let constant = try archive.value(of: predicate, "NSRightExpression").object,
            constant.integer("NSExpressionType") == 0
        else { return false }
        let left = try format(ofExpression: archive.value(of: predicate, "NSLeftExpression"))
        let value = try archive.value(of: constant, "NSConstantValue")
        let isLength = left == "length" && attribute.type == .string
        guard isLength || left == "SELF" else { return false }
        let operation = comparison.integer("NSOperatorType")
        if operation == 6, attribute.type == .string, !isLength, attribute.regularExpression == nil {
            attribute.regularExpression = try archive.string(value)
            try archive.takeSteps(attribute.regularExpression?.utf8.count ?? 0)
            return attribute.regularExpression != nil
        }
        guard isLength || attribute.type.isNumeric || attribute.type == .date,
            let bound = try knownValue(value, of: isLength ? .integer64 : attribute.type)
        else { return false }
        switch operation {
        case 3 where attribute.minimum.isNull: attribute.minimum = bound
        case 1 where attribute.maximum.isNull: attribute.maximum = bound
        default: return false
        }
        return true
    }
}
