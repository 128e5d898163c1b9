import Foundation

extension AttributeDescription {
    /// Whether a value is of the attribute's type. Whole numbers stand for numbers of any kind.
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

    /// Whether a value of the attribute's type lies in the type's range. The attribute's own bounds are a matter of
    /// saving: a default below the minimum asks the user for a better value.
    func hasRoom(for value: ManagedValue) -> Bool {
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

    /// Whether a value can bound the attribute's values: of its own type, or a length of a string.
    func takesBound(_ value: ManagedValue) -> Bool {
        switch type {
        case .string: if case .int(let length) = value { length >= 0 } else { false }
        case .date: if case .date = value { true } else { false }
        default: type.isNumeric && takes(value)
        }
    }
}

extension ManagedValue {
    /// The value as a number for comparing bounds of one attribute, nil when it is none.
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
    /// The type in words for messages, with its article.
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

    /// How to bound values of the type.
    var boundRemedy: String {
        switch self {
        case .string: "Give its smallest or largest length as a whole number."
        case .date: "Give a date."
        default: isNumeric ? "Give a number." : "Remove the bound."
        }
    }
}
