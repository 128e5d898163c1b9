public import Foundation

/// **Value.** One save or batch request, as recorded in a store's history.
public struct HistoryTransaction: Hashable, Sendable {
    /// The number of the transaction, ascending within its store.
    public let transactionNumber: Int64
    /// The identifier of the transaction's store.
    public let storeIdentifier: UUID
    /// The time of the transaction.
    public let timestamp: Date
    /// The author set on the context that wrote it.
    public let author: String?
    /// The name of the context that wrote it.
    public let contextName: String?
    /// The bundle of the program that wrote it.
    public let bundleID: String?
    /// The name of the program that wrote it.
    public let processID: String?
    /// The changes; empty if they were not requested.
    public let changes: [HistoryChange]
    /// The identifier that distinguishes the transaction from one that its store has lost; see ``HistoryPosition``.
    var identifier: UUID?

    /// The position after this transaction, in its store.
    public var token: HistoryToken {
        HistoryToken([storeIdentifier: HistoryPosition(number: transactionNumber, identifier: identifier)])
    }

    /// The changes, for merging into a context of another process:
    ///
    ///     for transaction in try context.execute(.fetchHistory(after: token)).transactions {
    ///         try context.mergeChanges(fromRemote: transaction.objectChangeNotice)
    ///     }
    public var objectChangeNotice: ObjectChangeNotice {
        func ids(_ type: HistoryChange.ChangeType) -> [AnyObjectID] {
            changes.filter { $0.changeType == type }.map(\.changedObjectID)
        }
        return ObjectChangeNotice(inserted: ids(.insert), updated: ids(.update), deleted: ids(.delete))
    }
}
