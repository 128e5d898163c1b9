/// **Value.** The result of a ``HistoryRequest``. Only the properties for its result type are set.
public struct HistoryResult: Sendable, Hashable {
    /// The transactions, in the order of writing, store by store.
    public internal(set) var transactions: [HistoryTransaction] = []
    /// The changes, in the order of writing.
    public internal(set) var changes: [HistoryChange] = []
    /// The ids of the changed objects.
    public internal(set) var objectIDs: [AnyObjectID] = []
    /// The number of transactions, changes or ids; for a deletion, the number of deleted transactions.
    public internal(set) var count = 0
}
