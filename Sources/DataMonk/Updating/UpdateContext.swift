import DataMonkCore

/// **Shared.** An update in several steps: a workspace of its own, and an order in which the steps run.
///
///     let context = World.beginUpdateContext()
///     try await context.perform { update in … }
///     try await context.perform { update in
///         …
///         try update.commit()
///     }
///
/// Steps (`perform`) run one at a time, awaits included, in the order of the calls. They run on threads of a bounded
/// pool, which is separate from the main actor and from Swift's cooperative pool. Uncommitted changes are discarded when
/// the last reference to the context and its updates is released.
///
/// `graph` belongs to the holder of `gate`: it is used on the actor's executor by steps that may suspend, and on the
/// caller's thread by steps that the caller waits for. The actor alone would let the next step in at an await.
public actor UpdateContext {
    private let executor = PoolExecutor()
    let settings: UpdateSettings
    let gate = UpdateGate()
    // nonisolated(unsafe): used by the holder of `gate` only, see above.
    nonisolated(unsafe) let graph: ManagedObjectContext
    // nonisolated(unsafe): as `graph`.
    /// Indicates whether the last step's body threw. Its caller has an error that says more than a warning would.
    private nonisolated(unsafe) var hasThrown = false
    /// The last step that began.
    // nonisolated(unsafe): used by the holder of `gate` only, as `graph` is.
    private nonisolated(unsafe) var lastCall: UpdateCall?

    /// The executor on which the context's steps run.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Indicates whether something of the context is in the store: its work must not be done again.
    let hasCommitted = Locked(false)
    /// The gate that its steps pass besides `gate`.
    private let further: [UpdateGate]

    init(_ settings: UpdateSettings) {
        self.init(settings, mergePolicy: settings.mergePolicy, through: settings.order.map { [$0] } ?? [])
    }

    init(_ settings: UpdateSettings, mergePolicy: MergePolicy, through further: [UpdateGate]) {
        self.settings = settings
        self.further = further
        graph = ManagedObjectContext(coordinator: settings.stack.coordinator, mergePolicy: mergePolicy)
        graph.faults.turn.endsWithEachCall = false
        graph.isOwnedByCaller = { [executor] in executor.isStepOnCaller }
    }

    #if DEBUG
        deinit {
            if graph.hasChanges, !hasThrown {
                settings.stack.warn(
                    """
                    An update (\(lastCall?.description ?? "no step")) ended with changes that were not committed, so \
                    they are discarded. Call `try update.commit()` to save them, or rollback() to discard them \
                    without this warning.
                    """)
            }
        }
    #endif

    // MARK: Steps

    /// Runs a step after the steps before it, and returns its result. The end of the step ends a user event: observers
    /// are notified of its changes.
    ///
    /// Inside a step of this context, the body runs at once, as a part of that step.
    ///
    /// - Parameter deadline: The longest time to wait for the step's turn, and for its fetches and commits; `nil` to wait
    ///   as long as the steps before it make progress.
    /// - Throws: The error of the body; `CancellationError` if the task is cancelled before the step's turn comes;
    ///   ``UpdateError`` if the wait could not end, or if the deadline passes.
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

    /// Runs a step after the steps before it. The call returns at once. Errors go to the stack's error handler, unless
    /// the handle is awaited.
    ///
    /// - Parameter deadline: The longest time to wait for the step's turn, and for its fetches and commits; `nil` for
    ///   no limit.
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

    /// Waits for the steps before it, and runs a step on the calling thread. Inside a step of this context, the body runs
    /// at once, as a part of that step. The step belongs to the user event of the step that follows, unless it commits.
    ///
    /// - Parameter deadline: The longest time to wait for the step's turn, and for its fetches and commits; `nil` for the
    ///   context's deadline.
    /// - Throws: The error of the body; ``UpdateError`` if the wait could not end, if it would block the main actor for a
    ///   step that can suspend, or if the deadline passes.
    @available(*, noasync, message: "Use `try await perform`, because this form blocks the thread.")
    public nonisolated func performAndWait<Result: Sendable>(
        deadline: Duration? = nil, _ body: @Sendable (Update) throws -> Result, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Result {
        try stepAndWait(UpdateCall("performAndWait", fileID, line), deadline, body)
    }

    /// Waits until all steps requested so far have ended.
    ///
    /// - Throws: ``UpdateError`` inside a step of the context, which would wait for itself.
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
        _ call: UpdateCall, inside outer: WaitParticipant? = nil, canSuspend: Bool = true
    ) -> WaitParticipant {
        WaitParticipant(call, canSuspend: canSuspend, outer: outer) { [executor] in executor.jobsRun }
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
            GateRequest(party, through: gates), deadline, isAwaited: true, body)
    }

    /// Begins a step in a task of its own.
    ///
    /// - Parameter canSuspend: whether its body can, and may then need the main actor to go on.
    nonisolated func begin(
        _ call: UpdateCall, _ deadline: Duration?, canSuspend: Bool,
        _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void
    ) -> UpdateHandle {
        let entrance = GateRequest(party(call, canSuspend: canSuspend), through: gates)
        return UpdateHandle(stack: settings.stack, entrance.party, timeout: settings.deadline) {
            try await self.run(entrance, deadline, isAwaited: false, body)
        }
    }

    /// Runs a step on the calling thread.
    nonisolated func stepAndWait<Result: Sendable>(
        _ call: UpdateCall, _ deadline: Duration?, _ body: @Sendable (Update) throws -> Result
    ) throws -> Result {
        // A task started by a step has that step's scope but runs elsewhere. It would have to wait, and gets an error
        // instead.
        let outer = UpdateScope.current?.party
        if let holding = outer.flatMap({ gate.ticket(heldBy: $0) }), graph.isOwnedByCaller?() == true {
            let update = Update(context: self, ticket: holding, isWaitedFor: true)
            defer { update.end() }
            return try body(update)
        }
        let party = WaitParticipant(call, canSuspend: false, outer: outer)
        let blocked = UpdateScope.partyOfThisFlow
        if let blocked { WaitGraph.shared.add(blocked, waitingFor: .party(party)) }
        defer { if let blocked { WaitGraph.shared.remove(blocked, waitingFor: .party(party)) } }

        let begin = ContinuousClock.now
        let entrance = try GateRequest.enterAndWait(
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
        _ entrance: GateRequest, _ deadline: Duration?, isAwaited: Bool,
        _ body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        var entrance = entrance
        let deadline = deadline.map { ContinuousClock.now + $0 }
        let timeoutPolicy: GateRequest.TimeoutPolicy = isAwaited ? .untilStalled(settings.deadline) : .unlimited
        try await entrance.enter(deadline.map { .until($0) } ?? timeoutPolicy)
        defer { entrance.leave() }
        // It may have been let in at the moment of its cancellation; a step cancelled before its turn does not run.
        try Task.checkCancellation()
        entrance.party.begin()
        executor.beginStep()
        // When the step suspends, it releases the resources of its turn. Jobs that only wait for the gate use none.
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

    /// Runs a step inside the step that holds `ticket`: a `perform` on the current update.
    func runInside<Result: Sendable>(
        _ ticket: UpdateGate.Ticket, _ part: WaitParticipant,
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
            // A closure that does not capture the actor is not isolated to it, and the body would continue elsewhere.
            _ = self
            return try await body(update)
        }
    }
}
