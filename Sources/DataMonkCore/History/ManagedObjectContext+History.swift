extension ManagedObjectContext {
    /// Fetches or purges the history of the stores: see ``PersistentStoreCoordinator/execute(_:)``.
    ///
    ///     for transaction in try context.execute(.fetchHistory(after: token)).transactions {
    ///         try context.mergeChanges(fromRemote: transaction.objectChangeNotice)
    ///     }
    @discardableResult
    public func execute(_ request: HistoryRequest) throws -> HistoryResult {
        requireOwner()
        return try coordinator.execute(request)
    }

    /// What the histories of stores are told of this context; nil if there is nothing to tell.
    var historySignature: HistorySignature? {
        if name == nil, transactionAuthor == nil { return nil }
        return HistorySignature(author: transactionAuthor, contextName: name)
    }
}
