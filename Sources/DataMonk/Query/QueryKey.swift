public import DataMonkCore

/// Marks text as the name of a property, so that it is not mistaken for a value: `%"name"`.
prefix operator %
/// Marks text as the name of a property that a modifier follows: `%"friends.age"%.any`.
postfix operator %

/// **Value.** The name of a property, or a path of names, where a query expects one.
///
/// | | |
/// |---|---|
/// | `%"name"` | the key "name" |
/// | `%"friend.age"` | the path from an object over its friend to the friend's age |
/// | `%"friends.@count"` | how many friends; also `@sum`, `@avg`, `@min`, `@max`: `%"friends.@avg.age"` |
/// | `%"friends.age"%.any` | true if the comparison is true for at least one friend |
/// | `%"friends.age"%.all` | true if it is true for every friend |
/// | `%"self"` | the object itself |
public struct QueryKey: Sendable, Hashable {
    /// The path of names.
    public let keyPath: String
    /// How many values of a collection must satisfy a comparison.
    public let modifier: Condition.Comparison.Modifier

    /// A key of a path of names.
    public init(_ keyPath: String, modifier: Condition.Comparison.Modifier = .direct) {
        self.keyPath = keyPath
        self.modifier = modifier
    }

    /// The same key, true if at least one of its values satisfies the comparison.
    public var any: QueryKey { QueryKey(keyPath, modifier: .any) }

    /// The same key, true if every one of its values satisfies the comparison.
    public var all: QueryKey { QueryKey(keyPath, modifier: .all) }
}

extension String {
    /// The text as a key: `%"name"`.
    public static prefix func % (name: String) -> QueryKey { QueryKey(name) }

    /// The text as a key that a modifier follows: `%"friends.age"%.any`.
    public static postfix func % (name: String) -> QueryKey { QueryKey(name) }
}

extension QueryKey {
    /// The key itself: `%` stands before the name also where it stands behind it.
    public static prefix func % (key: QueryKey) -> QueryKey { key }
}
