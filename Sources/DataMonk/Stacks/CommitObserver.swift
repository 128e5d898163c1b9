public import DataMonkCore

/// **Value.** A commit, as observers hear of it: what changed, by id.
public struct Commit: Sendable {
    /// New objects.
    public let inserted: [AnyObjectID]
    /// Objects with new values.
    public let updated: [AnyObjectID]
    /// Objects that are gone.
    public let deleted: [AnyObjectID]
    /// Whether more may have changed than is named: a batch request of more than 10,000 objects, another process has
    /// committed, or more commits came than waited to be taken. What of another process a fetch finds, or a refresh, comes by itself and names nothing.
    public let isEverything: Bool
}

/// **Shared.** Keeps an observation of commits alive; the calls stop when it goes, or is cancelled.
public final class CommitObserver: Sendable {
    private let stop: @Sendable () -> Void

    init(stop: @escaping @Sendable () -> Void) { self.stop = stop }

    deinit { stop() }

    /// Stops the calls.
    public func cancel() { stop() }
}
