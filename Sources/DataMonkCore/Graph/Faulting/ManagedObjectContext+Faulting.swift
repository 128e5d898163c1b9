extension ManagedObjectContext {
    /// The reads that returned a substitute and the writes that were dropped since the context's changes were last
    /// discarded, without duplicates, up to a hundred. While there are any, saving throws.
    public var failedAccesses: [FailedAccess] { faults.failures.entries }

    /// Allows the context to save although unreadable properties read as empty, or setters were dropped.
    ///
    ///     do {
    ///         try context.save()
    ///     } catch let error as SaveError where error.code == .unreadValues {
    ///         // The image is only shown. Nothing is computed from it, so the other changes are correct.
    ///         context.disregardFailedReads()
    ///         try context.save()
    ///     }
    ///
    /// The changes are kept: values computed from an empty value are saved. Only `rollback()` and `reset()` ensure that
    /// no stored value is lost.
    ///
    /// In code of a migration's stage, a read that returned a substitute ends the migration unless its context is told to
    /// disregard it, even after a rollback: see ``MigrationStage/Code``.
    public func disregardFailedReads() {
        requireOwner()
        faults.failures.clear()
        directory.disregardIncompleteReads(of: id)
    }

    /// Throws the error of a read that code got a substitute for, or that delete rules wait for.
    package func requireReads() throws {
        if let failure = graph.pendingDeletions.failure { throw failure.cause }
        if let failed = failedAccesses.first(where: { $0.kind == .read }) { throw failed.cause }
    }

    /// Throws ``FetchError`` with the code `unreadValues` if code got a substitute for a value, so that its results are wrong.
    package func requireCompleteReads() throws {
        if let failed = failedAccesses.first { throw FetchError.unreadValues(failed.cause) }
    }

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
        get { stores.maximumRowAge < 0 ? .seconds(-1) : .milliseconds(stores.maximumRowAge) }
        set {
            // Larger values than centuries would not fit.
            let age = newValue == .zero ? 0 : Int64(min(max(newValue / .milliseconds(1), 1), 1e15))
            stores.maximumRowAge = newValue < .zero ? -1 : age
            if age > 0 { coordinator.startClock() }
        }
    }

    // MARK: Turns

    /// Releases the snapshot of the store, if one is held. The next call opens a new one of the newest commit.
    ///
    /// A turn is a stretch of code over one snapshot. In a context created directly, each call is a turn of its own, and
    /// this method only lets go of objects that nobody holds. `MainContext`, `Update` and `Reader` hold a snapshot until the
    /// main actor's turn ends or the code suspends. Call this method in a long turn that needs to see the commits of other
    /// processes meanwhile. No object changes; the next fetch advances.
    public func endTurn() {
        sweepAfterTurn()
        for ancestor in backing.ancestors { ancestor.sweepIfDue() }
        stores.endTurn()
    }

    /// The generation of what is read from the stores now: that of the snapshot, or without one that of the newest commit.
    package var readGeneration: Generation { stores.snapshot?.generation ?? coordinator.publishedGeneration }

    /// Advances to the newest generation and merges everything committed until then. Every call that may advance begins
    /// with this.
    func advance() throws {
        // Most reads by id come one after the other, and an instant that may be missing costs what a lock does.
        if !backing.isCurrent { try backing.advance(until: nil) }
    }

    /// Advances to the current contents of the store before something is read again, since the snapshot of this turn may
    /// be older.
    func advanceToReadAgain() throws {
        endTurn()
        try advance()
    }

    /// Sets a block to call, on a committing thread, when others have committed since the context last merged everything.
    package func setBell(_ ring: @escaping @Sendable () -> Void) {
        if followsCommits { stores.setBell(ring) }
    }
}

extension ManagedObject {
    /// Calls `awakeFromFetch` the first time. Not called for an object that has left its context, because values set by
    /// the hook would be dropped.
    func awakeFromFetchOnce() {
        if state.contains(.awoken) || !isMember { return }
        state.insert(.awoken)
        awakeFromFetch()
    }
}
