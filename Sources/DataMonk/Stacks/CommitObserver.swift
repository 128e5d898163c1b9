public import DataMonkCore

/// **Value.** A commit as observers receive it: the ids of the objects that changed.
public struct Commit: Sendable {
    /// The inserted objects.
    public let inserted: [AnyObjectID]
    /// The objects with new values.
    public let updated: [AnyObjectID]
    /// The deleted objects.
    public let deleted: [AnyObjectID]
    /// A Boolean value indicating whether more objects may have changed than are listed: after a batch request on more than
    /// 10,000 objects, after a commit by another process, or if commits arrived faster than they were consumed. Another
    /// process's changes that a fetch or a refresh finds arrive as a commit of their own, which lists no objects.
    public let isEverything: Bool
}

/// **Shared.** Keeps an observation of commits alive. The calls stop when it is released or cancelled.
public final class CommitObserver: Sendable {
    private let stop: @Sendable () -> Void

    init(stop: @escaping @Sendable () -> Void) { self.stop = stop }

    /// Observes by signals, none of which arrives after the end.
    convenience init(_ signal: CommitSignal, observe: (@escaping @Sendable () -> Void) -> CommitObserver) {
        let observer = observe { signal.send() }
        self.init {
            signal.end()
            observer.cancel()
        }
    }

    deinit { stop() }

    /// Stops the calls.
    public func cancel() { stop() }
}
