/// **Value.** One side of a comparison: an expression that has a value for each object.
///
/// Later versions may add cases: a `switch` over an expression needs a `default`.
public indirect enum ConditionExpression: Sendable {
    /// The value at a key path, `"friend.age"`. The path may end in a collection operator: `"friends.@count"`,
    /// `"friends.@avg.age"` (`@count`, `@sum`, `@avg`, `@min`, `@max`). In rows of values it may be an operator over all
    /// fetched objects, or those of a group: `"@sum.age"`.
    case keyPath(String)
    /// A constant.
    case value(ManagedValue)
    /// The object itself.
    case object
    /// `$name`: a value that is supplied later, as in a template, or the current object of a subquery.
    case variable(String)
    /// The value at a key path that starts at another expression's object: `$friend.age`.
    case path(ConditionExpression, String)
    /// Several values, at least one of which is not a constant: `{age, 18}`.
    case list([ConditionExpression])
    /// The result of a function.
    case function(Function, [ConditionExpression])
    /// One element of an ordered collection, or the number of elements.
    case element(Element, of: ConditionExpression)
    /// The objects of a collection that satisfy a condition. In that condition `$variable` is the object, and a key without
    /// a variable belongs to the enclosing object.
    case subquery(ConditionExpression, variable: String, Condition)
    /// One of two values, chosen by a condition.
    case conditional(Condition, then: ConditionExpression, else: ConditionExpression)
}

extension ConditionExpression {
    /// **Value.** An element of an ordered collection.
    public enum Element: Sendable, Hashable {
        /// The first element; `nil` for an empty collection.
        case first
        /// The last element; `nil` for an empty collection.
        case last
        /// The number of elements.
        case size
        /// The element at a position, counted from 0.
        case at(ConditionExpression)
    }
}

extension ConditionExpression {
    /// Returns the path extended by one name. A path that starts at the fetched object consists of names only.
    package func step(_ name: String) -> ConditionExpression {
        switch self {
        case .object: .keyPath(name)
        case .keyPath(let path): .keyPath("\(path).\(name)")
        case .path(let start, let path): .path(start, "\(path).\(name)")
        default: .path(self, name)
        }
    }
}
