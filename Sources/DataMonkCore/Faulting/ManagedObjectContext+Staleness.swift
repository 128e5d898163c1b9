extension ManagedObjectContext {
    /// How old a row may be that the row cache, which all contexts of a stack share, answers a fault with. Negative, as
    /// it is at first, for any age; zero for asking the store each time.
    ///
    /// What contexts of the same stack commit is in the cache at once: the interval matters where others write to the same
    /// file. A child's is its root's.
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
        if maximumRowAge < 0 { return coordinator.cachedRow(for: key, at: generation) }
        if maximumRowAge == 0 { return .unknown }
        return coordinator.cachedRow(for: key, at: generation, maximumAge: maximumRowAge)
    }

    /// Advances before something is read again: where the cache is not asked for ever, to what the store has now, and be
    /// it by others.
    func advanceToReadAgain() throws {
        if root.maximumRowAge >= 0 { endTurn() }
        try advance()
    }
}
