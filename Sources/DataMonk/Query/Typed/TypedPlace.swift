import DataMonkCore

/// **Value.** Where an object of a typed condition is found: the object of the fetch, one of a to-many, or one that a path
/// leads to from there.
struct TypedPlace: Sendable {
    /// The object, or the collection, as conditions know it.
    let expression: ConditionExpression
    /// How many closures over to-manys are around: each names its object after it.
    let depth: Int

    /// The object that the fetch looks at.
    static let fetched = TypedPlace(expression: .object, depth: 0)

    /// The value that a key path leads to.
    func value(at key: AnyKeyPath, of managedObjectClass: ManagedObject.Type) -> ConditionExpression {
        expression.step(KeyNames.name(of: key, in: managedObjectClass) ?? KeyNames.unnamed(key))
    }

    /// What a relationship's key path leads to.
    func step(along key: AnyKeyPath, of managedObjectClass: ManagedObject.Type) -> TypedPlace {
        TypedPlace(expression: value(at: key, of: managedObjectClass), depth: depth)
    }

    /// The object that a closure over this to-many looks at.
    var member: TypedPlace { TypedPlace(expression: .variable(memberName), depth: depth + 1) }

    /// The name of that object.
    var memberName: String { "member\(depth)" }

    // MARK: Objects

    func compare(_ operation: Condition.Comparison.Operator, _ object: ManagedObject?) -> Query {
        compare(operation, .value(object?.formatArgument ?? .null))
    }

    func compare<Object>(_ operation: Condition.Comparison.Operator, _ id: ObjectID<Object>) -> Query {
        compare(operation, .value(id.formatArgument))
    }

    func compare(_ operation: Condition.Comparison.Operator, _ other: TypedPlace) -> Query {
        compare(operation, other.expression)
    }

    func isOne(of objects: [ManagedValue]) -> Query { compare(.isIn, .value(.list(objects))) }

    private func compare(_ operation: Condition.Comparison.Operator, _ other: ConditionExpression) -> Query {
        Query(.comparison(.init(expression, operation, other)))
    }
}

extension ConditionExpression {
    /// The path as sort terms, groups and columns take it. What is no path has no such name, and is refused where it is
    /// looked up.
    var keyPathName: String {
        switch self {
        case .keyPath(let path): path
        case .object: "self"
        default: format
        }
    }
}
