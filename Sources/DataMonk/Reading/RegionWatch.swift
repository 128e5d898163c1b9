import DataMonkCore

/// **Shared.** Waits for a commit that concerns what was read last.
///
///     changed --change()--> reading --look(at:)--> watching --a commit that concerns the region--> changed
///                             |   commits that come meanwhile are kept until the region is known  ^
///                             +------------------------------------------------------------------+
///     any of them --end()--> ended
///
/// Invariant: somebody waits in `watching` only, and one alone.
final class RegionWatch: Sendable {
    private enum State {
        /// Something that was read may have changed, or nothing was read yet.
        case changed
        case reading(ChangeSummary)
        case watching(ReadRegion, CheckedContinuation<Bool, Never>?)
        case ended
    }

    private let state: Locked<State>
    private let observer: CommitObserver

    init(_ stack: Stack) {
        let state = Locked(State.changed)
        self.state = state
        observer = stack.observeChangeSummaries { summary in Self.note(summary, in: state) }
    }

    private static func note(_ summary: ChangeSummary, in state: Locked<State>) {
        let waiting: CheckedContinuation<Bool, Never>? = state.withLock { state in
            switch state {
            case .changed, .ended: return nil
            case .reading(var commits):
                commits.formUnion(summary)
                state = .reading(commits)
                return nil
            case .watching(let region, let waiting):
                guard region.isConcerned(by: summary) else { return nil }
                state = waiting == nil ? .changed : .reading(ChangeSummary())
                return waiting
            }
        }
        waiting?.resume(returning: true)
    }

    /// Waits until something that was read may have changed, and begins a reading. Returns `false` once the task is
    /// cancelled or the watch has ended.
    func change() async -> Bool {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    switch state {
                    case .changed:
                        state = .reading(ChangeSummary())
                        return true
                    case .watching(let region, nil):
                        state = .watching(region, continuation)
                        return nil
                    case .ended: return false
                    case .reading, .watching:
                        stopProgram(
                            """
                            Two tasks have asked one iterator of an observed value for its next value at the same time. \
                            Begin a loop over the sequence in each task.
                            """)
                    }
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            end()
        }
    }

    /// Ends a reading with what was read.
    ///
    /// - Parameter call: The call that observes, for the error.
    /// - Throws: ``/DataMonkCore/FetchError`` if nothing was read: no commit would ever concern it.
    func look(at region: ReadRegion, readBy call: String) throws {
        if region.isEmpty { throw FetchError.nothingRead(by: call) }
        state.withLock { state in
            guard case .reading(let commits) = state else { return }
            state = region.isConcerned(by: commits) ? .changed : .watching(region, nil)
        }
    }

    /// Ends the watch, and the wait for a change.
    func end() {
        observer.cancel()
        let waiting: CheckedContinuation<Bool, Never>? = state.withLock { state in
            defer { state = .ended }
            return if case .watching(_, let waiting) = state { waiting } else { nil }
        }
        waiting?.resume(returning: false)
    }
}

extension FetchError {
    fileprivate static func nothingRead(by call: String) -> FetchError {
        FetchError(
            .invalidRequest,
            """
            The body of \(call) has read nothing through what it was passed, so no commit would have it run again. Read by the \
            body's argument, and take objects from elsewhere by its use(_:).
            """)
    }
}
