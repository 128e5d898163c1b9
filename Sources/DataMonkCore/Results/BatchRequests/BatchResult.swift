/// **Value.** The result of a batch request.
public struct BatchResult: Sendable, Hashable {
    /// **Value.** The kind of result that a batch request returns.
    public enum ResultType: Sendable, Hashable {
        /// The number of objects.
        case count
        /// The number and the ids of the objects.
        case objectIDs
    }

    /// **Value.** The outcome of a batch insert that updates duplicates.
    public struct Upsert: Sendable, Hashable {
        /// The number of objects that were inserted.
        public let insertedCount: Int
        /// The number of stored objects that were changed.
        public let updatedCount: Int
        /// The number of stored objects that had all the values already, and were not written.
        public let unchangedCount: Int
        /// The ids of the inserted objects, if requested.
        public let insertedIDs: [AnyObjectID]?
        /// The ids of the changed objects, if requested.
        public let updatedIDs: [AnyObjectID]?

        /// The outcome of no objects.
        package init() {
            (insertedCount, updatedCount, unchangedCount, insertedIDs, updatedIDs) = (0, 0, 0, [], [])
        }
    }

    /// The number of inserted, updated or deleted objects of the request's entity, including objects that delete rules
    /// deleted.
    public let count: Int
    /// The ids of the objects, if requested.
    public let objectIDs: [AnyObjectID]?
    /// The inserted and the updated objects apart, of a batch insert that updates duplicates; `nil` for other requests.
    public internal(set) var upsert: Upsert?
}
