/// **Confined.** The stores as a family of contexts sees them: the generation at which it stands, the snapshot over which
/// it reads in this turn, and the calls that use them. The backing of the root, and shared by its descendants.
package final class StoreBacking: ContextBacking {
    // Unchecked exclusivity: confined, and every access ends before the next one begins.
    /// The generation at which all contexts of the family stand.
    @exclusivity(unchecked) private(set) var generation: Generation
    /// Indicates whether the coordinator knows the generation, which is so from the family's first read on. Before that,
    /// its contexts have no rows.
    private var isStanding = false
    @exclusivity(unchecked) private(set) var snapshot: StoreSnapshot?
    /// The time at which reads end that are part of a fetch, but none of its own statements; `nil` outside of such reads.
    @exclusivity(unchecked) private var readDeadline: ContinuousClock.Instant?
    /// The notices of the commits between the generation and the snapshot; `nil` if they are not used yet.
    @exclusivity(unchecked) var laterNotices: FaultLoader.LaterNotices?
    /// The rows of the generation that are known from later commits, for reads from a newer snapshot.
    @exclusivity(unchecked) var formerRows: FormerRows?
    /// Called when a snapshot was opened: the owner of the root then calls `endTurn()` before it idles.
    @exclusivity(unchecked) package var snapshotDidOpen: (() -> Void)?
    @exclusivity(unchecked) package var turn = ReadingTurn()
    /// The maximum age of a row of the row cache, in milliseconds; negative for any age.
    @exclusivity(unchecked) var maximumRowAge: Int64 = -1
    /// The number of nested calls that have begun and not ended.
    @exclusivity(unchecked) var callsAtWork = 0
    /// The number of nested merges and refreshes that are running.
    @exclusivity(unchecked) var mergesAtWork = 0
    /// The objects that these have turned into faults and will tell so.
    @exclusivity(unchecked) var newFaults: ContiguousArray<ManagedObject> = []
    private let id: ContextID
    /// Indicates whether a bell of the family's has to be removed.
    private var hasBell = false

    init(coordinator: PersistentStoreCoordinator, identities: IdentityMap, id: ContextID) {
        self.id = id
        generation = coordinator.publishedGeneration
        super.init(ancestors: [], coordinator: coordinator, identities: identities)
    }

    deinit {
        if hasBell { coordinator.notices.removeBell(of: id) }
        if isStanding { coordinator.contextDidClose(id) }
        snapshot?.end()
    }

    override func cachedRow(of key: ObjectKey) -> RowCache<Row>.Answer {
        if key.isTemporary { return .deleted }
        beginToStand()
        if maximumRowAge < 0 { return coordinator.cachedRow(for: key, at: generation) }
        if maximumRowAge == 0 { return .unknown }
        return coordinator.cachedRow(for: key, at: generation, maximumAge: maximumRowAge)
    }

    // MARK: Snapshots

    /// Indicates whether the commits that the snapshot shows have been met. One that takes the place of a lost snapshot may
    /// show further commits.
    var hasMetCommits: Bool {
        guard let snapshot else { return false }
        return snapshot.hasMetCommits && snapshot.isStanding
    }

    /// Indicates whether the snapshot of this turn shows a newer generation.
    var isBehind: Bool {
        guard let snapshot else { return false }
        return generation < snapshot.generation
    }

    /// Returns the snapshot of this turn. It is opened on first use, so that a burst of faults shares it, and another one in
    /// the place of a lost one, which may be newer.
    ///
    /// - Parameter deadline: The deadline of a fetch; `nil` for that of the caller, if it has one.
    @inline(__always)
    func openSnapshot(until deadline: ContinuousClock.Instant? = nil) throws -> StoreSnapshot {
        if let snapshot, snapshot.isStanding { return snapshot }
        return try openAnotherSnapshot(until: deadline)
    }

    @inline(never)
    private func openAnotherSnapshot(until deadline: ContinuousClock.Instant?) throws -> StoreSnapshot {
        if snapshot != nil { giveBackSnapshot() }
        // A store would take a second for it, and each value that is still missing would ask for another one.
        if let readDeadline, readDeadline <= .now { throw StoreError.snapshotUnavailable }
        beginToStand()
        // Changes are not based on a copy, which may be late: they would be in conflict more often.
        let opened = try coordinator.openSnapshot(mayBeReplica: context.isReadOnly) {
            deadline ?? readDeadline ?? context.deadlineOfCaller?()
        }
        if let readDeadline { opened.limit(to: readDeadline) }
        snapshot = opened
        snapshotDidOpen?()
        return opened
    }

    /// Runs a part of a fetch that reads by other means than the fetch's statement, within the fetch's time.
    func reading<Result>(for fetch: ResolvedFetch, _ part: () throws -> Result) throws -> Result {
        guard let deadline = fetch.deadline else { return try fetch.inTime(part) }
        let outer = readDeadline
        readDeadline = deadline
        snapshot?.limit(to: deadline)
        defer {
            readDeadline = outer
            snapshot?.limit(to: outer)
        }
        return try fetch.inTime(part)
    }

    /// Releases the snapshot at the end of the outermost call, if it must not be held any longer.
    @inline(__always)
    func callsDidEnd() {
        if let snapshot, turn.endsWithEachCall || snapshot.isScarce { giveBackSnapshot() }
    }

    /// Ends the reading of this turn.
    ///
    /// A store has few readers, and its log grows while the oldest reader is open. A context without an owner that ends
    /// its turns would hold its snapshot while idle, so it releases it at the end of each call. A context that holds a
    /// store's last reader does so as well, so that a reader always becomes available.
    @inline(never)
    func giveBackSnapshot() {
        snapshot?.end()
        snapshot = nil
        laterNotices = nil
    }

    /// Begins a new turn, with a new snapshot.
    func endTurn() {
        turn.begin()
        giveBackSnapshot()
    }

    // MARK: Generations

    override var isCurrent: Bool {
        guard let snapshot else { return false }
        return coordinator.publishedGeneration == generation && snapshot.generation == generation && snapshot.isStanding
    }

    override func advance(until deadline: ContinuousClock.Instant?) throws {
        if let snapshot {
            // A fault may have opened it while the context stood behind.
            if coordinator.publishedGeneration == snapshot.generation, snapshot.isStanding {
                return stand(at: snapshot.generation)
            }
            context.endTurn()
        }
        stand(at: try openSnapshot(until: deadline).generation)
    }

    @inline(__always)
    override func stand(at newGeneration: Generation) {
        if newGeneration > generation { move(to: newGeneration) }
    }

    private func move(to newGeneration: Generation) {
        let root = context
        if !root.work.changed.isEmpty { root.graph.references.willLeave(generation) }
        // A snapshot of an older generation would show the state that has just been left.
        if let snapshot, snapshot.generation < newGeneration { root.endTurn() }
        let place = generation
        generation = newGeneration
        formerRows = nil
        laterNotices = nil
        turn.begin()
        guard isStanding else {
            isStanding = true
            return coordinator.contextDidEnter(id, at: newGeneration)
        }
        // Any root meets the commits for which saves of the family wait.
        let isTold = root.followsCommits || !root.work.committing.isEmpty || root.work.landed != nil
        let notices = isTold ? coordinator.notices.take(id, after: place, through: newGeneration) : []
        coordinator.contextDidAdvance(id, to: newGeneration)
        root.merge(notices)
    }

    /// Sets a block to call, on a committing thread, when others have committed since the root last merged everything.
    func setBell(_ ring: @escaping @Sendable () -> Void) {
        beginToStand()
        hasBell = true
        coordinator.notices.setBell(of: id, ring)
    }

    /// Makes the coordinator keep the data that others overwrite and the family may need. Called before it reads its
    /// first row: until then it has nothing to merge, and a commit costs nothing for it.
    @inline(__always)
    func beginToStand() {
        if !isStanding { enter() }
    }

    @inline(never)
    private func enter() {
        isStanding = true
        let newest = coordinator.contextDidEnter(id)
        if newest > generation, !context.work.changed.isEmpty { context.graph.references.willLeave(generation) }
        generation = max(generation, newest)
    }
}
