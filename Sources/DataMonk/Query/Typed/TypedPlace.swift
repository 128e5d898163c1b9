import DataMonkCore

/// **Value.** The position of an object in a typed condition: the fetched object, a member of a to-many relationship, or the
/// end of a path from one of these.
struct TypedPlace: Sendable {
    /// The object or collection as an expression.
    let expression: ConditionExpression
    /// The number of enclosing closures over to-many relationships. Each one names its object after it.
    let depth: Int

    static let fetched = TypedPlace(expression: .object, depth: 0)

    /// Returns the value at the end of a key path.
    func value(at key: AnyKeyPath, of managedObjectClass: ManagedObject.Type) -> ConditionExpression {
        expression.step(KeyNames.name(of: key, in: managedObjectClass) ?? KeyNames.unnamed(key))
    }

    /// Returns the destination of a relationship's key path.
    func step(along key: AnyKeyPath, of managedObjectClass: ManagedObject.Type) -> TypedPlace {
        TypedPlace(expression: value(at: key, of: managedObjectClass), depth: depth)
    }

    /// The object that a closure over this to-many relationship receives.
    var member: TypedPlace { TypedPlace(expression: .variable(memberName), depth: depth + 1) }

    /// The name of that object.
    var memberName: String { "member\(depth)" }

    // MARK: Objects

    func compare(_ operation: Condition.Comparison.Operator, to object: ManagedObject?) -> Query {
        compare(operation, to: .value(object?.formatArgument ?? .null))
    }

    func compare<Object>(_ operation: Condition.Comparison.Operator, to id: ObjectID<Object>) -> Query {
        compare(operation, to: .value(id.formatArgument))
    }

    func compare(_ operation: Condition.Comparison.Operator, to other: TypedPlace) -> Query {
        compare(operation, to: other.expression)
    }

    func isOne(of objects: [ManagedValue]) -> Query { compare(.isIn, to: .value(.list(objects))) }

    private func compare(_ operation: Condition.Comparison.Operator, to other: ConditionExpression) -> Query {
        Query(.comparison(.init(expression, operation, other)))
    }
}

extension ConditionExpression {
    /// The path as a name for sort terms, groups and columns. An expression that is not a path yields a name that the lookup
    /// refuses.
    var keyPathName: String {
        switch self {
        case .keyPath(let path): path
        case .object: "self"
        default: format
        }
    }
}
