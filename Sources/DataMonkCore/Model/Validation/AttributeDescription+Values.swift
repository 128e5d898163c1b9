import Foundation

extension AttributeDescription {
    /// Returns `true` if a value has the attribute's type. Integers are accepted for numbers of any type.
    func takes(_ value: ManagedValue) -> Bool {
        switch (type, value) {
        case (_, .null): true
        case (.undefined, _): true
        case (.integer16, .int), (.integer32, .int), (.integer64, .int): true
        case (.decimal, .decimal), (.decimal, .int), (.decimal, .double): true
        case (.double, .double), (.double, .int), (.float, .double), (.float, .int): true
        case (.string, .string), (.boolean, .bool), (.date, .date), (.uuid, .uuid), (.uri, .url): true
        case (.binary, .data), (.transformable, .data): true
        default: false
        }
    }

    /// Returns `true` if a value of the attribute's type fits in the type's range. The attribute's own bounds are checked
    /// only by saves: a default below the minimum is legal, and makes the user enter a better value.
    package func hasRoom(for value: ManagedValue) -> Bool {
        switch (type, value) {
        case (.integer16, .int(let number)): Int16(exactly: number) != nil
        case (.integer32, .int(let number)): Int32(exactly: number) != nil
        case (.float, .double(let number)): number.isFinite && Float(number).isFinite
        case (.double, .double(let number)), (.decimal, .double(let number)): number.isFinite
        case (.decimal, .decimal(let number)): number.isStorable
        case (.date, .date(let date)): date.timeIntervalSinceReferenceDate.isFinite
        default: true
        }
    }

    /// Returns `true` if a value can be a bound of the attribute: a value of its own type, or a length for a string.
    func takesBound(_ value: ManagedValue) -> Bool {
        switch type {
        case .string: if case .int(let length) = value { length >= 0 } else { false }
        case .date: if case .date = value { true } else { false }
        default: type.isNumeric && takes(value)
        }
    }
}

extension ManagedValue {
    /// The value as a number for comparing bounds of one attribute, or `nil` if it is not a number.
    var magnitude: Double? {
        switch self {
        case .int(let number): Double(number)
        case .double(let number): number
        case .decimal(let number): number.doubleValue
        case .date(let date): date.timeIntervalSinceReferenceDate
        default: nil
        }
    }
}

extension AttributeType {
    /// The type in words for messages, including its article.
    var article: String {
        switch self {
        case .undefined: "an undefined"
        case .integer16: "an Integer 16"
        case .integer32: "an Integer 32"
        case .integer64: "an Integer 64"
        case .decimal: "a Decimal"
        case .double: "a Double"
        case .float: "a Float"
        case .string: "a String"
        case .boolean: "a Boolean"
        case .date: "a Date"
        case .binary: "a Binary"
        case .uuid: "a UUID"
        case .uri: "a URI"
        case .transformable: "a Transformable"
        case .objectID: "an ObjectID"
        case .composite: "a Composite"
        }
    }

    /// The remedy for an invalid bound of the type, for messages.
    var boundRemedy: String {
        switch self {
        case .string: "Give its minimum or maximum length as an integer."
        case .date: "Give a date."
        default: isNumeric ? "Give a number." : "Remove the bound."
        }
    }
}
