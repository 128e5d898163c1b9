public import DataMonkCore

/// The history of the stores that keep one (`tracksHistory`): what was written, by whom, also by other programs.
extension Stack {
    /// The transactions after a token, with their changes; all of them without one.
    ///
    ///     let new = try stack.history(after: token)
    ///     token = new.last?.token ?? token
    ///
    /// - Throws: ``StoreError`` with the code `historyTokenExpired` (134301) for a token that the history does not reach
    ///   back to, `unsupportedRequest` if no store keeps a history.
    /// - Complexity: two SELECTs a store.
    public func history(after token: HistoryToken? = nil) throws -> [HistoryTransaction] {
        try execute(.fetchHistory(after: token)).transactions
    }

    /// Forgets what was written before a token's transaction, which itself stays.
    ///
    /// - Returns: how many transactions went.
    @discardableResult
    public func deleteHistory(before token: HistoryToken) throws -> Int {
        try execute(.deleteHistory(before: token)).count
    }

    /// The place behind everything that was written until now; nil if nothing was.
    public func currentHistoryToken() throws -> HistoryToken? { try coordinator.currentHistoryToken() }

    /// Fetches or purges history.
    @discardableResult
    public func execute(_ request: HistoryRequest) throws -> HistoryResult { try coordinator.execute(request) }
}
