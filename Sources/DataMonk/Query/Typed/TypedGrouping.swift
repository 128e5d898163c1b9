public import DataMonkCore

/// **Value.** What rows of values are grouped by, written with key paths: `.key(\.location) | .key(\.friend.name)`.
public struct TypedGrouping<Object: ManagedObject>: GroupingKeys {
    /// The key paths, in order.
    public let groupingKeyPaths: [String]

    private init(_ keyPaths: [String]) { groupingKeyPaths = keyPaths }

    /// A key. `GROUP BY ZLOCATION`
    public static func key<Value, Result>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Result>>
    ) -> TypedGrouping {
        TypedGrouping([Object.path(key)])
    }

    /// The first key, then the second.
    public static func | (left: TypedGrouping, right: TypedGrouping) -> TypedGrouping {
        TypedGrouping(left.groupingKeyPaths + right.groupingKeyPaths)
    }
}
