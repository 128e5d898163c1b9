public import Foundation

/// **Value.** A request that fetches or deletes the history of a stack's stores.
///
///     let new = try context.execute(.fetchHistory(after: token)).transactions
///     try context.execute(.deleteHistory(before: token))
///
/// Only stores added with `tracksHistory` keep a history.
public struct HistoryRequest: Sendable {
    /// **Value.** The kind of a fetch's result.
    public enum ResultType: Sendable, Hashable {
        /// Transactions with their changes.
        case transactionsAndChanges
        /// Transactions without their changes.
        case transactions
        /// Changes without their transactions.
        case changes
        /// The ids of the changed objects, without duplicates.
        case objectIDs
        /// The number of transactions or, for a request for changes, the number of changes.
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
    /// The kind of the fetch's result. A request for changes returns changes whatever the value, except for ids and counts.
    public var resultType = ResultType.transactionsAndChanges
    /// A condition on the transactions or changes to fetch, and their maximum number.
    ///
    /// The entity is `Transaction` (`author`, `contextName`, `bundleID`, `processID`, `timestamp`, `transactionNumber`,
    /// `changes`) or `Change` (`changeID`, `changeType` as 0, 1 or 2, `entityName`, `objectURI`, `transaction`). The results
    /// are in the order of writing; a request with sort terms is refused.
    public var fetchRequest: FetchRequest?

    private init(_ work: Work) { self.work = work }

    /// Fetches the history after a token, or all of it if there is no token.
    public static func fetchHistory(after token: HistoryToken?) -> HistoryRequest {
        HistoryRequest(.fetch(after: token.map(Place.token) ?? .start))
    }

    /// Fetches the history after a transaction.
    public static func fetchHistory(after transaction: HistoryTransaction) -> HistoryRequest {
        fetchHistory(after: transaction.token)
    }

    /// Fetches the history after a date.
    public static func fetchHistory(after date: Date) -> HistoryRequest { HistoryRequest(.fetch(after: .date(date))) }

    /// Fetches the transactions or changes that match a fetch request.
    public static func fetchHistory(matching fetchRequest: FetchRequest) -> HistoryRequest {
        var request = HistoryRequest(.fetch(after: .start))
        request.fetchRequest = fetchRequest
        return request
    }

    /// Deletes the history before a token's transaction, which itself is kept.
    public static func deleteHistory(before token: HistoryToken) -> HistoryRequest {
        HistoryRequest(.delete(before: .token(token)))
    }

    /// Deletes the history before a transaction, which itself is kept.
    public static func deleteHistory(before transaction: HistoryTransaction) -> HistoryRequest {
        deleteHistory(before: transaction.token)
    }

    /// Deletes the history before a date.
    public static func deleteHistory(before date: Date) -> HistoryRequest {
        HistoryRequest(.delete(before: .date(date)))
    }
}
