import DataMonkCore

/// **Shared.** An update under way: await its end, or cancel it.
///
///     let handle = World.beginUpdate { update in … }
///     try await handle.value                              // rethrows what the body threw
///
/// A handle that nobody keeps changes nothing: the update runs, and its error goes to the stack's error handler. Once
/// ``value`` has been asked for, the error is the caller's alone.
public final class UpdateHandle: Sendable {
    private let task: Task<Void, any Error>
    /// Whether somebody waits for the outcome and will see the error.
    private let isAwaited = Locked(false)
    private let party: WaitParty
    /// How long the update before it may have done nothing before who awaits this one is told.
    private let patience: Duration

    init(stack: Stack, _ party: WaitParty, patience: Duration, _ run: @escaping @Sendable () async throws -> Void) {
        self.party = party
        self.patience = patience
        let isAwaited = isAwaited
        // The caller's task-local values are the update's, but for the step that the caller is in: this is another one.
        task = UpdateScope.$current.withValue(nil) {
            Task {
                do {
                    try await run()
                } catch {
                    if !isAwaited.withLock({ $0 }) { stack.report(error) }
                    throw error
                }
            }
        }
    }

    /// Ends when the update has ended.
    ///
    /// - Throws: what the update's body threw; `CancellationError` if it was cancelled before its turn came;
    ///   ``UpdateError`` inside an update that this one waits for, and if the one that it waits for has suspended and done
    ///   nothing until the context's deadline. This one goes on then, and runs when its turn comes.
    public var value: Void {
        get async throws {
            guard let waiter = UpdateScope.partyOfThisFlow, waiter !== party else { return try await outcome }
            WaitGraph.shared.add(waiter, waitingFor: .party(party))
            defer { WaitGraph.shared.remove(waiter, waitingFor: .party(party)) }
            do {
                try WaitGraph.shared.check(waiter)
            } catch {
                // Who waits here is the update of the handle: for the one that the caller is in.
                throw UpdateError.wouldWaitForItself(party.call, waiter.call)
            }
            return try await outcome
        }
    }

    private var outcome: Void {
        get async throws {
            isAwaited.withLock { $0 = true }
            if WaitGraph.shared.last(from: party) === party { return try await task.value }
            do {
                try await outcomeUnlessStalled
            } catch let error as UpdateError where error.waiter == party.call && error.code == .deadlinePassed {
                // The update's own error is nobody's yet.
                isAwaited.withLock { $0 = false }
                throw error
            }
        }
    }

    /// Of an update that has not got its turn: the one before it may wait for whoever awaits this one.
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
                let timer = StallTimer(interval: patience) { [party] in
                    let last = WaitGraph.shared.last(from: party)
                    return last === party ? nil : last
                } onStall: { [party] holder in
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

    /// Asks the update to stop: before its turn it does not run at all; later its body sees
    /// `Task.isCancelled`, and its fetches end with `CancellationError`.
    public func cancel() { task.cancel() }
}
