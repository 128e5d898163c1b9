public import DataMonkCore

/// **Value.** How a query is run, beside its condition and order.
///
/// ```swift
/// try World.fetchAll(Person.self, options: .Limit(100) | .Offset(20))
/// // SELECT … LIMIT 100 OFFSET 20
/// ```
/// Of two options that say the same thing differently the later one counts.
public struct QueryOptions: Sendable {
    private var changes: [@Sendable (inout FetchRequest) -> Void]

    private init(_ change: @escaping @Sendable (inout FetchRequest) -> Void) { changes = [change] }

    /// Both options.
    public static func | (left: QueryOptions, right: QueryOptions) -> QueryOptions {
        var joined = left
        joined.changes += right.changes
        return joined
    }

    /// Changes a request as the options say, in their order.
    package func apply(to request: inout FetchRequest) {
        for change in changes { change(&request) }
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension QueryOptions {
    /// Leaves objects of sub-entities out. `WHERE Z_ENT = ?`
    public static var NoSubEntities: QueryOptions { QueryOptions { $0.includesSubentities = false } }

    /// Leaves unsaved changes out: what the results are is up to the store alone. Values stay the context's.
    public static var NoPendingChanges: QueryOptions { QueryOptions { $0.includesPendingChanges = false } }

    /// Loads ids alone; an object's values are read when they are first asked for. `SELECT Z_PK`
    public static var NoPropertyValues: QueryOptions { QueryOptions { $0.includesPropertyValues = false } }

    /// At most so many results, 0 for no limit. `LIMIT ?`
    public static func Limit(_ count: Int) -> QueryOptions { QueryOptions { $0.fetchLimit = count } }

    /// Leaves out so many results at the start. `OFFSET ?`
    public static func Offset(_ count: Int) -> QueryOptions { QueryOptions { $0.fetchOffset = count } }

    /// Loads so many objects at a time: ids first, and the objects are faults that are read so many together, when one of
    /// them is touched (500 at most). `SELECT Z_PK …`, then `SELECT … WHERE Z_PK IN …` for each batch. `fetchBatched` drops
    /// far batches too.
    public static func Batch(_ size: Int) -> QueryOptions { QueryOptions { $0.fetchBatchSize = size } }

    /// Loads the objects that some relationships lead to along: one more SELECT for each relationship.
    public static func Prefetch(_ keyPaths: [String]) -> QueryOptions {
        QueryOptions { $0.relationshipKeyPathsForPrefetching = keyPaths }
    }

    /// Loads these attributes and to-ones alone: objects are faults that know them, and the first access to another property
    /// reads the rest. `SELECT Z_PK, Z_OPT, ZNAME` A query for rows of values has columns of its own and ignores this.
    public static func PropertiesOnly(_ names: [String]) -> QueryOptions {
        QueryOptions { request in
            if request.resultType != .dictionaries { request.propertiesToFetch = names.map { .init($0) } }
        }
    }

    /// Gives equal rows of values once. `SELECT DISTINCT`
    public static var Distinct: QueryOptions { QueryOptions { $0.returnsDistinctResults = true } }

    /// Ends the fetch with an error when it takes longer. The cancellation of its task ends any fetch.
    public static func Deadline(_ duration: Duration) -> QueryOptions { QueryOptions { $0.deadline = duration } }

    /// Changes the request in any other way.
    public static func Tweak(_ change: @escaping @Sendable (inout FetchRequest) -> Void) -> QueryOptions {
        QueryOptions(change)
    }
}
