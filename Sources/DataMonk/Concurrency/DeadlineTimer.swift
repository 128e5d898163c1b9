import Dispatch

/// **Shared.** Calls a block once at a deadline, unless the timer is cancelled or released before.
///
/// A sleeping task would not do: when threads are blocked that should not be, there may be none left to run it. A delayed
/// block would not do either: Dispatch keeps a cancelled one until its time comes, and most deadlines are cancelled.
final class DeadlineTimer: Sendable {
    /// A queue of its own: timers of the global queues wait until one of their threads, of which there are no more than
    /// cores, is free. The blocks that run here do not block.
    private static let queue = DispatchQueue(label: "DataMonk.deadlines")

    // nonisolated(unsafe): set once, and a source may be cancelled from any thread.
    private nonisolated(unsafe) let source: any DispatchSourceTimer

    init(at deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) {
        source = DispatchSource.makeTimerSource(queue: Self.queue)
        let remaining = min(max(ContinuousClock.now.duration(to: deadline), .zero), Self.longest)
        source.schedule(deadline: .now() + .nanoseconds(Int(remaining / .nanoseconds(1))))
        source.setEventHandler(handler: body)
        source.resume()
    }

    deinit { source.cancel() }

    /// A longer wait than a year does not need an error.
    private static var longest: Duration { .seconds(31_536_000) }

    func cancel() { source.cancel() }
}
