/// **Confined.** An observation of a context, which ends when it is released or cancelled.
///
/// The context references it weakly and removes it at its next notice, so releasing the last reference runs no other
/// code.
public final class ContextObservation {
    private(set) var isCancelled = false

    package init() {}

    /// Ends the observation.
    public func cancel() { isCancelled = true }

    /// Returns a closure that calls `body`, and returns `false` once the observation has ended.
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
