/// **Value.** A named fetch request of a model: an entity, a condition with `$VARIABLES`, and options. Templates have no
/// order.
public struct FetchRequestTemplate: Sendable, Hashable {
    /// The type of a fetch's results. The raw values are Core Data's.
    public enum ResultType: Int, Sendable, Hashable {
        /// Managed objects.
        case managedObjects = 0
        /// The ids of objects.
        case objectIDs = 1
        /// Rows of values.
        case dictionaries = 2
        /// The number of objects.
        case count = 4
    }

    /// The template's name, unique in the model.
    public var name: String
    /// The name of the entity to fetch.
    public var entityName: String
    /// The condition in Core Data's format language, or `nil` for all objects.
    public var predicateFormat: String?
    /// The maximum number of results, or 0 for no limit.
    public var fetchLimit: Int
    /// The number of objects loaded at a time, or 0 to load all at once.
    public var fetchBatchSize: Int
    /// The type of the results.
    public var resultType: ResultType
    /// A Boolean value indicating whether the results include objects of sub-entities.
    public var includesSubentities: Bool
    /// A Boolean value indicating whether values are loaded together with the ids.
    public var includesPropertyValues: Bool
    /// A Boolean value indicating whether the results reflect the context's unsaved changes.
    public var includesPendingChanges: Bool
    /// A Boolean value indicating whether the objects may be faults.
    public var returnsObjectsAsFaults: Bool
    /// A Boolean value indicating whether duplicate rows are removed.
    public var returnsDistinctResults: Bool

    /// Creates a named fetch request. The options have Core Data's defaults.
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
