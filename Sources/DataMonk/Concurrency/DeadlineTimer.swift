import Dispatch

/// **Shared.** Calls once at a moment, unless it was cancelled before.
///
/// Not a sleeping task: where threads are blocked that should not be, tasks may find none to run on.
final class DeadlineTimer: Sendable {
    /// Its own: those of the global queues wait until one of its threads, no more than there are cores, has nothing else to
    /// do. The bodies that run here block nowhere.
    private static let queue = DispatchQueue(label: "DataMonk.deadlines")

    // nonisolated(unsafe): a work item may be cancelled from any thread, and is set once.
    private nonisolated(unsafe) let item: DispatchWorkItem

    init(at deadline: ContinuousClock.Instant, _ body: @escaping @Sendable () -> Void) {
        item = DispatchWorkItem(block: body)
        let remaining = min(max(ContinuousClock.now.duration(to: deadline), .zero), Self.longest)
        Self.queue.asyncAfter(
            deadline: .now() + .nanoseconds(Int(remaining / .nanoseconds(1))), execute: item)
    }

    /// Whoever waits longer than a year is not helped by an error.
    private static var longest: Duration { .seconds(31_536_000) }

    func cancel() { item.cancel() }
}
