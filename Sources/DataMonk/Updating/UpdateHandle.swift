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

    init(stack: Stack, _ run: @escaping @Sendable () async throws -> Void) {
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
    /// - Throws: what the update's body threw; `CancellationError` if it was cancelled before its turn came.
    public var value: Void {
        get async throws {
            isAwaited.withLock { $0 = true }
            try await task.value
        }
    }

    /// Asks the update to stop: before its turn it does not run at all; later its body sees `Task.isCancelled`.
    public func cancel() { task.cancel() }
}
