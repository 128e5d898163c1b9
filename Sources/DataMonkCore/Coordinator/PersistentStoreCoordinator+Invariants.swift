extension PersistentStoreCoordinator {
    /// Checks the invariants of the ledger and of the row cache. Looks at everything: for tests.
    package func checkInvariants() throws(InvariantViolation) {
        try shared.withLock { shared throws(InvariantViolation) in
            try shared.ledger.checkInvariants()
            try shared.rows.checkInvariants()
        }
    }
}
