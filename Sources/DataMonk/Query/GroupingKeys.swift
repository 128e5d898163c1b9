/// **Value.** The keys by which a query groups its rows: one key, or several joined by `|`.
///
/// ```swift
/// groupBy: %"location"                    // GROUP BY ZLOCATION
/// groupBy: %"location" | %"friend.name"   // GROUP BY ZLOCATION, t1.ZNAME
/// ```
public protocol GroupingKeys: Sendable {
    /// The key paths, in order.
    var groupingKeyPaths: [String] { get }
}

extension QueryKey: GroupingKeys {
    /// The key's own path.
    public var groupingKeyPaths: [String] { [keyPath] }
}

/// **Value.** A list of keys: `%"name" | %"location"`.
public struct QueryKeys: GroupingKeys, Hashable {
    /// The keys, in order.
    public var keys: [QueryKey]

    /// Creates a list of keys.
    public init(_ keys: [QueryKey]) { self.keys = keys }

    /// The paths of the keys.
    public var groupingKeyPaths: [String] { keys.map(\.keyPath) }

    /// Appends a key to the list.
    public static func | (left: QueryKeys, right: QueryKey) -> QueryKeys { QueryKeys(left.keys + [right]) }
}

extension QueryKey {
    /// Joins two keys into a list.
    public static func | (left: QueryKey, right: QueryKey) -> QueryKeys { QueryKeys([left, right]) }
}
