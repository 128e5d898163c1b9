public import DataMonkCore

/// **Shared**, on the main actor. The context that an application displays: views read from it.
///
///     let stack = try Stack(Person.self)
///     try stack.addDatabaseStore(fileURL: url)
///     let World = try MainContext(stack: stack)
///
///     let monks = try World.fetchAll(Person.self, %"name" == "Monk")
///
/// A main context is for reading. To make changes, begin an update on it and pass objects to the update by id; writing to
/// one of the context's objects stops the program with that advice. No call on a main context waits for a disk write.
///
/// Each fetch shows the newest commit. Between two turns of the main actor, objects take the values of new commits if the
/// update target says so; within a turn, no object changes between two fetches.
@preconcurrency @MainActor
public final class MainContext: Updating, MainReading {
    /// The stack whose data the context shows.
    public nonisolated let stack: Stack
    /// The set-up, which determines whether it follows what updates commit.
    public nonisolated let updateTarget: UpdateTarget
    /// The internal implementation of updates.
    public nonisolated let updater: Updater

    let graph: ManagedObjectContext
    /// Reads the context's objects. The context has the same calls.
    public let reader: Reader
    private var endsTurn = false
    /// Indicates whether a task will go on with the merge in a later turn.
    private var isMerging = false
    /// Indicates whether lists that could not follow an event will fetch again, or do.
    private var isCatchingUp = false
    /// The time that the last of such fetches was waited for; `nil` if it was able to read.
    private var catchUpWait: Duration?

    /// Creates a main context.
    ///
    /// - Parameters:
    ///   - stack: whose data it shows.
    ///   - updateTarget: how it follows what updates commit.
    ///   - updateOrder: whether its updates may run at the same time; nil for the stack's order.
    ///   - mergePolicy: which side wins when an update's commit meets another one's. By default the later commit, property by
    ///     property: of two updates that compute a value from the old one, one is lost without a word. See
    ///     ``Updating/update(retrying:deadline:_:fileID:line:)`` and
    ///     ``Editor/increment(_:by:of:)-(KeyPath<Object,Number>,_,ObjectID<Object>)``.
    ///   - deadline: how long calls that wait (`beginUpdateAndWait`) do so; nil for the stack's.
    /// - Throws: ``UpdateError`` with the code `invalidTarget` if the target needs a root context that the stack has not.
    public init(
        stack: Stack, updateTarget: UpdateTarget = .mainContext, updateOrder: UpdateOrder? = nil,
        mergePolicy: MergePolicy = .mergeByPropertyObjectTrump, deadline: Duration? = nil
    ) throws {
        try stack.require(updateTarget)
        self.stack = stack
        self.updateTarget = updateTarget
        updater = Updater(
            settings: UpdateSettings(stack: stack, mergePolicy: mergePolicy, order: updateOrder, deadline: deadline))
        graph = ManagedObjectContext(
            coordinator: stack.coordinator, followsCommits: updateTarget.merges, isReadOnly: true)
        reader = Reader(graph: graph)
        graph.setOwner(isCaller: { MainQueue.isCurrent })
        graph.stores.snapshotDidOpen = { [weak self] in
            // Called during a call on the main actor, since `graph` is used only there.
            MainActor.assumeIsolated { self?.endTurnLater() }
        }
        graph.sweepInParts { [weak self] rest in MainActor.assumeIsolated { self?.sweep(after: rest) } }
        let own = WeakMainContext(context: self)
        stack.mainContexts.withLock { contexts in
            contexts.removeAll { $0.context == nil }
            contexts.append(own)
        }
        graph.setBell { [weak self] in
            // Detached, because the merge is unrelated to the task that commits.
            Task.detached { @MainActor in self?.mergeCommits() }
        }
        graph.listDidFallBehind = { [weak self] in MainActor.assumeIsolated { self?.catchUpLater() } }
        stack.followOtherProcesses()
    }

    // On the main actor, because objects that are still held there are detached from the context.
    isolated deinit {}

    /// The number of changes that are examined in one turn, unless a single commit has more. Fetches are not limited:
    /// they merge everything. A commit by another process turns all objects into faults at once.
    package static let turnLimit = 4_096

    /// Merges new commits, those that fit into a turn at a time, so that other work on the main actor can run in between.
    private func mergeCommits() {
        if !isMerging { mergeInTurns() }
    }

    private func mergeInTurns() {
        isMerging = !graph.mergeCommits(examiningAtMost: Self.turnLimit)
        if isMerging { Task { @MainActor [weak self] in self?.mergeInTurns() } }
    }

    /// Lets lists that could not follow an event fetch again after a second, and then after twice the time of the last wait,
    /// at most a minute, until they can.
    private func catchUpLater() {
        if isCatchingUp { return }
        isCatchingUp = true
        let wait = catchUpWait.map { min($0 * 2, .seconds(60)) } ?? .seconds(1)
        Task { @MainActor [weak self] in
            // Reason for try?: the task is nobody's to cancel.
            try? await Task.sleep(for: wait)
            guard let self else { return }
            (isCatchingUp, catchUpWait) = (false, wait)
            graph.catchUpLists()
            // Otherwise a list has asked again.
            if !isCatchingUp { catchUpWait = nil }
        }
    }

    /// Releases the snapshot of this turn early, because its store is being closed.
    func endTurn() { graph.endTurn() }

    /// Releases the snapshot of this turn in the next one, so that nothing is held while the main actor is idle.
    private func endTurnLater() {
        if endsTurn { return }
        endsTurn = true
        Task { @MainActor in
            endsTurn = false
            graph.endTurn()
        }
    }

    /// Lets the graph sweep in a turn of its own, after a rest: objects that nobody holds leave in such turns, some in each.
    private func sweep(after rest: Duration) {
        // Detached, because a sweep is unrelated to the task that has used the context.
        Task.detached { [weak self] in
            if rest == .zero {
                await self?.continueSweep()
            } else {
                // Reason for try?: the task is nobody's to cancel.
                try? await Task.sleep(for: rest)
                await self?.beginSweep()
            }
        }
    }

    private func continueSweep() { graph.sweepInTurn() }

    private func beginSweep() { graph.beginSweepInTurn() }

    /// Forgets all objects; the next fetch reads everything anew. Objects that are still held leave the context and lose
    /// their values.
    public func reset() { graph.reset() }

    /// Turns all objects into faults and shows the newest commit, including commits of other processes. Lists are
    /// updated.
    public func refreshAll() throws { try reader.refreshAll() }

    /// Returns a draft over this context, whose objects can be edited on the main actor.
    public func draft() -> Draft { Draft(over: self) }

    /// The engine's context on which this one is built.
    public var managedObjectContext: ManagedObjectContext { graph }
}
