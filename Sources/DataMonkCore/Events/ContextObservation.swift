/// **Confined.** An observation of a context; it ends when this goes, or is cancelled.
///
/// The context holds it weakly and forgets it at its next notice: nothing happens where the last reference is dropped.
public final class ContextObservation {
    private(set) var isCancelled = false

    package init() {}

    /// Ends the observation.
    public func cancel() { isCancelled = true }

    /// A call of `body` that tells whether the observation goes on.
    package func guarding<Notice>(_ body: @escaping (Notice) -> Void) -> (Notice) -> Bool {
        { [weak self] notice in
            guard let self, !self.isCancelled else { return false }
            body(notice)
            return !self.isCancelled
        }
    }
}

@available(*, unavailable)
extension ContextObservation: Sendable {}
