public import Foundation

/// **Value.** A request that deletes many objects in one transaction, without reading them.
///
///     var doomed = FetchRequest(entityName: "Person", condition: .compare("age", .greaterThan, 100))
///     doomed.includesSubentities = false
///     let result = try context.execute(BatchDeleteRequest(fetchRequest: doomed))
///
/// Delete rules apply as far as the store can carry them out: cascade deletes the destinations too, nullify clears the
/// other side of a one-to-many or one-to-one, and deny refuses the request. The request is also refused if nullify would
/// clear a mandatory to-one. No code of the objects' class runs.
public struct BatchDeleteRequest: Sendable {
    enum Subject: Sendable {
        case fetch(FetchRequest)
        case objectIDs([AnyObjectID])
    }

    let subject: Subject
    /// The stores that the request is for: their locations, with `nil` for the store in memory. `nil` stands for all stores
    /// that hold the entity. An empty list, and a store that the stack lacks or that does not hold the entity, are errors,
    /// as is an id of an object in another store.
    ///
    ///     request.affectedStores = [archiveURL]
    public var affectedStores: [URL?]?
    /// The result to return.
    public var resultType = BatchResult.ResultType.count

    /// Creates a request that deletes the objects of a fetch, considering its condition, order, limit and offset. Unsaved
    /// changes are ignored.
    public init(fetchRequest: FetchRequest) { subject = .fetch(fetchRequest) }

    /// Creates a request that deletes the objects with some ids. Objects that are already deleted are skipped.
    public init(objectIDs: [AnyObjectID]) { subject = .objectIDs(objectIDs) }
}
