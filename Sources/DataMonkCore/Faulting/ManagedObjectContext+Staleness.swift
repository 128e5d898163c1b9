extension ManagedObjectContext {
    /// How old a row may be that the row cache, which all contexts of a stack share, answers a fault with. Negative, as
    /// it is at first, for any age; zero for asking the store each time. A child's is its root's.
    ///
    /// The cache never holds back a commit: those of the same stack are in it at once, and it is emptied when a call that
    /// advances finds that another process has committed. The interval is for a program that writes into the file past
    /// SQLite, and for tests.
    ///
    ///     context.stalenessInterval = .zero
    ///     try context.refresh(monk, mergeChanges: false)      // the next touch reads the store
    public var stalenessInterval: Duration {
        get { root.maximumRowAge < 0 ? .seconds(-1) : .milliseconds(root.maximumRowAge) }
        set {
            if newValue < .zero {
                root.maximumRowAge = -1
            } else if newValue == .zero {
                root.maximumRowAge = 0
            } else {
                // More than centuries would not fit.
                root.maximumRowAge = Int64(min(max(newValue / .milliseconds(1), 1), 1e15))
                coordinator.startClock()
            }
        }
    }

    /// What is known of a row without asking a store: by the nearest of a child's parents, by the row cache if it may be
    /// asked.
    func cachedRow(of key: ObjectKey) -> RowCache<Row>.Answer {
        if parent != nil {
            let inherited = inheritedRow(of: key)
            if case .unknown = inherited { return root.cachedRow(of: key) }
            return inherited
        }
        if key.isTemporary { return .deleted }
        beginToStand()
        if maximumRowAge < 0 { return coordinator.cachedRow(for: key, at: generation) }
        if maximumRowAge == 0 { return .unknown }
        return coordinator.cachedRow(for: key, at: generation, maximumAge: maximumRowAge)
    }

    /// Advances before something is read again, to what the store has now: the snapshot of this turn may be older.
    func advanceToReadAgain() throws {
        endTurn()
        try advance()
    }
}
