/// **Value.** Deletes many objects in one transaction, without reading them.
///
///     var doomed = FetchRequest(entityName: "Person", condition: .compare("age", .greaterThan, 100))
///     doomed.includesSubentities = false
///     let result = try context.execute(BatchDeleteRequest(fetchRequest: doomed))
///
/// Delete rules hold as far as the store can see to them: cascade takes the destinations along, nullify empties the other
/// side of a one-to-many or one-to-one, deny refuses. Where nullify would empty a mandatory to-one, the request is refused.
/// No code of the objects' class runs.
public struct BatchDeleteRequest: Sendable {
    enum Subject: Sendable {
        case fetch(FetchRequest)
        case objectIDs([AnyObjectID])
    }

    let subject: Subject
    /// What is to be known afterwards.
    public var resultType = BatchResult.ResultType.count

    /// Deletes the objects of a fetch; its condition, order, limit and offset count. Unsaved changes do not.
    public init(fetchRequest: FetchRequest) { subject = .fetch(fetchRequest) }

    /// Deletes the objects with some ids. Those that are gone already are passed over.
    public init(objectIDs: [AnyObjectID]) { subject = .objectIDs(objectIDs) }
}
