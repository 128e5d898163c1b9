public import DataMonkCore

/// **Value.** The keys by which rows are grouped, written with key paths: `.key(\.location) | .key(\.friend.name)`.
public struct TypedGrouping<Object: ManagedObject>: GroupingKeys {
    /// The key paths, in order.
    public let groupingKeyPaths: [String]

    private init(_ keyPaths: [String]) { groupingKeyPaths = keyPaths }

    /// A single key. `GROUP BY ZLOCATION`
    public static func key<Value, Result>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Result>>
    ) -> TypedGrouping {
        TypedGrouping([Object.path(key)])
    }

    /// Groups by the left keys, then by the right ones.
    public static func | (left: TypedGrouping, right: TypedGrouping) -> TypedGrouping {
        TypedGrouping(left.groupingKeyPaths + right.groupingKeyPaths)
    }
}
