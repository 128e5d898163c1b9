public import Foundation

/// **Value.** One save or batch request, as a store's history has it.
public struct HistoryTransaction: Hashable, Sendable {
    /// The transaction's number, which counts up in its store.
    public let transactionNumber: Int64
    /// The store that it is of.
    public let storeIdentifier: UUID
    /// When it was written.
    public let timestamp: Date
    /// Who wrote it, as the context was told.
    public let author: String?
    /// The name of the context that wrote it.
    public let contextName: String?
    /// The bundle of the program that wrote it.
    public let bundleID: String?
    /// The name of the program that wrote it.
    public let processID: String?
    /// What it changed; empty where changes were not asked for.
    public let changes: [HistoryChange]

    /// The place behind this transaction, in its store.
    public var token: HistoryToken { HistoryToken([storeIdentifier: transactionNumber]) }

    /// The changes, to be merged into a context of another stack's process:
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
