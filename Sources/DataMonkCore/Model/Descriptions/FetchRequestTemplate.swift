/// **Value.** A fetch that the model names: an entity, a condition with `$VARIABLES`, and options. Templates carry no order.
public struct FetchRequestTemplate: Sendable, Hashable {
    /// What a result of the fetch is. Raw values are Core Data's.
    public enum ResultType: Int, Sendable, Hashable {
        /// Managed objects.
        case managedObjects = 0
        /// Ids of objects.
        case objectIDs = 1
        /// Rows of values.
        case dictionaries = 2
        /// The number of objects.
        case count = 4
    }

    /// The template's name, unique in the model.
    public var name: String
    /// The entity that is fetched.
    public var entityName: String
    /// The condition in Core Data's format language, nil for all objects.
    public var predicateFormat: String?
    /// The largest number of results, 0 for no limit.
    public var fetchLimit: Int
    /// How many objects are loaded at a time, 0 for all.
    public var fetchBatchSize: Int
    /// What the results are.
    public var resultType: ResultType
    /// Whether objects of sub-entities are results too.
    public var includesSubentities: Bool
    /// Whether values are loaded together with the ids.
    public var includesPropertyValues: Bool
    /// Whether unsaved changes of the context take part.
    public var includesPendingChanges: Bool
    /// Whether objects may come as faults.
    public var returnsObjectsAsFaults: Bool
    /// Whether equal rows are given once.
    public var returnsDistinctResults: Bool

    /// Describes a named fetch. The options have Core Data's defaults.
    public init(
        _ name: String, entityName: String, predicateFormat: String? = nil, fetchLimit: Int = 0,
        fetchBatchSize: Int = 0,
        resultType: ResultType = .managedObjects, includesSubentities: Bool = true, includesPropertyValues: Bool = true,
        includesPendingChanges: Bool = true, returnsObjectsAsFaults: Bool = true, returnsDistinctResults: Bool = false
    ) {
        self.name = name
        self.entityName = entityName
        self.predicateFormat = predicateFormat
        self.fetchLimit = fetchLimit
        self.fetchBatchSize = fetchBatchSize
        self.resultType = resultType
        self.includesSubentities = includesSubentities
        self.includesPropertyValues = includesPropertyValues
        self.includesPendingChanges = includesPendingChanges
        self.returnsObjectsAsFaults = returnsObjectsAsFaults
        self.returnsDistinctResults = returnsDistinctResults
    }
}
