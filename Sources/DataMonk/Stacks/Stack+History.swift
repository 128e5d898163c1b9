public import DataMonkCore

/// The history of the stores opened with `tracksHistory`, on a server with ``ServerStoreOptions/tracksHistory``: every
/// transaction and its author, other programs included.
extension Stack {
    /// Returns the transactions after a token, with their changes, or all transactions if there is no token.
    ///
    ///     let new = try stack.history(after: token)
    ///     token = new.last?.token ?? token
    ///
    /// - Throws: ``/DataMonkCore/StoreError`` with the code `historyTokenExpired` (134301) if the history no longer reaches
    ///   back to the token, the file was restored to a state before it, or a server has lost the token's commit; or
    ///   `unsupportedRequest` if no store keeps a history.
    /// - Complexity: Two `SELECT` statements for each store; on a server, one for each 10,000 transactions or changes.
    public func history(after token: HistoryToken? = nil) throws -> [HistoryTransaction] {
        try execute(.fetchHistory(after: token)).transactions
    }

    /// Deletes the transactions before a token's transaction, which itself is kept.
    ///
    /// - Returns: The number of deleted transactions.
    /// - Throws: ``/DataMonkCore/StoreError`` with the code `historyTokenExpired` if the file was restored to a state before
    ///   the token, or a server has lost its commit.
    @discardableResult
    public func deleteHistory(before token: HistoryToken) throws -> Int {
        try execute(.deleteHistory(before: token)).count
    }

    /// Returns the token of the most recent transaction, or `nil` if there is none.
    public func currentHistoryToken() throws -> HistoryToken? { try coordinator.currentHistoryToken() }

    /// Runs a request that fetches or deletes history.
    @discardableResult
    public func execute(_ request: HistoryRequest) throws -> HistoryResult { try coordinator.execute(request) }
}
