/// **Value.** What to fetch: an entity, a condition, an order, and how much of it. The engine's form of every query.
///
/// ```swift
/// var request = FetchRequest(entityName: "Person")
/// request.condition = .compare("age", .greaterThanOrEqual, 18)
/// request.sortTerms = [SortTerm("name")]
/// request.fetchLimit = 100
/// ```
/// Defaults are Core Data's.
public struct FetchRequest: Sendable, Hashable {
    /// What the results of a fetch are.
    public typealias ResultType = FetchRequestTemplate.ResultType

    /// The entity whose objects are fetched.
    public var entityName: String
    /// What the objects have in common; nil for all of them.
    public var condition: Condition?
    /// What the results are sorted by, the most significant term first. Without terms the order is the store's.
    public var sortTerms: [SortTerm] = []
    /// The largest number of results, 0 for no limit.
    public var fetchLimit = 0
    /// How many results at the start are left out.
    public var fetchOffset = 0
    /// How many objects are loaded at a time, 0 for all at once: the fetch asks for ids alone, and objects are faults that
    /// are read so many together. See ``BatchedArray`` for results that do not fit into memory.
    public var fetchBatchSize = 0
    /// Whether objects of sub-entities are results too.
    public var includesSubentities = true
    /// Whether unsaved changes of the context take part.
    public var includesPendingChanges = true
    /// Whether values are loaded together with the ids. If not, objects come as faults.
    public var includesPropertyValues = true
    /// Whether objects may come as faults. If not, everything of each object is loaded, whatever
    /// ``includesPropertyValues``, ``fetchBatchSize`` and ``propertiesToFetch`` say.
    public var returnsObjectsAsFaults = true
    /// Whether objects that the context knows take over what the store has now; their unsaved values stay. It matters
    /// where others write to the store: what contexts of the same stack commit arrives by itself.
    public var shouldRefreshRefetchedObjects = false
    /// Whether equal rows of values are given once.
    public var returnsDistinctResults = false
    /// Relationships whose objects are loaded along, each as a path of names.
    public var relationshipKeyPathsForPrefetching: [String] = []
    /// For objects the attributes and to-ones to load, none for all: objects are faults that know these values, and the
    /// first access to another one reads the rest. For rows of values what each row holds.
    public var propertiesToFetch: [Selection] = []
    /// What rows of values are grouped by, each as a path of names.
    public var propertiesToGroupBy: [String] = []
    /// What the groups in the result have in common. Its keys are names of selections, or of what is grouped by.
    public var havingCondition: Condition?
    /// What the results are. Each kind has a call of its own, which refuses requests for another: `fetch`, `values`,
    /// `objectIDs`. `count` takes them all.
    public var resultType: ResultType = .managedObjects
    /// How long the fetch may take; nil for as long as it takes.
    public var deadline: Duration?

    /// A fetch of an entity's objects.
    public init(entityName: String, condition: Condition? = nil) {
        self.entityName = entityName
        self.condition = condition
    }
}

extension FetchRequest {
    /// Throws for a request whose results are of another type than a call gives. Every call takes `.managedObjects`, which
    /// is what a request says that was told nothing.
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
            "The request's result type asks for \(results), which this call does not give. Pass the request to \(call).",
            entityName: entityName)
    }
}
