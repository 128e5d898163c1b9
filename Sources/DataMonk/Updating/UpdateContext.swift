import DataMonkCore
import Synchronization

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
/// A step passes `gate` first, and then runs on the actor's executor; one that its caller waits for holds that executor on
/// the caller's thread. So the thread that runs the executor owns `graph`. The actor alone would let the next step in at an
/// await. Never the executor first: a step that has suspended needs it to go on.
public actor UpdateContext {
    private let executor = PoolExecutor()
    let settings: UpdateSettings
    let gate = UpdateGate()
    // nonisolated(unsafe): a step uses it, and only on the thread that runs or holds `executor`; no two threads do at a time.
    nonisolated(unsafe) let graph: ManagedObjectContext
    // nonisolated(unsafe): as `graph`.
    /// Indicates whether the last step's body threw. Its caller has an error that says more than a warning would.
    private nonisolated(unsafe) var hasThrown = false
    /// The last step that began.
    // nonisolated(unsafe): used by the holder of `gate` only, as `graph` is.
    private nonisolated(unsafe) var lastCall: UpdateCall?

    /// The executor on which the context's steps run.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// Resumes the step whose body has ended, and which waits for its parts. A function, since the runtime would look for
    /// the conformances of a stored continuation when the first context is created, which takes longer than an update.
    private var partDidEnd: (@Sendable () -> Void)?
    /// The gates that its steps pass, `gate` first.
    private let gates: [UpdateGate]

    init(_ settings: UpdateSettings) {
        self.init(settings, mergePolicy: settings.mergePolicy, through: settings.order.map { [$0] } ?? [])
    }

    init(_ settings: UpdateSettings, mergePolicy: MergePolicy, through further: [UpdateGate]) {
        self.settings = settings
        gates = [gate] + further
        graph = ManagedObjectContext(coordinator: settings.stack.coordinator, mergePolicy: mergePolicy)
        graph.setOwner(
            isCaller: { [executor] in executor.isStepOnCaller }, deadline: { UpdateScope.current?.deadline },
            didWrite: { [settings] in settings.didCommit() })
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
    /// - Parameter deadline: The longest time from the call to its return: for the step's turn, for a thread, for its fetches
    ///   and commits. `nil` for no limit. A part of a step ends by that step's deadline as well.
    /// - Throws: The error of the body; `CancellationError` if the task is cancelled before the step's turn comes;
    ///   ``UpdateError`` if the wait could not end, or if the deadline passes before the body begins, which then does not run.
    public nonisolated(nonsending) func perform<Result: Sendable>(
        deadline: Duration? = nil, _ body: nonisolated(nonsending) @Sendable (Update) async throws -> Result,
        fileID: StaticString = #fileID, line: UInt = #line
    ) async throws -> Result {
        try await performStep(UpdateCall("perform", file: fileID, line: line), deadline: deadline, body: body)
    }

    private nonisolated(nonsending) func performStep<Result: Sendable>(
        _ call: UpdateCall, deadline: Duration?,
        body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        let deadline = deadline.map { ContinuousClock.now + $0 }
        guard let scope = UpdateScope.ofThisFlow, let ticket = gate.ticket(heldBy: scope.party),
            gate.reenterIfHolding(ticket)
        else { return try await step(call, until: deadline, body: body) }
        let part = party(call, inside: scope.party)
        return try await scope.whileWaiting(for: part) {
            try await runInside(ticket, as: part, until: UpdateScope.earlier(deadline, or: scope.deadline), body: body)
        }
    }

    /// Runs a step after the steps before it. The call returns at once. Errors go to the stack's error handler, unless
    /// the handle is awaited.
    ///
    /// - Parameter deadline: The longest time from the call to the step's end: for its turn, for a thread, for its fetches
    ///   and commits. `nil` for no limit.
    @discardableResult
    public nonisolated func beginPerform(
        deadline: Duration? = nil,
        _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> UpdateHandle {
        begin(UpdateCall("beginPerform", file: fileID, line: line), deadline: deadline, canSuspend: true, body: body)
    }

    /// Runs a step that cannot suspend after those before it; the call returns at once. Under a serial order the main actor
    /// may wait for it.
    @discardableResult
    public nonisolated func beginPerform(
        deadline: Duration? = nil, _ body: @escaping @Sendable (Update) throws -> Void,
        fileID: StaticString = #fileID, line: UInt = #line
    ) -> UpdateHandle {
        begin(UpdateCall("beginPerform", file: fileID, line: line), deadline: deadline, canSuspend: false) {
            try body($0)
        }
    }

    /// Waits for the steps before it, and runs a step on the calling thread. Inside a step of this context, the body runs
    /// at once, as a part of that step. The step belongs to the user event of the step that follows, unless it commits.
    ///
    /// - Parameter deadline: The longest time from the call to its return: for the step's turn, for its fetches and commits.
    ///   `nil` for the context's deadline. A part of a step ends by that step's deadline as well.
    /// - Throws: The error of the body; `CancellationError` if the calling task was cancelled before the step's turn came;
    ///   ``UpdateError`` if the wait could not end, if it would block the main actor for a step that can suspend, or if the
    ///   deadline passes before the body begins, which then does not run.
    @available(*, noasync, message: "Use `try await perform`, because this form blocks the thread.")
    public nonisolated func performAndWait<Result: Sendable>(
        deadline: Duration? = nil, _ body: @Sendable (Update) throws -> Result, fileID: StaticString = #fileID,
        line: UInt = #line
    ) throws -> Result {
        try stepAndWait(UpdateCall("performAndWait", file: fileID, line: line), deadline: deadline, body: body)
    }

    /// Commits what the steps so far have changed, in a step of its own: `perform { try $0.commit() }`.
    ///
    /// - Throws: The errors of ``perform(deadline:_:fileID:line:)`` and of ``Update/commit()``.
    public nonisolated(nonsending) func commit(
        deadline: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await performStep(UpdateCall("commit", file: fileID, line: line), deadline: deadline) { update in
            try update.commit()
        }
    }

    /// Takes back what the steps so far have changed and not committed, in a step of its own: `perform { $0.rollback() }`.
    ///
    /// - Throws: The errors of ``perform(deadline:_:fileID:line:)``.
    public nonisolated(nonsending) func rollback(
        deadline: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await performStep(UpdateCall("rollback", file: fileID, line: line), deadline: deadline) { update in
            update.rollback()
        }
    }

    /// Blocks the calling thread until all steps requested so far have ended.
    ///
    /// - Parameter deadline: The longest time to wait; `nil` for the context's deadline.
    /// - Throws: ``UpdateError`` if the wait could not end, as inside a step of the context, if it would block the main actor
    ///   for a step that can suspend, or if the deadline passes.
    @available(*, noasync, message: "Use `try await wait()`, because this form blocks the thread.")
    public nonisolated func waitUntilAllStepsAreFinished(
        deadline: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) throws {
        try waitHere(UpdateCall("waitUntilAllStepsAreFinished", file: fileID, line: line), deadline: deadline)
    }

    nonisolated func waitHere(_ call: UpdateCall, deadline: Duration?) throws {
        // `stepAndWait` would run as a part of the step, and return without having waited.
        if let scope = UpdateScope.current, gate.ticket(heldBy: scope.party) != nil {
            throw UpdateError.wouldWaitForItself(waiter: call, holder: gate.holder?.call)
        }
        try stepAndWait(call, deadline: deadline) { _ in }
    }

    /// Waits until all steps requested so far have ended.
    ///
    /// - Throws: ``UpdateError`` inside a step of the context, which would wait for itself.
    public nonisolated(nonsending) func wait(
        deadline: Duration? = nil, fileID: StaticString = #fileID, line: UInt = #line
    ) async throws {
        try await step(UpdateCall("wait", file: fileID, line: line), until: deadline.map { .now + $0 }) { _ in }
    }

    /// Indicates whether something of the context is in the store, or may be: its work must not be done again.
    nonisolated var hasCommitted: Bool { graph.hasWritten.load(ordering: .acquiring) }

    // MARK: Machinery

    nonisolated func party(
        _ call: UpdateCall, inside outer: WaitParticipant? = nil, canSuspend: Bool = true
    ) -> WaitParticipant {
        WaitParticipant(call, canSuspend: canSuspend, outer: outer) { [executor] in executor.jobsRun }
    }

    /// Runs a step in the calling task.
    nonisolated(nonsending) func step<Result: Sendable>(
        _ call: UpdateCall, until deadline: ContinuousClock.Instant?,
        body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        guard let outer = UpdateScope.current else {
            return try await run(GateRequest(party(call), through: gates), until: deadline, isAwaited: true, body: body)
        }
        let party = party(call, inside: outer.isOfThisFlow ? outer.party : nil)
        return try await outer.whileWaiting(for: party) {
            try await run(GateRequest(party, through: gates), until: deadline, isAwaited: true, body: body)
        }
    }

    /// Begins a step in a task of its own.
    ///
    /// - Parameter canSuspend: whether its body can, and may then need the main actor to go on.
    nonisolated func begin(
        _ call: UpdateCall, deadline: Duration?, canSuspend: Bool,
        body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void
    ) -> UpdateHandle {
        let entrance = GateRequest(party(call, canSuspend: canSuspend), through: gates)
        let deadline = deadline.map { ContinuousClock.now + $0 }
        return UpdateHandle(stack: settings.stack, party: entrance.party, timeout: settings.deadline) {
            try await self.run(entrance, until: deadline, isAwaited: false, body: body)
        }
    }

    /// Runs a step on the calling thread.
    nonisolated func stepAndWait<Result: Sendable>(
        _ call: UpdateCall, deadline: Duration?, body: @Sendable (Update) throws -> Result
    ) throws -> Result {
        let deadline = ContinuousClock.now + (deadline ?? settings.deadline)
        // A task started by a step has that step's scope but runs elsewhere. It would have to wait, and gets an error
        // instead.
        let outer = UpdateScope.current
        if let outer, let ticket = gate.ticket(heldBy: outer.party), executor.isStepOnCaller {
            let scope = UpdateScope(outer.party, until: UpdateScope.earlier(deadline, or: outer.deadline))
            try requireStart(of: call, until: scope.deadline)
            return try runHere(in: scope, ticket: ticket, body: body)
        }
        if executor.isRunningOnCaller {
            // A step that has suspended needs the executor to go on, and this call would hold it.
            throw UpdateError.wouldWaitForItself(waiter: call, holder: gate.holder?.call)
        }
        let party = WaitParticipant(call, canSuspend: false, outer: outer?.party)
        let blocked = outer.flatMap { $0.isOfThisFlow ? $0.party : nil }
        if let blocked { WaitGraph.shared.add(blocked, waitingFor: .party(party)) }
        defer { if let blocked { WaitGraph.shared.remove(blocked, waitingFor: .party(party)) } }

        let entrance = try GateRequest.enterAndWait(party, through: gates, until: deadline)
        defer { entrance.leave() }
        return try executor.whileHolding(until: deadline, for: call) {
            try requireStart(of: call, until: deadline)
            executor.beginStep()
            defer {
                graph.endTurn()
                executor.endStep()
            }
            hasThrown = true
            lastCall = call
            let result = try runHere(in: UpdateScope(party, until: deadline), ticket: entrance.firstTicket, body: body)
            hasThrown = false
            return result
        }
    }

    private nonisolated(nonsending) func run<Result: Sendable>(
        _ entrance: GateRequest, until deadline: ContinuousClock.Instant?, isAwaited: Bool,
        body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        if entrance.isInside {
            return try await runInTurn(entrance, until: deadline, timer: threadTimer(at: deadline), body: body)
        }
        return try await passAndRun(entrance, until: deadline, isAwaited: isAwaited, body: body)
    }

    /// Waits for the step's turn, and runs it.
    ///
    /// On the actor of the gates, because a step that has passed a gate is waited for: it must not need the caller's
    /// executor, such as a cooperative thread that is blocked by code behind it, before it begins.
    @GateActor private func passAndRun<Result: Sendable>(
        _ entrance: GateRequest, until deadline: ContinuousClock.Instant?, isAwaited: Bool,
        body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        var entrance = entrance
        let timeoutPolicy: GateRequest.TimeoutPolicy =
            isAwaited ? .untilStalled(settings.deadline, settings.stack) : .unlimited
        try await entrance.pass(deadline.map { .until($0) } ?? timeoutPolicy)
        return try await runInTurn(entrance, until: deadline, timer: threadTimer(at: deadline), body: body)
    }

    /// Makes the pool run the next job at the deadline, whether it has a thread free or not.
    private nonisolated func threadTimer(at deadline: ContinuousClock.Instant?) -> DeadlineTimer? {
        deadline.map { executor.beginDeadline($0) }
    }

    /// Throws an error if a body must not begin any more.
    private func requireBeginning(
        of party: WaitParticipant, until deadline: ContinuousClock.Instant?, _ timer: DeadlineTimer?
    ) throws {
        if let timer { executor.endDeadline(timer) }
        try requireStart(of: party.call, until: deadline)
        party.begin()
    }

    private nonisolated func requireStart(of call: UpdateCall, until deadline: ContinuousClock.Instant?) throws {
        // It may have been let in at the moment of its cancellation; a step cancelled before its turn does not run.
        try Task.checkCancellation()
        if let deadline, deadline <= .now { throw UpdateError.deadlinePassed(withoutThread: call) }
    }

    /// Runs a step that has passed its gates.
    private func runInTurn<Result: Sendable>(
        _ entrance: GateRequest, until deadline: ContinuousClock.Instant?, timer: DeadlineTimer?,
        body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        defer { entrance.leave() }
        try requireBeginning(of: entrance.party, until: deadline, timer)
        // When the step suspends, it releases the resources of its turn.
        executor.beginStep { self.graph.endTurn() }
        defer {
            graph.processPendingChanges()
            graph.endTurn()
            executor.endStep()
        }
        hasThrown = true
        lastCall = entrance.party.call
        let ticket = entrance.firstTicket
        let result: Result
        do {
            result = try await runHere(in: UpdateScope(entrance.party, until: deadline), ticket: ticket, body: body)
        } catch {
            await endOfParts(of: ticket)
            throw error
        }
        await endOfParts(of: ticket)
        hasThrown = false
        return result
    }

    /// Waits for the parts of a step whose body has ended: the step ends after them. From then on, none begins.
    private func endOfParts(of ticket: UpdateGate.Ticket) async {
        while !gate.close(ticket) {
            // Others may wait for the step's end.
            await withTaskExecutorPreference(GateActor.resumption) {
                await withCheckedContinuation { continuation in
                    // The last part may have ended meanwhile: with another task executor, the task is enqueued again.
                    if gate.close(ticket) { continuation.resume() } else { partDidEnd = { continuation.resume() } }
                }
            }
        }
    }

    /// Runs a part of the step that holds `ticket`: a `perform` on the current update.
    nonisolated(nonsending) func runInside<Result: Sendable>(
        _ ticket: UpdateGate.Ticket, as part: WaitParticipant, until deadline: ContinuousClock.Instant?,
        body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        try await runPart(inside: ticket, as: part, until: deadline, timer: threadTimer(at: deadline), body: body)
    }

    private func runPart<Result: Sendable>(
        inside ticket: UpdateGate.Ticket, as part: WaitParticipant, until deadline: ContinuousClock.Instant?,
        timer: DeadlineTimer?, body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        defer {
            graph.processPendingChanges()
            gate.leave(ticket)
            partDidEnd?()
            partDidEnd = nil
        }
        try requireBeginning(of: part, until: deadline, timer)
        return try await runHere(in: UpdateScope(part, until: deadline), ticket: ticket, body: body)
    }

    /// Runs a body on the executor of this context.
    private func runHere<Result: Sendable>(
        in scope: UpdateScope, ticket: UpdateGate.Ticket,
        body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        try await UpdateScope.$current.withValue(scope) {
            // The closure captures the actor, and is isolated to it.
            let update = Update(context: self, ticket: ticket, isWaitedFor: false, until: scope.deadline)
            defer { update.end() }
            return try await body(update)
        }
    }

    /// Runs a body on the calling thread, which runs the executor of this context.
    private nonisolated func runHere<Result: Sendable>(
        in scope: UpdateScope, ticket: UpdateGate.Ticket, body: @Sendable (Update) throws -> Result
    ) throws -> Result {
        let update = Update(context: self, ticket: ticket, isWaitedFor: true, until: scope.deadline)
        defer { update.end() }
        return try UpdateScope.$current.withValue(scope) { try body(update) }
    }
}
