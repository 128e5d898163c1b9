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

    init(stack: Stack, _ party: WaitParty, _ run: @escaping @Sendable () async throws -> Void) {
        self.party = party
        let isAwaited = isAwaited
        task = Task.detached {
            do {
                try await run()
            } catch {
                if !isAwaited.withLock({ $0 }) { stack.report(error) }
                throw error
            }
        }
    }

    /// Ends when the update has ended.
    ///
    /// - Throws: what the update's body threw; `CancellationError` if it was cancelled before its turn came;
    ///   ``UpdateError`` inside an update that this one waits for. It goes on then, and runs when its turn comes.
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
            try await task.value
        }
    }

    /// Asks the update to stop: before its turn it does not run at all; later its body sees
    /// `Task.isCancelled`, and its fetches end with ``FetchError``.
    public func cancel() { task.cancel() }
}
