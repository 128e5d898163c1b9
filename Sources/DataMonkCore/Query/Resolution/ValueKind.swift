/// **Value.** The kinds of values as conditions tell them apart.
package enum ValueKind: Sendable, Hashable {
    /// Compares as 0 or 1.
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
    /// Known at run time only: transient attributes without a type.
    case dynamic
    /// Equal to nil or not; nothing else can be said: transformable and composite values, data that may lie in a file.
    case opaque

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

    /// Whether values of it are objects.
    package var isObject: Bool { if case .object = self { true } else { false } }

    /// Whether values of it can be added up.
    package var isNumeric: Bool {
        switch self {
        case .boolean, .integer, .floating, .decimal: true
        default: false
        }
    }

    /// Whether values of it have an order.
    package var isOrdered: Bool {
        switch self {
        case .object, .opaque: false
        default: true
        }
    }

    /// The kind in words for messages, with its article.
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
        case .opaque: "a value that only its owner understands"
        }
    }

    /// Whether a value of one kind can be compared with a value of the other.
    package func isComparable(with other: ValueKind) -> Bool {
        switch (self, other) {
        case (.dynamic, _), (_, .dynamic): true
        case (.object(let left), .object(let right)): left.root === right.root
        case (.opaque, _), (_, .opaque): false
        default: isNumeric ? other.isNumeric : self == other
        }
    }
}

extension FetchRequest.Selection.Function {
    /// What kind of value a collection operator of a key path yields: numbers that are compared, not shown.
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

    /// What kind of value the figure is in a row.
    func resultKind(of kind: ValueKind) -> ValueKind {
        switch self {
        case .count: .integer
        case .sum, .average, .standardDeviation: .decimal
        case .minimum, .maximum, .median: kind
        }
    }
}
