/// **Confined.** Reads what a context has not read yet: the rows of faults and the members of to-manys, each together
/// with what is likely to be needed next, over the snapshot of the current turn.
package final class FaultLoader: ContextPart {
    /// The number of faults that one query fulfills, and of objects for which one query loads a to-many.
    static let cohortSize = 500
    /// The number of objects that loading a to-many may add for the others of a cohort.
    static let cohortRowLimit = 10_000

    let stores: StoreBacking
    // Unchecked exclusivity: confined, and every access ends before the next one begins.
    /// The last to-one that was read and leads to a fault.
    @exclusivity(unchecked) var lastToOne: ToOneStep?
    /// The state of a request for the relationship that a key path leads to.
    @exclusivity(unchecked) var toManyProbe = ToManyProbe.none
    /// Reads and writes of properties that failed where no error could be thrown. They prevent saves.
    @exclusivity(unchecked) var failures = FailedAccesses()

    init(stores: StoreBacking, identities: IdentityMap) {
        self.stores = stores
        super.init(coordinator: stores.coordinator, identities: identities)
    }

    // MARK: Rows

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
        if meetsForeignCommits { return try inOneState { try fulfillOrThrow(object) } }
        // Again if `awakeFromFetch` has moved the context, and it has become a fault for that.
        while try takeCachedRow(object) ?? loadCohort(ofFault: object) {
            if let row = object.row { return row }
        }
        guard context.shouldDeleteInaccessibleFaults else { throw FetchError.objectNotFound(object.anyObjectID) }
        // It exists when the context has moved.
        if isInsertedLater(object.key) { return object.home.layout.emptyRow.pointer }
        object.state.insert(.inaccessible)
        object.adopt(object.home.layout.emptyRow)
        context.graph.forgetRelations(ofGone: object)
        return object.home.layout.emptyRow.pointer
    }

    /// Gives a fault the row that the row cache or a parent knows.
    ///
    /// - Returns: Whether there is a row; `nil` if that is unknown.
    func takeCachedRow(_ object: ManagedObject) -> Bool? {
        context.noteRead(of: object.entity)
        switch cachedRow(of: object.key) {
        case .row(let row):
            object.adopt(row)
            object.awakeFromFetchOnce()
            return true
        case .deleted: return false
        case .unknown: return nil
        }
    }

    func cachedRow(of key: ObjectKey) -> RowCache<Row>.Answer { withContext { $0.backing.cachedRow(of: key) } }

    /// Returns the row of a key at the context's generation, from the row cache or else from the store. A child gets it
    /// from the nearest of its parents that knows it.
    func storedRow(of key: ObjectKey) throws -> Row? {
        switch cachedRow(of: key) {
        case .row(let row): return row
        case .deleted: return nil
        case .unknown: return try loadRow(of: key)
        }
    }

    /// Returns the row of a key from its store.
    func loadRow(of key: ObjectKey) throws -> Row? {
        let snapshot = try stores.openSnapshot()
        switch readsFormerRows ? olderRow(of: key) : .unknown {
        case .row(let row): return row
        case .deleted: return nil
        case .unknown: break
        }
        guard let row = try withContext({ try snapshot.row(of: key, in: &$0.arena) }) else { return nil }
        if stores.turn.takePlaceInCache() { coordinator.cache(row, for: key, readAt: snapshot.generation) }
        return row
    }

    /// Returns the objects at the other end of a to-many, with a query.
    func readDestinations(
        of relationship: Entity.Relationship, from object: ManagedObject
    ) throws -> [ManagedObject] {
        if object.key.isTemporary { return [] }
        let reader = try stores.openSnapshot().reader(of: object.key)
        let sink = ObjectSink(context: context)
        defer { sink.finish() }
        try reader.destinations(of: relationship, from: object.key, into: sink)
        return asOfGeneration(sink.objects, of: relationship, from: object.key)
    }
}
