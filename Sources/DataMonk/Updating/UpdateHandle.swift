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
    /// Indicates whether someone awaits the outcome and will receive the error.
    private let isAwaited = Locked(false)
    private let party: WaitParticipant
    /// The time for which the update before it may make no progress until that is looked into.
    private let timeout: Duration
    private let stack: Stack

    init(
        stack: Stack, _ party: WaitParticipant, timeout: Duration,
        _ run: @GateActor @escaping @Sendable () async throws -> Void
    ) {
        self.party = party
        self.timeout = timeout
        self.stack = stack
        let isAwaited = isAwaited
        // The update has the caller's task-local values, except for the step: this update is a step of its own.
        task = UpdateScope.$current.withValue(nil) {
            Task { @GateActor in
                do {
                    try await run()
                } catch {
                    if !isAwaited.withLock({ $0 }) { await Self.report(error, to: stack) }
                    throw error
                }
            }
        }
    }

    /// Calls the application's handler, off the actor of the gates.
    @concurrent private static func report(_ error: any Error, to stack: Stack) async { stack.report(error) }

    /// Waits until the update has ended.
    ///
    /// - Throws: The error of the update's body; `CancellationError` if the update was cancelled before its turn came;
    ///   ``UpdateError`` inside an update that this one waits for: with the code `wouldDeadlock` at once, in a task that the
    ///   update has begun with the code `deadlinePassed` after the context's deadline. After an ``UpdateError``, this update
    ///   still runs when its turn comes.
    public var value: Void {
        get async throws {
            guard let waiter = UpdateScope.current, waiter.party !== party else { return try await outcome }
            try await waiter.whileWaiting(for: party) {
                do {
                    if waiter.isOfThisFlow { try WaitGraph.shared.check(waiter.party) }
                } catch {
                    // Here the update of the handle waits, for the update of the caller.
                    throw UpdateError.wouldWaitForItself(party.call, waiter.party.call)
                }
                try await outcome
            }
        }
    }

    private var outcome: Void {
        get async throws {
            isAwaited.withLock { $0 = true }
            if WaitGraph.shared.last(from: party) === party { return try await task.value }
            do {
                try await outcomeUnlessStalled
            } catch let error as UpdateError where error.waiter == party.call && error.code == .deadlinePassed {
                // No one has received the update's own error yet.
                isAwaited.withLock { $0 = false }
                throw error
            }
        }
    }

    /// Waits for an update that may not have its turn yet: the update before it may wait for the code that awaits this
    /// one.
    private var outcomeUnlessStalled: Void {
        get async throws {
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
                    return last === party ? nil : last
                } giveUp: { [party] holder in
                    end(.failure(UpdateError.deadlinePassed(party.call, holder.call)))
                }
                // Ends with the update, and then ends the timer.
                Task.detached { [task] in
                    let result = await task.result
                    timer.cancel()
                    end(result)
                }
            }
        }
    }

    /// Requests that the update stops. Before its turn, it does not run at all. Later, `Task.isCancelled` is `true` in
    /// its body, and its fetches throw `CancellationError`.
    public func cancel() { task.cancel() }
}
