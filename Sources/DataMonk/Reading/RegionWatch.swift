import DataMonkCore

/// **Shared.** Waits for a commit that concerns what was read last.
///
///     changed --change()--> reading --look(at:)--> watching --a commit that concerns the region--> changed
///                             |  commits that come meanwhile are kept until the region is known  ^
///                             +-----------------------------------------------------------------+
///
/// Invariant: somebody waits in `watching` only.
final class RegionWatch: Sendable {
    private enum State {
        /// Something that was read may have changed, or nothing was read yet.
        case changed
        case reading([ChangeSet])
        case watching(ReadRegion, CheckedContinuation<Bool, Never>?)
        case ended
    }

    /// The number of commits that are kept during a reading. After more, everything may have changed.
    private static let capacity = 64

    private let state: Locked<State>
    private let observer: CommitObserver

    init(_ stack: Stack) {
        let state = Locked(State.changed)
        self.state = state
        observer = stack.observeChangeSets { changes in Self.note(changes, in: state) }
    }

    private static func note(_ changes: ChangeSet, in state: Locked<State>) {
        let waiting: CheckedContinuation<Bool, Never>? = state.withLock { state in
            switch state {
            case .changed, .ended: return nil
            case .reading(let commits):
                state = commits.count == capacity ? .changed : .reading(commits + [changes])
                return nil
            case .watching(let region, let waiting):
                guard region.isConcerned(by: changes) else { return nil }
                state = waiting == nil ? .changed : .reading([])
                return waiting
            }
        }
        waiting?.resume(returning: true)
    }

    /// Waits until what was read may have changed, and begins a reading. Returns `false` once the task is cancelled.
    func change() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    switch state {
                    case .changed:
                        state = .reading([])
                        return true
                    case .watching(let region, _):
                        state = .watching(region, continuation)
                        return nil
                    // A reading that has failed is the last one.
                    case .reading, .ended: return false
                    }
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            let waiting: CheckedContinuation<Bool, Never>? = state.withLock { state in
                defer { state = .ended }
                return if case .watching(_, let waiting) = state { waiting } else { nil }
            }
            waiting?.resume(returning: false)
        }
    }

    /// Ends a reading with what was read.
    func look(at region: ReadRegion) {
        state.withLock { state in
            guard case .reading(let commits) = state else { return }
            state = commits.contains(where: region.isConcerned) ? .changed : .watching(region, nil)
        }
    }
}
