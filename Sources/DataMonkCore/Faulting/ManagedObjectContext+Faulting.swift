extension ManagedObjectContext {
    /// Reads the row of a fault. If it cannot be had, the object reads as empty: for good if the row is gone and that makes
    /// it deleted, else this once, which is noted.
    func fulfill(_ object: ManagedObject) -> UnsafeRawPointer {
        do {
            return try fulfillOrThrow(object)
        } catch {
            noteFailedRead(of: object, error)
            return object.home.layout.emptyRow.pointer
        }
    }

    /// Reads the row of a fault of which a relationship is to change. If it cannot be read, nobody knows what the change
    /// takes apart: setting nil, the substitute for any value, would change nothing. So the change is noted as lost.
    func rowToChange(_ object: ManagedObject) -> UnsafeRawPointer {
        let row = fulfill(object)
        if object.row == nil { failures.noteLostChange() }
        return row
    }

    /// Reads the row of a fault.
    ///
    /// - Throws: ``StoreError`` if the store fails; ``FetchError`` if the row is gone and that does not make the object
    ///   deleted.
    func fulfillOrThrow(_ object: ManagedObject) throws -> UnsafeRawPointer {
        if !takeCachedRow(object) { try loadCohort(ofFault: object) }
        if let row = object.row { return row }
        guard shouldDeleteInaccessibleFaults else { throw FetchError.objectNotFound(object.anyObjectID) }
        object.state.insert(.inaccessible)
        object.adopt(object.home.layout.emptyRow)
        forgetRelations(ofGone: object)
        return object.home.layout.emptyRow.pointer
    }

    /// Whether the row cache or a parent knows about a fault's row. If so and the object is still a fault, there is no row.
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

    /// The row of a key as of the context's generation: from the row cache, else from the store. A child has it from
    /// the nearest of its parents that knows it.
    func storedRow(of key: ObjectKey) throws -> Row? {
        switch cachedRow(of: key) {
        case .row(let row): return row
        case .deleted: return nil
        case .unknown: return try root.loadRow(of: key)
        }
    }

    /// The row of a key from its store.
    func loadRow(of key: ObjectKey) throws -> Row? {
        let snapshot = try openSnapshot()
        guard let row = try snapshot.row(of: key, in: &arena) else { return nil }
        if turn.takePlaceInCache() { coordinator.cache(row, for: key, readAt: snapshot.generation) }
        return row
    }

    /// The objects at the other end of a to-many, as the store has them.
    func storedDestinations(
        of relationship: Entity.Relationship, from object: ManagedObject
    ) throws -> [ManagedObject] {
        if parent != nil { return try inheritedDestinations(of: relationship, from: object) }
        return try readDestinations(of: relationship, from: object)
    }

    /// The objects at the other end of a to-many, by a query.
    func readDestinations(
        of relationship: Entity.Relationship, from object: ManagedObject
    ) throws -> [ManagedObject] {
        if object.key.isTemporary { return [] }
        let reader = try openSnapshot().reader(of: object.key)
        let intake = RowIntake(context: self)
        defer { intake.finish() }
        try reader.destinations(of: relationship, from: object.key, into: intake)
        return asOfGeneration(intake.objects, of: relationship, from: object.key)
    }

    // MARK: Snapshots

    /// The snapshot of this turn. Opened when first needed, so that a burst of faults shares it.
    func openSnapshot() throws -> StoreSnapshot {
        if let parent { return try parent.openSnapshot() }
        if let snapshot { return snapshot }
        beginToStand()
        let opened = try coordinator.openSnapshot()
        snapshot = opened
        snapshotDidOpen?()
        return opened
    }

    /// Gives the snapshot of the store back, if one is held: the next call opens one of what is committed then.
    ///
    /// A turn is a stretch of code over one snapshot. In a context of your own each call is a turn by itself, and this does
    /// nothing. `MainContext`, `Update` and `Reader` hold a snapshot until the main actor's turn ends, or the code awaits
    /// something: a long turn that is to see what other processes commit meanwhile ends by this call. No object changes by
    /// it; the next call that fetches advances.
    public func endTurn() {
        sweepIfDue()
        if let parent { return parent.endTurn() }
        turn.begin()
        giveBackSnapshot()
    }

    /// Moves to the newest generation, with everything that was committed until then: what each call that may advance
    /// begins with.
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

    /// Stands at a generation, with everything taken over that was committed until then.
    @inline(__always)
    func stand(at newGeneration: Generation) {
        if newGeneration > generation { move(to: newGeneration) }
        if mergeRest == nil { return }
        var slice = MergeSlice.unlimited
        continueMerge(within: &slice)
    }

    /// Moves to a generation, and writes down what is to be taken over.
    func move(to newGeneration: Generation) {
        guard newGeneration > generation else { return }
        if !changed.isEmpty { references.willLeave(generation) }
        // A snapshot of an older generation would show what has just been left behind.
        if let snapshot, snapshot.generation < newGeneration { endTurn() }
        let place = generation
        generation = newGeneration
        turn.begin()
        guard isStanding else {
            isStanding = true
            return coordinator.contextDidEnter(id, at: newGeneration)
        }
        if followsCommits {
            let rest = MergeRest(coordinator.notices.take(id, after: place, through: newGeneration), except: id)
            if !rest.isEmpty { mergeRest = mergeRest?.followed(by: rest) ?? rest }
        }
        coordinator.contextDidAdvance(id, to: newGeneration)
    }

    /// From now on the coordinator keeps what the context may need of what others overwrite. Before the context's first row:
    /// until then it has nothing to take over, and a commit costs nothing for it.
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

    /// Sets who is called, on a committing thread, when others have committed since the context took everything over.
    package func setBell(_ ring: @escaping @Sendable () -> Void) {
        if !followsCommits { return }
        beginToStand()
        coordinator.notices.setBell(of: id, ring)
    }
}

extension ManagedObject {
    /// Calls `awakeFromFetch` the first time. An object that has left its context is read and not woken: what the hook sets
    /// would be dropped.
    func awakeFromFetchOnce() {
        if state.contains(.awoken) || !isMember { return }
        state.insert(.awoken)
        awakeFromFetch()
    }
}
