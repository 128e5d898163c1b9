extension PersistentStoreCoordinator {
    /// Empties the logs of all stores, between two commits.
    ///
    /// - Throws: ``StoreError`` with the code `wouldDeadlock` inside a commit; otherwise the error of the first store whose log
    ///   could not be moved, after the others.
    package func checkpointStores() throws {
        try queue.commitAlone {
            var first: (any Error)?
            for store in stores {
                do { try store.checkpoint() } catch { first = first ?? error }
            }
            if let first { throw first }
        }
    }
}
