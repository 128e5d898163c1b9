import DataMonkCore

/// **Shared.** A handle of an update, with which to await its end or cancel it.
///
///     let handle = World.beginUpdate { update in … }
///     try await handle.value                              // rethrows what the body threw
///
/// Discarding the handle has no effect: the update runs, and its error goes to the stack's error handler. Once ``value``
/// has been requested, only the caller receives the error.
public final class UpdateHandle: Sendable {
    private let task: Task<Void, any Error>
    /// The number of callers that await the outcome, or have received it. With none, nobody receives the error.
    private let awaiters = Locked(0)
    private let party: WaitParticipant
    /// The time for which the update before it may make no progress until that is looked into.
    private let timeout: Duration
    private let stack: Stack

    init(
        stack: Stack, party: WaitParticipant, timeout: Duration,
        run: @GateActor @escaping @Sendable () async throws -> Void
    ) {
        self.party = party
        self.timeout = timeout
        self.stack = stack
        let awaiters = awaiters
        let work = Locked<Work?>(Work(run: run))
        // The update has the caller's task-local values, except for the step: this update is a step of its own.
        task = UpdateScope.$current.withValue(nil) {
            Task { @GateActor in
                do {
                    try await work.withLock { $0 }?.run()
                    await Self.release(work)
                } catch {
                    await Self.release(work)
                    if awaiters.withLock({ $0 }) == 0 { await Self.report(error, to: stack) }
                    throw error
                }
            }
        }
    }

    /// Calls the application's handler, off the actor of the gates.
    @concurrent private static func report(_ error: any Error, to stack: Stack) async { stack.handleError(error) }

    private struct Work: Sendable { let run: @GateActor @Sendable () async throws -> Void }

    /// Releases the body, with what it captures and often the last reference to a context. That runs the application's
    /// code and may take long, so it is done off the actor of the gates.
    @concurrent private static func release(_ work: Locked<Work?>) async {
        let last = work.withLock { work in
            defer { work = nil }
            return work
        }
        _ = consume last
    }

    /// Waits until the update has ended.
    ///
    /// - Throws: The error of the update's body; `CancellationError` if the update was cancelled before its turn came;
    ///   ``UpdateError`` inside an update that this one waits for: with the code `wouldDeadlock` at once, in a task that the
    ///   update has begun with the code `deadlinePassed` after the context's deadline. After an ``UpdateError``, this update
    ///   still runs when its turn comes.
    public var value: Void {
        get async throws {
            guard let waiter = UpdateScope.current else { return try await outcome }
            guard waiter.isOfThisFlow else { return try await waiter.whileWaiting(for: party) { try await outcome } }
            do {
                if waiter.party === party { throw WaitGraph.Refusal.cycle(holder: party.call) }
                try WaitGraph.shared.begin(waiter.party, waitingFor: .party(party))
            } catch {
                // Here the update of the handle waits, for the update of the caller.
                throw UpdateError.wouldWaitForItself(waiter: party.call, holder: waiter.party.call)
            }
            defer { WaitGraph.shared.remove(waiter.party, waitingFor: .party(party)) }
            try await outcome
        }
    }

    private var outcome: Void {
        get async throws {
            awaiters.withLock { $0 += 1 }
            // In a task of this very update, which the update may await.
            let isOwn = UpdateScope.current?.party === party
            if WaitGraph.shared.last(from: party) === party, !isOwn { return try await task.value }
            return try await outcomeUnlessStalled(isOwn: isOwn)
        }
    }

    /// Waits for an update that may not have its turn yet: the update before it may wait for the code that awaits this
    /// one.
    private func outcomeUnlessStalled(isOwn: Bool) async throws {
        try await withCheckedThrowingContinuation { continuation in
            let waiting = Locked<CheckedContinuation<Void, any Error>?>(continuation)
            let end: @Sendable (Result<Void, any Error>) -> Void = { result in
                let first = waiting.withLock { waiting in
                    defer { waiting = nil }
                    return waiting
                }
                first?.resume(with: result)
            }
            let timer = StallTimer(of: party, interval: timeout, stack: stack) { [party] in
                let last = WaitGraph.shared.last(from: party)
                return last === party && !isOwn ? nil : last
            } giveUp: { [party, awaiters] holder in
                // This caller does not receive the update's own error.
                awaiters.withLock { $0 -= 1 }
                end(.failure(UpdateError.deadlinePassed(waiter: party.call, holder: holder.call)))
            }
            // Ends with the update, and then ends the timer.
            Task.detached { [task] in
                let result = await task.result
                timer.cancel()
                end(result)
            }
        }
    }

    /// Requests that the update stops. Before its turn, it does not run at all. Later, `Task.isCancelled` is `true` in
    /// its body, and its fetches throw `CancellationError`.
    public func cancel() { task.cancel() }
}
