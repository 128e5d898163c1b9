public import Foundation

/// **Value.** Asks for the history of a stack's stores, or purges it.
///
///     let new = try context.execute(.fetchHistory(after: token)).transactions
///     try context.execute(.deleteHistory(before: token))
///
/// Only stores that keep a history have one: `tracksHistory` when they are added.
public struct HistoryRequest: Sendable {
    /// **Value.** What the answer to a fetch is.
    public enum ResultType: Sendable, Hashable {
        /// Transactions with their changes.
        case transactionsAndChanges
        /// Transactions alone.
        case transactions
        /// Changes alone.
        case changes
        /// The ids of the objects that were changed, each once.
        case objectIDs
        /// How many transactions there are; of a request for changes, how many changes.
        case count
    }

    enum Place: Sendable {
        case start
        case token(HistoryToken)
        case date(Date)
    }

    enum Work: Sendable {
        case fetch(after: Place)
        case delete(before: Place)
    }

    let work: Work
    /// What the answer to a fetch is. With a request for changes it is changes, whatever stands here but ids and counts.
    public var resultType = ResultType.transactionsAndChanges
    /// What the transactions or the changes of a fetch have in common, and how many are wanted.
    ///
    /// The entity is `Transaction` (`author`, `contextName`, `bundleID`, `processID`, `timestamp`, `transactionNumber`,
    /// `changes`) or `Change` (`changeID`, `changeType` as 0, 1 or 2, `entityName`, `objectURI`, `transaction`). Their order
    /// is the order of writing: a request with sort terms is refused.
    public var fetchRequest: FetchRequest?

    private init(_ work: Work) { self.work = work }

    /// What was written after a token; everything there is without one.
    public static func fetchHistory(after token: HistoryToken?) -> HistoryRequest {
        HistoryRequest(.fetch(after: token.map(Place.token) ?? .start))
    }

    /// What was written after a transaction.
    public static func fetchHistory(after transaction: HistoryTransaction) -> HistoryRequest {
        fetchHistory(after: transaction.token)
    }

    /// What was written after a moment.
    public static func fetchHistory(after date: Date) -> HistoryRequest { HistoryRequest(.fetch(after: .date(date))) }

    /// The transactions, or the changes, that a fetch describes.
    public static func fetchHistory(matching fetchRequest: FetchRequest) -> HistoryRequest {
        var request = HistoryRequest(.fetch(after: .start))
        request.fetchRequest = fetchRequest
        return request
    }

    /// Forgets what was written before a token's transaction, which itself stays.
    public static func deleteHistory(before token: HistoryToken) -> HistoryRequest {
        HistoryRequest(.delete(before: .token(token)))
    }

    /// Forgets what was written before a transaction, which itself stays.
    public static func deleteHistory(before transaction: HistoryTransaction) -> HistoryRequest {
        deleteHistory(before: transaction.token)
    }

    /// Forgets what was written before a moment.
    public static func deleteHistory(before date: Date) -> HistoryRequest {
        HistoryRequest(.delete(before: .date(date)))
    }
}
