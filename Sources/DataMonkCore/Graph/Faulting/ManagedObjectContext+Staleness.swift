extension ManagedObjectContext {
    /// The maximum age of a row that the row cache, which all contexts of a stack share, may return for a fault.
    /// Negative, the default, for any age; zero to read from the store each time. A child uses its root's value.
    ///
    /// The cache never hides a commit: commits of the same stack are added to it at once, and it is emptied when a call
    /// that advances detects a commit by another process. The interval is for files that another program writes to
    /// without SQLite, and for tests.
    ///
    ///     context.stalenessInterval = .zero
    ///     try context.refresh(monk, mergeChanges: false)      // the next access reads the store
    public var stalenessInterval: Duration {
        get { root.maximumRowAge < 0 ? .seconds(-1) : .milliseconds(root.maximumRowAge) }
        set {
            if newValue < .zero {
                root.maximumRowAge = -1
            } else if newValue == .zero {
                root.maximumRowAge = 0
            } else {
                // Larger values than centuries would not fit.
                root.maximumRowAge = Int64(min(max(newValue / .milliseconds(1), 1), 1e15))
                coordinator.startClock()
            }
        }
    }

    /// Returns the knowledge of a row without reading from a store: that of the nearest of a child's parents, or that of
    /// the row cache if it may be used.
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

    /// Advances to the current contents of the store before something is read again, since the snapshot of this turn may
    /// be older.
    func advanceToReadAgain() throws {
        endTurn()
        try advance()
    }
}
