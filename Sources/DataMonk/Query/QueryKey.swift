public import DataMonkCore

/// Marks a string as the name of a property rather than a value: `%"name"`.
prefix operator %
/// Marks a string as the name of a property before a modifier: `%"friends.age"%.any`.
postfix operator %

/// **Value.** The name of a property, or a key path, in a query.
///
/// | | |
/// |---|---|
/// | `%"name"` | the property `name` |
/// | `%"friend.age"` | the age of the object's friend |
/// | `%"friends.@count"` | the number of friends; also `@sum`, `@avg`, `@min`, `@max`: `%"friends.@avg.age"` |
/// | `%"friends.age"%.any` | true if the comparison is true for at least one friend |
/// | `%"friends.age"%.all` | true if it is true for every friend |
/// | `%"age"%.in([17, 18])`, `%"age"%.between(17...30)` | one of some values, within two bounds |
/// | `%"self"` | the object itself |
public struct QueryKey: Sendable, Hashable {
    /// The key path.
    public let keyPath: String
    /// The values of a collection that must satisfy a comparison: one, or all of them.
    public let modifier: Condition.Comparison.Modifier

    /// Creates a key from a key path.
    public init(_ keyPath: String, modifier: Condition.Comparison.Modifier = .direct) {
        self.keyPath = keyPath
        self.modifier = modifier
    }

    /// The same key, satisfied if at least one of its values satisfies the comparison.
    public var any: QueryKey { QueryKey(keyPath, modifier: .any) }

    /// The same key, satisfied if all of its values satisfy the comparison.
    public var all: QueryKey { QueryKey(keyPath, modifier: .all) }
}

extension String {
    /// Creates a key from a string: `%"name"`.
    public static prefix func % (name: String) -> QueryKey { QueryKey(name) }

    /// Creates a key from a string, before a modifier: `%"friends.age"%.any`.
    public static postfix func % (name: String) -> QueryKey { QueryKey(name) }
}

extension QueryKey {
    /// Returns the key itself, so that `%` may stand both before and after the name.
    public static prefix func % (key: QueryKey) -> QueryKey { key }
}
