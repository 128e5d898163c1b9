extension ManagedObjectContext {
    /// Reads the row of a fault. If that fails, the object reads as empty: permanently if the row no longer exists and
    /// the object therefore counts as deleted; otherwise only this time, which is recorded.
    func fulfill(_ object: ManagedObject) -> UnsafeRawPointer {
        do {
            return try fulfillOrThrow(object)
        } catch {
            noteFailedRead(of: object, error)
            return object.home.layout.emptyRow.pointer
        }
    }

    /// Reads the row of a fault of which a relationship is about to change. If that fails, it is unknown which references
    /// the change would remove; setting `nil`, the substitute for any value, would change nothing. The change is
    /// therefore recorded as lost.
    func rowToChange(_ object: ManagedObject) -> UnsafeRawPointer {
        let row = fulfill(object)
        if object.row == nil { failures.noteLostChange() }
        return row
    }

    /// Reads the row of a fault.
    ///
    /// - Throws: ``StoreError`` if the store fails; ``FetchError`` if the row no longer exists and the object does not
    ///   count as deleted for that.
    func fulfillOrThrow(_ object: ManagedObject) throws -> UnsafeRawPointer {
        if !takeCachedRow(object) { try loadCohort(ofFault: object) }
        if let row = object.row { return row }
        guard shouldDeleteInaccessibleFaults else { throw FetchError.objectNotFound(object.anyObjectID) }
        object.state.insert(.inaccessible)
        object.adopt(object.home.layout.emptyRow)
        forgetRelations(ofGone: object)
        return object.home.layout.emptyRow.pointer
    }

    /// Returns `true` if the row cache or a parent knows about a fault's row. If the object is then still a fault, there
    /// is no row.
    func takeCachedRow(_ object: ManagedObject) -> Bool {
        switch cachedRow(of: object.key) {
        case .row(let row):
            object.adopt(row)
            object.awakeFromFetchOnce()
            return true
        case .deleted: return true
        case .unknown: return false
        }
    }

    /// Returns the row of a key at the context's generation, from the row cache or else from the store. A child gets it
    /// from the nearest of its parents that knows it.
    func storedRow(of key: ObjectKey) throws -> Row? {
        switch cachedRow(of: key) {
        case .row(let row): return row
        case .deleted: return nil
        case .unknown: return try root.loadRow(of: key)
        }
    }

    /// Returns the row of a key from its store.
    func loadRow(of key: ObjectKey) throws -> Row? {
        let snapshot = try openSnapshot()
        guard let row = try snapshot.row(of: key, in: &arena) else { return nil }
        if turn.takePlaceInCache() { coordinator.cache(row, for: key, readAt: snapshot.generation) }
        return row
    }

    /// Returns the objects at the other end of a to-many, as in the store.
    func storedDestinations(
        of relationship: Entity.Relationship, from object: ManagedObject
    ) throws -> [ManagedObject] {
        if parent != nil { return try inheritedDestinations(of: relationship, from: object) }
        return try readDestinations(of: relationship, from: object)
    }

    /// Returns the objects at the other end of a to-many, with a query.
    func readDestinations(
        of relationship: Entity.Relationship, from object: ManagedObject
    ) throws -> [ManagedObject] {
        if object.key.isTemporary { return [] }
        let reader = try openSnapshot().reader(of: object.key)
        let sink = ObjectSink(context: self)
        defer { sink.finish() }
        try reader.destinations(of: relationship, from: object.key, into: sink)
        return asOfGeneration(sink.objects, of: relationship, from: object.key)
    }

    // MARK: Snapshots

    /// Returns the snapshot of this turn. It is opened on first use, so that a burst of faults shares it.
    func openSnapshot() throws -> StoreSnapshot {
        if let parent { return try parent.openSnapshot() }
        if let snapshot { return snapshot }
        beginToStand()
        let opened = try coordinator.openSnapshot()
        snapshot = opened
        snapshotDidOpen?()
        return opened
    }

    /// Releases the snapshot of the store, if one is held. The next call opens a new one of the newest commit.
    ///
    /// A turn is a stretch of code over one snapshot. In a context created directly, each call is a turn of its own, and
    /// this method does nothing. `MainContext`, `Update` and `Reader` hold a snapshot until the main actor's turn ends or
    /// the code suspends. Call this method in a long turn that needs to see the commits of other processes meanwhile. No
    /// object changes; the next fetch advances.
    public func endTurn() {
        sweepIfDue()
        if let parent { return parent.endTurn() }
        turn.begin()
        giveBackSnapshot()
    }

    /// Advances to the newest generation and merges everything committed until then. Every call that may advance begins
    /// with this.
    func advance() throws {
        if let parent { return try advance(with: parent) }
        if let snapshot {
            // A fault may have opened it while the context stood behind.
            let generation = snapshot.generation
            if coordinator.publishedGeneration == generation { return stand(at: generation) }
            endTurn()
        }
        let snapshot = try openSnapshot()
        stand(at: snapshot.generation)
    }

    /// Moves to a generation and merges everything committed until then.
    @inline(__always)
    func stand(at newGeneration: Generation) {
        if newGeneration > generation { move(to: newGeneration) }
        if pendingMerge == nil { return }
        var slice = MergeSlice.unlimited
        continueMerge(within: &slice)
    }

    /// Moves to a generation, and records the changes to merge.
    func move(to newGeneration: Generation) {
        guard newGeneration > generation else { return }
        if !changed.isEmpty { references.willLeave(generation) }
        // A snapshot of an older generation would show the state that has just been left.
        if let snapshot, snapshot.generation < newGeneration { endTurn() }
        let place = generation
        generation = newGeneration
        turn.begin()
        guard isStanding else {
            isStanding = true
            return coordinator.contextDidEnter(id, at: newGeneration)
        }
        if followsCommits {
            let rest = PendingMerge(coordinator.notices.take(id, after: place, through: newGeneration), except: id)
            if !rest.isEmpty { pendingMerge = pendingMerge?.followed(by: rest) ?? rest }
        }
        coordinator.contextDidAdvance(id, to: newGeneration)
    }

    /// Makes the coordinator keep the data that others overwrite and this context may need. Called before the context
    /// reads its first row: until then it has nothing to merge, and a commit costs nothing for it.
    @inline(__always)
    func beginToStand() {
        if !isStanding { enter() }
    }

    @inline(never)
    private func enter() {
        if let parent { return parent.beginToStand() }
        isStanding = true
        let newest = coordinator.contextDidEnter(id)
        if newest > generation, !changed.isEmpty { references.willLeave(generation) }
        generation = max(generation, newest)
    }

    /// Sets a block to call, on a committing thread, when others have committed since the context last merged everything.
    package func setBell(_ ring: @escaping @Sendable () -> Void) {
        if !followsCommits { return }
        beginToStand()
        coordinator.notices.setBell(of: id, ring)
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
