/// **Value.** The answer to a ``HistoryRequest``: what its result type says, and nothing else.
public struct HistoryResult: Sendable, Hashable {
    /// The transactions, in the order of writing; those of one store after those of another.
    public internal(set) var transactions: [HistoryTransaction] = []
    /// The changes, in the order of writing.
    public internal(set) var changes: [HistoryChange] = []
    /// The objects that were changed.
    public internal(set) var objectIDs: [AnyObjectID] = []
    /// How many transactions, changes or ids there are; of a deletion, how many transactions went.
    public internal(set) var count = 0
}
