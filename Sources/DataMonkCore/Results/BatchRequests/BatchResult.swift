/// **Value.** The result of a batch request.
public struct BatchResult: Sendable, Hashable {
    /// **Value.** The kind of result that a batch request returns.
    public enum ResultType: Sendable, Hashable {
        /// The number of objects.
        case count
        /// The number and the ids of the objects.
        case objectIDs
    }

    /// The number of inserted, updated or deleted objects of the request's entity, including objects that delete rules
    /// deleted.
    public let count: Int
    /// The ids of the objects, if requested.
    public let objectIDs: [AnyObjectID]?
}
