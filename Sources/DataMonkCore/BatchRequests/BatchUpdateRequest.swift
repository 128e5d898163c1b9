/// **Value.** Changes the same properties of many objects in one statement, without reading them.
///
///     var request = BatchUpdateRequest(entityName: "Person", propertiesToUpdate: ["age": .keyPath("age") + 1])
///     request.condition = .compare("location", .equal, "Taipei")
///     let result = try context.execute(request)
///     // UPDATE ZPERSON AS t0 SET Z_OPT = Z_OPT + 1, ZAGE = … WHERE Z_PK IN (SELECT t0.Z_PK FROM ZPERSON t0 WHERE …)
///
/// Constants are checked as a save checks them before anything is written, and what expressions give after it: nil or a
/// value that the model does not allow takes the whole request back. Versions go up, so whoever has unsaved changes of
/// these objects meets a conflict.
public struct BatchUpdateRequest: Sendable, Hashable {
    /// The entity whose objects are changed.
    public var entityName: String
    /// What the objects have in common; nil for all of them.
    public var condition: Condition?
    /// Whether objects of sub-entities are changed too.
    public var includesSubentities = true
    /// What is set: constants (literals work), the ids of objects for to-ones, or expressions over the object's own
    /// attributes as they are before.
    public var propertiesToUpdate: [String: ConditionExpression]
    /// What is to be known afterwards.
    public var resultType = BatchResult.ResultType.count

    /// Describes an update of an entity's objects.
    public init(
        entityName: String, condition: Condition? = nil, propertiesToUpdate: [String: ConditionExpression] = [:]
    ) {
        self.entityName = entityName
        self.condition = condition
        self.propertiesToUpdate = propertiesToUpdate
    }
}
