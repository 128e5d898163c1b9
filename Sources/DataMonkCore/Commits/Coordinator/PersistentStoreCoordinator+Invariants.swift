extension PersistentStoreCoordinator {
    /// Checks the invariants of the ledger, the notices and the row cache. Examines everything; for tests.
    package func checkInvariants() throws(InvariantViolation) {
        try shared.withLock { shared throws(InvariantViolation) in
            try shared.ledger.checkInvariants()
            try shared.rows.checkInvariants()
        }
        try notices.checkInvariants()
    }

    /// The memory that the row cache keeps, and the number of its rows; for tests.
    package var rowCacheUse: (bytes: Int, rows: Int) {
        shared.withLock { ($0.rows.keptBytes, $0.rows.count) }
    }
}
