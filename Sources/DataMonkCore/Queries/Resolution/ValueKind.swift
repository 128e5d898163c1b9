/// **Value.** The kinds of values that conditions distinguish.
package enum ValueKind: Sendable, Hashable {
    /// A Boolean value, which compares as 0 or 1.
    case boolean
    case integer
    /// A Double, or with `isSingle` a Float.
    case floating(isSingle: Bool)
    case decimal
    case string
    case date
    case data
    case uuid
    case url
    /// An object of the entity or of a sub-entity.
    case object(Entity)
    /// A kind known only at run time, of a transient attribute without a type.
    case dynamic
    /// A value that can only be compared with `nil`: a transformable or composite value, or data that may be in a file.
    case opaque
    /// A value in JSON, whose kind only the data knows.
    case json

    package init(_ attribute: Entity.Attribute) {
        switch attribute.type {
        case .integer16, .integer32, .integer64: self = .integer
        case .double: self = .floating(isSingle: false)
        case .float: self = .floating(isSingle: true)
        case .decimal: self = .decimal
        case .boolean: self = .boolean
        case .string: self = .string
        case .date: self = .date
        case .binary: self = attribute.description.allowsExternalBinaryDataStorage ? .opaque : .data
        case .uuid: self = .uuid
        case .uri: self = .url
        case .undefined: self = .dynamic
        case .transformable, .objectID, .composite: self = .opaque
        }
    }

    /// A Boolean value indicating whether values of this kind are objects.
    package var isObject: Bool { if case .object = self { true } else { false } }

    /// A Boolean value indicating whether values of this kind can be summed.
    package var isNumeric: Bool {
        switch self {
        case .boolean, .integer, .floating, .decimal: true
        default: false
        }
    }

    /// A Boolean value indicating whether values of this kind have an order.
    package var isOrdered: Bool {
        switch self {
        case .object, .opaque, .json: false
        default: true
        }
    }

    /// The kind in words for messages, including its article.
    package var name: String {
        switch self {
        case .boolean: "a Bool"
        case .integer: "an integer"
        case .floating(let isSingle): isSingle ? "a Float" : "a Double"
        case .decimal: "a Decimal"
        case .string: "a String"
        case .date: "a Date"
        case .data: "Data"
        case .uuid: "a UUID"
        case .url: "a URL"
        case .object(let entity): "a \(entity.name)"
        case .dynamic: "a value without a type"
        case .opaque: "a value that only its class can interpret"
        case .json: "a value in JSON"
        }
    }

    /// Returns `true` if a value of one kind can be compared with a value of the other.
    package func isComparable(with other: ValueKind) -> Bool {
        switch (self, other) {
        case (.dynamic, _), (_, .dynamic): true
        case (.object(let left), .object(let right)): left.root === right.root
        case (.opaque, _), (_, .opaque), (.json, _), (_, .json): false
        default: isNumeric ? other.isNumeric : self == other
        }
    }
}

extension FetchRequest.Selection.Function {
    /// Returns the kind of value that a collection operator of a key path yields. It is meant for comparison, not for
    /// display.
    func collectionKind(of kind: ValueKind) -> ValueKind {
        switch self {
        case .count: .integer
        case .sum:
            switch kind {
            case .boolean: .integer
            case .floating: .floating(isSingle: false)
            default: kind
            }
        case .average, .standardDeviation: .floating(isSingle: false)
        case .minimum, .maximum, .median: kind
        }
    }

    /// Returns the kind of value that the aggregate has in a row.
    func resultKind(of kind: ValueKind) -> ValueKind {
        switch self {
        case .count: .integer
        case .sum, .average, .standardDeviation: .decimal
        case .minimum, .maximum, .median: kind
        }
    }
}
