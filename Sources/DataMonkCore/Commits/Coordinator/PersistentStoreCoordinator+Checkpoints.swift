extension PersistentStoreCoordinator {
    /// Empties the logs of all stores, between two commits.
    ///
    /// - Throws: ``StoreError`` with the code `wouldDeadlock` inside a commit; otherwise the error of the first store whose log
    ///   could not be moved, after the others. Errors of further stores go to the error handler.
    package func checkpointStores() throws {
        try queue.commitAlone {
            try forEach(of: stores) { try $0.checkpoint() }
        }
    }

    /// Calls `body` with each store, whether it throws or not.
    ///
    /// - Throws: The first error. The others are reported to the error handler.
    func forEach(of stores: [any PersistentStore], _ body: (any PersistentStore) throws -> Void) throws {
        var first: (any Error)?
        for store in stores {
            do {
                try body(store)
            } catch {
                if first == nil { first = error } else { report(error) }
            }
        }
        if let first { throw first }
    }
}
