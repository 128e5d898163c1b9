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
    /// The thread that runs a step which is waited for.
    private let waitingThread = OwnerThread()
    // nonisolated(unsafe): read and written on the executor's thread alone.
    /// Whether a step of the actor holds the gate: only then may the actor give back what the turn used.
    private nonisolated(unsafe) var isStepRunning = false

    /// Where the context's steps run.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ settings: UpdateSettings) {
        self.settings = settings
        graph = ManagedObjectContext(coordinator: settings.stack.coordinator, mergePolicy: settings.mergePolicy)
        graph.isOwnedByCaller = { [executor, waitingThread] in
            executor.isRunningOnCaller || waitingThread.isCaller
        }
        executor.setAfterJob { [weak self] in self?.jobDidEnd() }
    }

    #if DEBUG
        deinit {
            if graph.hasChanges {
                settings.stack.warn(
                    "An update ended with changes that were never committed: they are discarded. Call `try update.commit()`, or rollback() to say so."
                )
            }
        }
    #endif

    // MARK: Steps

    /// Runs a step after those before it, and returns its result. Its return ends a user event: observers of changes are
    /// told.
    ///
    /// - Throws: what the body throws; `CancellationError` if the task is cancelled before the step's turn comes.
    public nonisolated func perform<Result: Sendable>(
        _ body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        try await run(requestPlace(), body)
    }

    /// Runs a step after those before it; the call returns at once. Errors go to the stack's error handler unless the
    /// handle is asked for them.
    @discardableResult
    public nonisolated func perform(
        _ body: nonisolated(nonsending) @escaping @Sendable (Update) async throws -> Void
    ) -> UpdateHandle {
        let place = requestPlace()
        return UpdateHandle(stack: settings.stack) { try await self.run(place, body) }
    }

    /// Runs a step on the calling thread after those before it, which it waits for. Inside a step of this context it runs
    /// at once, as a part of that step. It is part of the user event of the step that follows, unless it commits.
    ///
    /// - Throws: what the body throws; ``UpdateError`` if the wait would be for the calling code itself, or reaches its
    ///   deadline.
    @available(*, noasync, message: "Use `try await perform`: this form blocks the thread.")
    public nonisolated func performAndWait<Result: Sendable>(
        _ body: @Sendable (Update) throws -> Result
    ) throws -> Result {
        // A task that a step has begun has its scope too, and runs elsewhere: it has to wait, and is told that it must not.
        if let holding = UpdateScope.ticket(of: gate), graph.isOwnedByCaller?() == true {
            return try body(Update(context: self, ticket: holding))
        }
        let deadline = ContinuousClock.now + settings.deadline
        let ticket = try gate.enterWaiting(until: deadline, "this update context")
        defer { gate.leave(ticket) }
        let orderTicket = try settings.order?.enterWaiting(until: deadline, "another update of a serial context")
        defer { if let orderTicket { settings.order?.leave(orderTicket) } }
        waitingThread.begin()
        defer {
            graph.endTurn()
            waitingThread.end()
        }
        return try UpdateScope.$current.withValue(scope(ticket, orderTicket)) {
            try body(Update(context: self, ticket: ticket))
        }
    }

    /// Waits until the steps asked for so far have ended.
    public nonisolated func wait() async throws {
        try await perform { _ in }
    }

    // MARK: Machinery

    /// **Value.** A step's place: in the context's order, and in the serial order where that can be known already.
    struct Place: Sendable {
        let ticket: UpdateGate.Ticket
        let orderTicket: UpdateGate.Ticket?
    }

    /// Takes the next place. A step that is first in its context takes its place in the serial order as well, so that
    /// `beginUpdate` keeps the order of its calls; a later one does so when its turn comes, or two contexts could each
    /// hold what the other waits for.
    nonisolated func requestPlace() -> Place {
        let ticket = gate.request()
        return Place(ticket: ticket, orderTicket: gate.holds(ticket) ? settings.order?.request() : nil)
    }

    private func run<Result: Sendable>(
        _ place: Place, _ body: nonisolated(nonsending) @Sendable (Update) async throws -> Result
    ) async throws -> Result {
        do {
            try await gate.enter(with: place.ticket)
        } catch {
            if let orderTicket = place.orderTicket { settings.order?.abandon(orderTicket) }
            throw error
        }
        defer { gate.leave(place.ticket) }
        let orderTicket = place.orderTicket ?? settings.order?.request()
        if let orderTicket { try await settings.order?.enter(with: orderTicket) }
        defer { if let orderTicket { settings.order?.leave(orderTicket) } }
        isStepRunning = true
        defer {
            graph.processPendingChanges()
            graph.endTurn()
            isStepRunning = false
        }
        return try await UpdateScope.$current.withValue(scope(place.ticket, orderTicket)) {
            try await body(Update(context: self, ticket: place.ticket))
        }
    }

    /// Runs a step inside the one that holds `ticket`: a perform on the current update.
    func runInside(
        _ ticket: UpdateGate.Ticket, _ body: nonisolated(nonsending) @Sendable (Update) async throws -> Void
    ) async throws {
        defer {
            graph.processPendingChanges()
            gate.leave(ticket)
        }
        try await body(Update(context: self, ticket: ticket))
    }

    /// Called on the executor's thread between two jobs, when nothing of the actor runs: a step has ended or suspended.
    private nonisolated func jobDidEnd() {
        if isStepRunning { graph.endTurn() }
    }

    private nonisolated func scope(_ ticket: UpdateGate.Ticket, _ orderTicket: UpdateGate.Ticket?) -> UpdateScope {
        UpdateScope(
            gate: ObjectIdentifier(gate), ticket: ticket, order: settings.order.map { ObjectIdentifier($0) },
            orderTicket: orderTicket)
    }
}

extension UpdateGate {
    /// Enters on the calling thread, with errors in the user's words.
    fileprivate func enterWaiting(until deadline: ContinuousClock.Instant, _ holder: String) throws -> Ticket {
        do {
            return try enterAndWait(deadline: deadline, holding: UpdateScope.ticket(of: self))
        } catch GateError.wouldDeadlock {
            throw UpdateError(
                code: .wouldDeadlock,
                message: """
                    This call waits for \(holder), and runs inside it: it would wait for ever. Use the update at hand, or \
                    beginUpdate, which does not wait.
                    """)
        } catch GateError.deadlinePassed {
            throw UpdateError(
                code: .deadlinePassed,
                message: """
                    This call has waited for \(holder) until its deadline. Look for an update that does not end, or use \
                    `try await update`, which does not block.
                    """)
        }
    }

    /// Gives a place up, whether it has been let in or not.
    fileprivate func abandon(_ ticket: Ticket) {
        if !cancel(ticket), holds(ticket) { leave(ticket) }
    }
}
