import Dispatch

/// **Shared.** Calls once at a moment, unless it was cancelled or let go of before.
///
/// Not a sleeping task: where threads are blocked that should not be, tasks may find none to run on. Not a delayed block
/// either: a cancelled one would stay with Dispatch until its time comes, and most deadlines are cancelled.
final class DeadlineTimer: Sendable {
    /// Its own: those of the global queues wait until one of its threads, no more than there are cores, has nothing else to
    /// do. The bodies that run here block nowhere.
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

    /// Whoever waits longer than a year is not helped by an error.
    private static var longest: Duration { .seconds(31_536_000) }

    func cancel() { source.cancel() }
}
