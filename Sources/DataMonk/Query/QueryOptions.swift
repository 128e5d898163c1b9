public import DataMonkCore

/// **Value.** Options of a query beside its condition and order.
///
/// ```swift
/// try World.fetchAll(Person.self, options: .Limit(100) | .Offset(20))
/// // SELECT … LIMIT 100 OFFSET 20
/// ```
/// If two options contradict each other, the later one wins.
public struct QueryOptions: Sendable {
    private var changes: [@Sendable (inout FetchRequest) -> Void]

    private init(_ change: @escaping @Sendable (inout FetchRequest) -> Void) { changes = [change] }

    /// Combines the options.
    public static func | (left: QueryOptions, right: QueryOptions) -> QueryOptions {
        var joined = left
        joined.changes += right.changes
        return joined
    }

    /// Applies the options to a request, in their order.
    package func apply(to request: inout FetchRequest) {
        for change in changes { change(&request) }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension QueryOptions {
    /// Excludes objects of sub-entities. `WHERE Z_ENT = ?`
    public static var NoSubEntities: QueryOptions { QueryOptions { $0.includesSubentities = false } }

    /// Ignores unsaved changes when selecting results: the store alone decides which objects match. Property values are
    /// still the context's.
    public static var NoPendingChanges: QueryOptions { QueryOptions { $0.includesPendingChanges = false } }

    /// Loads ids only. The values of an object are read when one of them is first accessed. `SELECT Z_PK`
    public static var NoPropertyValues: QueryOptions { QueryOptions { $0.includesPropertyValues = false } }

    /// Limits the number of results; 0 for no limit. `LIMIT ?`
    public static func Limit(_ count: Int) -> QueryOptions { QueryOptions { $0.fetchLimit = count } }

    /// Skips a number of results at the start. `OFFSET ?`
    public static func Offset(_ count: Int) -> QueryOptions { QueryOptions { $0.fetchOffset = count } }

    /// Loads objects in batches of the given size, 500 at most: first the ids, then, when a fault is accessed, the rows of
    /// its whole batch. `SELECT Z_PK …`, then `SELECT … WHERE Z_PK IN …` for each batch. `fetchBatched` also releases
    /// batches that are far from the current position.
    public static func Batch(_ size: Int) -> QueryOptions { QueryOptions { $0.fetchBatchSize = size } }

    /// Prefetches the destinations of relationships, with one additional `SELECT` for each relationship.
    public static func Prefetch(_ keyPaths: [String]) -> QueryOptions {
        QueryOptions { $0.relationshipKeyPathsForPrefetching = keyPaths }
    }

    /// Loads only these attributes and to-one relationships. The objects are faults that know these values; the first access
    /// to another property reads the rest. `SELECT Z_PK, Z_OPT, ZNAME` Ignored by a query for rows of values, which names
    /// its columns itself.
    public static func PropertiesOnly(_ names: [String]) -> QueryOptions {
        QueryOptions { request in
            if request.resultType != .dictionaries { request.propertiesToFetch = names.map { .init($0) } }
        }
    }

    /// Removes duplicate rows of values. `SELECT DISTINCT`
    public static var Distinct: QueryOptions { QueryOptions { $0.returnsDistinctResults = true } }

    /// Makes the fetch throw an error if it takes longer than a duration. Independently of this option, a fetch ends when
    /// its task is cancelled.
    public static func Deadline(_ duration: Duration) -> QueryOptions { QueryOptions { $0.deadline = duration } }

    /// Applies an arbitrary change to the request.
    public static func Tweak(_ change: @escaping @Sendable (inout FetchRequest) -> Void) -> QueryOptions {
        QueryOptions(change)
    }
}
