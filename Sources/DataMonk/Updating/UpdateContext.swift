import DataMonkCore

/// **Shared.** One update that may take several steps: a workspace of its own, and an order in which its steps run.
///
///     let context = World.beginUpdateContext()
///     try await context.perform { update in … }
///     try await context.perform { update in
///         …
///         try update.commit()
///     }
///
/// Steps (`perform`) run in the order of the calls, one at a time, awaits included, on threads of a bounded pool that
/// the main actor and Swift's cooperative pool have no part in. What is not committed when the last reference to the
/// context and its updates goes is discarded.
///
/// Who touches what: `graph` belongs to whoever holds `gate`, on the actor's executor for steps that may suspend, on
/// the caller's own thread for steps that are waited for. The actor alone would let the next step in at an await.
public actor UpdateContext {
    private let executor = PoolExecutor()
    let settings: UpdateSettings
    let gate = UpdateGate()
    // nonisolated(unsafe): reached by the holder of `gate` alone, see above.
    nonisolated(unsafe) let graph: ManagedObjectContext
    // nonisolated(unsafe): as `graph`.
    /// Whether the last step's body threw: its caller has an error that says more than a warning would.
    private nonisolated(unsafe) var hasThrown = false
    /// The last step that began.
    // nonisolated(unsafe): reached by the holder of `gate` alone, as `graph` is.
    private nonisolated(unsafe) var lastCall: UpdateCall?

    /// Where the context's steps run.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Whether something of the context is in the store: its work must not be done again.
    let hasCommitted = Locked(false)
    /// What its steps pass besides `gate`.
    private let further: [UpdateGate]

    init(_ settings: UpdateSettings) {
        self.init(settings, mergePolicy: settings.mergePolicy, through: settings.order.map { [$0] } ?? [])
    }

    init(_ settings: UpdateSettings, mergePolicy: MergePolicy, through further: [UpdateGate]) {
        self.settings = settings
        self.further = further
        graph = ManagedObjectContext(coordinator: settings.stack.coordinator, mergePolicy: mergePolicy)
        graph.turn.endsWithEachCall = false
        graph.isOwnedByCaller = { [executor] in executor.isStepOnCaller }
    }

    #if DEBUG
        deinit {
            if graph.hasChanges, !hasThrown {
                settings.stack.warn(
                    """
                    An update (\(lastCall?.description ?? "no step")) ended with changes that were never committed: they are \
                    discarded. Call `try update.commit()`, or rollback() to say so.
                    """)
            }
        }
    #endif

    // MARK: Steps

    /// Runs a step after those before it, and returns its result. Its return ends a user event: observers of changes are
    /// told.
    ///
    /// Inside a step of this context it runs at once, as a part of that step.
    ///
    /// - Parameter deadline: how long it waits for its turn, and may fetch and commit; nil for as long as others go on.
    /// - Throws: what the body throws; `CancellationError` if the task is cancelled before the step's turn comes;
    ///   ``UpdateError`` if the wait could not end, or reaches the deadline.
    public nonisolated func perform<Result: Sendable>(
        deadline: Duration? = nil, _ body: nonisolated(nonsending) @Sendable (Update) async throws -> Result,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Result {
        let call = UpdateCall("perform", fileID, line)
        guard let party = UpdateScope.partyOfThisFlow, let ticket = gate.ticket(heldBy: party),
            gate.reenterIfHolding(ticket)
        else { return try await step(call, deadline, body) }
        let part = self.party(call, inside: party)
        WaitGraph.shared.add(party, waitingFor: .party(part))
        defer { WaitGraph.shared.remove(party, waitingFor: .party(part)) }
        return try await runInside(ticket, part, body)
    }

    /// Runs a step after those before it; the call returns at once. Errors go to the stack's error handler unless the
    /// handle is asked for them.
    ///
    /// - Parameter deadline: how long it waits for its turn, and may fetch and commit; nil for as long as others go on.
    @discardableResult
    public nonisolated func beginPerform(
        deadline: Duration? = nil,
        _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> UpdateHandle {
        begin(UpdateCall("beginPerform", fileID, line), deadline, canSuspend: true, body)
    }

    /// Runs a step that cannot suspend after those before it; the call returns at once. Under a serial order the main actor
    /// may wait for it.
    @discardableResult
    public nonisolated func beginPerform(
        deadline: Duration? = nil, _ body: @escaping @Sendable (Update) throws -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> UpdateHandle {
        begin(UpdateCall("beginPerform", fileID, line), deadline, canSuspend: false) { try body($0) }
    }

    /// Runs a step on the calling thread after those before it, which it waits for. Inside a step of this context it runs
    /// at once, as a part of that step. It is part of the user event of the step that follows, unless it commits.
    ///
    /// - Parameter deadline: how long it waits for its turn, and may fetch and commit; nil for waiting as long as the
    ///   context says.
    /// - Throws: what the body throws; ``UpdateError`` if the wait could not end, or would block the main actor for a step
    ///   that can suspend, or reaches its deadline.
    @available(*, noasync, message: "Use `try await perform`: this form blocks the thread.")
    public nonisolated func performAndWait<Result: Sendable>(
        deadline: Duration? = nil, _ body: @Sendable (Update) throws -> Result, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Result {
        try stepAndWait(UpdateCall("performAndWait", fileID, line), deadline, body)
    }

    /// Waits until the steps asked for so far have ended.
    ///
    /// - Throws: ``UpdateError`` inside a step of the context, for which it would wait as well.
    public nonisolated func wait(
        deadline: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await step(UpdateCall("wait", fileID, line), deadline) { _ in }
    }

    // MARK: Machinery

    private nonisolated var gates: [UpdateGate] { [gate] + further }

    /// Does something that commits by itself.
    nonisolated func noting<Result>(_ work: () throws -> Result) rethrows -> Result {
        let result = try work()
        hasCommitted.withLock { $0 = true }
        return result
    }

    nonisolated func party(
        _ call: UpdateCall, inside outer: WaitParty? = nil, canSuspend: Bool = true
    ) -> WaitParty {
        WaitParty(call, canSuspend: canSuspend, outer: outer) { [executor] in executor.jobsRun }
    }

    /// Runs a step in the calling task.
    nonisolated func step<Result: Sendable>(
        _ call: UpdateCall, _ deadline: Duration?,
        _ body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        let outer = UpdateScope.partyOfThisFlow
        let party = party(call, inside: outer)
        if let outer { WaitGraph.shared.add(outer, waitingFor: .party(party)) }
        defer { if let outer { WaitGraph.shared.remove(outer, waitingFor: .party(party)) } }
        return try await run(
            Entrance(party, through: gates), deadline, isAwaited: true, body)
    }

    /// Begins a step in a task of its own.
    ///
    /// - Parameter canSuspend: whether its body can, and may then need the main actor to go on.
    nonisolated func begin(
        _ call: UpdateCall, _ deadline: Duration?, canSuspend: Bool,
        _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void
    ) -> UpdateHandle {
        let entrance = Entrance(party(call, canSuspend: canSuspend), through: gates)
        return UpdateHandle(stack: settings.stack, entrance.party, patience: settings.deadline) {
            try await self.run(entrance, deadline, isAwaited: false, body)
        }
    }

    /// Runs a step on the calling thread.
    nonisolated func stepAndWait<Result: Sendable>(
        _ call: UpdateCall, _ deadline: Duration?, _ body: @Sendable (Update) throws -> Result
    ) throws -> Result {
        // A task that a step has begun has its scope too, and runs elsewhere: it has to wait, and is told that it must not.
        let outer = UpdateScope.current?.party
        if let holding = outer.flatMap({ gate.ticket(heldBy: $0) }), graph.isOwnedByCaller?() == true {
            let update = Update(context: self, ticket: holding, isWaitedFor: true)
            defer { update.end() }
            return try body(update)
        }
        let party = WaitParty(call, canSuspend: false, outer: outer)
        let blocked = UpdateScope.partyOfThisFlow
        if let blocked { WaitGraph.shared.add(blocked, waitingFor: .party(party)) }
        defer { if let blocked { WaitGraph.shared.remove(blocked, waitingFor: .party(party)) } }

        let begin = ContinuousClock.now
        let entrance = try Entrance.enterAndWait(
            party, through: gates, until: begin + (deadline ?? settings.deadline))
        defer { entrance.leave() }
        executor.waitingThread.begin()
        graph.deadline = deadline.map { begin + $0 }
        defer {
            graph.deadline = nil
            graph.endTurn()
            executor.waitingThread.end()
        }
        hasThrown = true
        lastCall = party.call
        let update = Update(context: self, ticket: entrance.firstTicket, isWaitedFor: true)
        defer { update.end() }
        let result = try UpdateScope.$current.withValue(UpdateScope(party)) { try body(update) }
        hasThrown = false
        return result
    }

    private func run<Result: Sendable>(
        _ entrance: Entrance, _ deadline: Duration?, isAwaited: Bool,
        _ body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        var entrance = entrance
        let deadline = deadline.map { ContinuousClock.now + $0 }
        let patience: Entrance.Patience = isAwaited ? .untilStalled(settings.deadline) : .unlimited
        try await entrance.enter(deadline.map { .until($0) } ?? patience)
        defer { entrance.leave() }
        // Let in at the moment of its cancellation: what was cancelled before its turn does not run.
        try Task.checkCancellation()
        entrance.party.begin()
        executor.beginStep()
        // Whenever the step suspends, what its turn has used is given back; jobs that only wait for the gate use nothing.
        executor.setAfterJob { self.graph.endTurn() }
        graph.deadline = deadline
        defer {
            graph.processPendingChanges()
            graph.deadline = nil
            graph.endTurn()
            executor.setAfterJob(nil)
            executor.endStep()
        }
        hasThrown = true
        lastCall = entrance.party.call
        let update = Update(context: self, ticket: entrance.firstTicket, isWaitedFor: false)
        defer { update.end() }
        let result = try await runHere(UpdateScope(entrance.party), update, body)
        hasThrown = false
        return result
    }

    /// Runs a step inside the one that holds `ticket`: a perform on the current update.
    func runInside<Result: Sendable>(
        _ ticket: UpdateGate.Ticket, _ part: WaitParty,
        _ body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        part.begin()
        defer {
            graph.processPendingChanges()
            gate.leave(ticket)
        }
        let update = Update(context: self, ticket: ticket, isWaitedFor: false)
        defer { update.end() }
        try Task.checkCancellation()
        return try await runHere(UpdateScope(part), update, body)
    }

    /// Runs a body on the executor of this context.
    private func runHere<Result: Sendable>(
        _ scope: UpdateScope, _ update: Update,
        _ body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        try await UpdateScope.$current.withValue(scope) {
            // A closure that does not capture the actor is not isolated to it: the body would go on elsewhere.
            _ = self
            return try await body(update)
        }
    }
}
