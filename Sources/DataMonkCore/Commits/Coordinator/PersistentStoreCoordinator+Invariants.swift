extension PersistentStoreCoordinator {
    /// Checks the invariants of the ledger, the notices and the row cache. Examines everything; for tests.
    package func checkInvariants() throws(InvariantViolation) {
        try shared.withLock { shared throws(InvariantViolation) in try shared.ledger.checkInvariants() }
        try rows.withLock { rows throws(InvariantViolation) in try rows.cache.checkInvariants() }
        try notices.checkInvariants()
    }

    /// The memory that the row cache keeps, and the number of its rows; for tests.
    package var rowCacheUse: (bytes: Int, rows: Int) {
        rows.withLock { ($0.cache.keptBytes, $0.cache.count) }
    }
}
