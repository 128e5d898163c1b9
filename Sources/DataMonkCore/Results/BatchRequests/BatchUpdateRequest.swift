public import Foundation

/// **Value.** A request that changes the same properties of many objects in one statement, without reading them.
///
///     var request = BatchUpdateRequest(entityName: "Person", propertiesToUpdate: ["age": .keyPath("age") + 1])
///     request.condition = .compare("location", .equal, "Taipei")
///     let result = try context.execute(request)
///     // UPDATE ZPERSON AS t0 SET Z_OPT = Z_OPT + 1, ZAGE = … WHERE Z_PK IN (SELECT t0.Z_PK FROM ZPERSON t0 WHERE …)
///
/// Constants are validated as in a save before anything is written, and the results of expressions afterwards: a `nil` or
/// another value that the model does not allow rolls the whole request back. Versions increase, so unsaved changes of these
/// objects lead to a conflict.
public struct BatchUpdateRequest: Sendable, Hashable {
    /// The name of the entity whose objects are changed.
    public var entityName: String
    /// The condition that the objects must satisfy, or `nil` for all objects.
    public var condition: Condition?
    /// A Boolean value indicating whether objects of sub-entities are changed too.
    public var includesSubentities = true
    /// The new values: constants (including literals), the ids of objects for to-ones, or expressions over the values of the
    /// object and of those it is related to, as they were before the update.
    public var propertiesToUpdate: [String: ConditionExpression]
    /// The stores that the request is for: their locations, with `nil` for the store in memory. `nil` stands for all stores
    /// that hold the entity. An empty list, and a store that the stack lacks or that does not hold the entity, are errors.
    ///
    ///     request.affectedStores = [archiveURL]
    public var affectedStores: [URL?]?
    /// The result to return.
    public var resultType = BatchResult.ResultType.count

    /// Creates an update of an entity's objects.
    public init(
        entityName: String, condition: Condition? = nil, propertiesToUpdate: [String: ConditionExpression] = [:]
    ) {
        self.entityName = entityName
        self.condition = condition
        self.propertiesToUpdate = propertiesToUpdate
    }
}
