/// **Value.** A description of a fetch: an entity, a condition, an order, and limits. Every query is executed in this form.
///
/// ```swift
/// var request = FetchRequest(entityName: "Person")
/// request.condition = .compare("age", .greaterThanOrEqual, 18)
/// request.sortTerms = [SortTerm("name")]
/// request.fetchLimit = 100
/// ```
/// The defaults are Core Data's.
public struct FetchRequest: Sendable, Hashable {
    /// The type of a fetch's results.
    public typealias ResultType = FetchRequestTemplate.ResultType

    /// The name of the entity to fetch.
    public var entityName: String
    /// The condition that the objects must satisfy, or `nil` for all objects.
    public var condition: Condition?
    /// The sort terms, most significant first. Without terms the store decides on the order.
    public var sortTerms: [SortTerm] = []
    /// The maximum number of results, or 0 for no limit.
    public var fetchLimit = 0
    /// The number of results to skip at the start.
    public var fetchOffset = 0
    /// The number of objects loaded at a time, or 0 to load all at once. With a batch size, the fetch reads only ids, and
    /// the objects are faults that are fulfilled in batches. For results that do not fit in memory, see ``BatchedArray``.
    public var fetchBatchSize = 0
    /// A Boolean value indicating whether the results include objects of sub-entities.
    public var includesSubentities = true
    /// A Boolean value indicating whether the results reflect the context's unsaved changes.
    public var includesPendingChanges = true
    /// A Boolean value indicating whether values are loaded together with the ids. If `false`, the objects are faults.
    public var includesPropertyValues = true
    /// A Boolean value indicating whether the objects may be faults. If `false`, each object is loaded completely,
    /// regardless of ``includesPropertyValues``, ``fetchBatchSize`` and ``propertiesToFetch``.
    public var returnsObjectsAsFaults = true
    /// A Boolean value indicating whether objects that the context already knows take the store's current values; their
    /// unsaved values stay. This matters if others write to the store: commits of contexts of the same stack are merged
    /// without it.
    public var shouldRefreshRefetchedObjects = false
    /// A Boolean value indicating whether duplicate rows of values are removed.
    public var returnsDistinctResults = false
    /// The relationships whose objects are loaded with the results, each as a path of names.
    public var relationshipKeyPathsForPrefetching: [String] = []
    /// The properties to load. For objects, these are attributes and to-ones, or all if the array is empty: the objects are
    /// faults that know these values, and the first access to another property reads the rest. For rows of values, these
    /// are the columns of each row.
    public var propertiesToFetch: [Selection] = []
    /// The properties by which rows of values are grouped, each as a path of names.
    public var propertiesToGroupBy: [String] = []
    /// The condition that the groups in the result must satisfy. Its keys are names of selections, or of properties in
    /// ``propertiesToGroupBy``; it may contain aggregates of each group's objects, such as `@count` and `sum:(age)`.
    public var havingCondition: Condition?
    /// The type of the results. Each type has its own method, which refuses requests for another type: `fetch`, `values`,
    /// `objectIDs`. `count` accepts every type. Core Data returns all of them from one method, as `[Any]`; here the compiler
    /// knows the type of each.
    public var resultType: ResultType = .managedObjects
    /// The maximum duration of the fetch, or `nil` for no limit.
    public var deadline: Duration?

    /// Creates a request for an entity's objects.
    public init(entityName: String, condition: Condition? = nil) {
        self.entityName = entityName
        self.condition = condition
    }
}

extension FetchRequest {
    /// Throws if the request asks for another type of result than a method returns. Every method accepts `.managedObjects`,
    /// which is the default.
    func requireResultType(_ type: ResultType) throws(FetchError) {
        if resultType == type || resultType == .managedObjects { return }
        let (results, call) =
            switch resultType {
            case .managedObjects: ("objects", "fetch(_:)")
            case .objectIDs: ("ids", "objectIDs(_:)")
            case .dictionaries: ("rows of values", "values(_:)")
            case .count: ("a number", "count(_:)")
            }
        throw FetchError(
            .invalidRequest,
            """
            The request's result type asks for \(results), which this call does not return. Pass the request to \
            \(call).
            """,
            entityName: entityName)
    }
}
