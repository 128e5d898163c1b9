/// **Value.** One side of a comparison: something that has a value for each object.
///
/// Later versions add cases: a `switch` over an expression needs a `default`.
public indirect enum ConditionExpression: Sendable {
    /// The value at a path of names, `"friend.age"`. The path may end in a collection operator: `"friends.@count"`,
    /// `"friends.@avg.age"` (`@count`, `@sum`, `@avg`, `@min`, `@max`).
    case keyPath(String)
    /// A constant.
    case value(ManagedValue)
    /// The object itself.
    case object
    /// A value that is given later (a template's), or the object that a subquery looks at: `$name`.
    case variable(String)
    /// The value at a path of names that starts at another expression's object: `$friend.age`.
    case path(ConditionExpression, String)
    /// Several values, at least one of which is no constant: `{age, 18}`.
    case list([ConditionExpression])
    /// What a function makes of its arguments.
    case function(Function, [ConditionExpression])
    /// One element of an ordered collection, or their number.
    case element(Element, of: ConditionExpression)
    /// The objects of a collection of which a condition is true; there `$variable` is the object, and a bare key one of
    /// the object around it.
    case subquery(ConditionExpression, variable: String, Condition)
    /// One of two values.
    case conditional(Condition, then: ConditionExpression, else: ConditionExpression)
}

extension ConditionExpression {
    /// **Value.** Which element of an ordered collection.
    public enum Element: Sendable, Hashable {
        /// The first; nil of an empty collection.
        case first
        /// The last; nil of an empty collection.
        case last
        /// No element but their number.
        case size
        /// The one at a position, from 0.
        case at(ConditionExpression)
    }
}

extension ConditionExpression {
    /// One name further along the path. (Behind the object of the fetch a path is its names alone.)
    package func step(_ name: String) -> ConditionExpression {
        switch self {
        case .object: .keyPath(name)
        case .keyPath(let path): .keyPath("\(path).\(name)")
        case .path(let start, let path): .path(start, "\(path).\(name)")
        default: .path(self, name)
        }
    }
}
