extension ManagedObjectContext {
    /// Fetches or deletes the history of the stores; see ``PersistentStoreCoordinator/execute(_:)``.
    ///
    ///     for transaction in try context.execute(.fetchHistory(after: token)).transactions {
    ///         try context.mergeChanges(fromRemote: transaction.objectChangeNotice)
    ///     }
    @discardableResult
    public func execute(_ request: HistoryRequest) throws -> HistoryResult {
        requireOwner()
        return try coordinator.execute(request)
    }

    /// The author and the name of this context for the stores' histories; `nil` if it has neither.
    var historySignature: HistorySignature? {
        if name == nil, transactionAuthor == nil { return nil }
        return HistorySignature(author: transactionAuthor, contextName: name)
    }
}
