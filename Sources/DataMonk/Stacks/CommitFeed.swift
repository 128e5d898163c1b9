import DataMonkCore
import DequeModule

/// **Shared.** A bounded queue of the commits that a reader of `commits` has not consumed yet.
///
///     empty --add--> commits --add, when full--> one commit that says everything may have changed
///       ^              |                            |
///       +-----next-----+-------------next-----------+
///
/// Invariant: while a call of `next` waits, the queue is empty.
final class CommitFeed: Sendable {
    private struct State {
        var commits: Deque<Commit> = []
        var waiting: Deque<CheckedContinuation<Commit?, Never>> = []
        var hasEnded = false
    }

    /// The maximum number of queued commits.
    static let capacity = 1_024

    private let state = Locked(State())

    func add(_ commit: Commit) {
        let waiting: CheckedContinuation<Commit?, Never>? = state.withLock { state in
            if let first = state.waiting.popFirst() { return first }
            if state.commits.count == Self.capacity {
                state.commits = [Commit(inserted: [], updated: [], deleted: [], isEverything: true)]
            } else {
                state.commits.append(commit)
            }
            return nil
        }
        waiting?.resume(returning: commit)
    }

    /// Waits for the next commit. Returns `nil` once the task is cancelled.
    func next() async -> Commit? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let commit: Commit?? = state.withLock { state in
                    if state.hasEnded { return .some(nil) }
                    if let first = state.commits.popFirst() { return first }
                    state.waiting.append(continuation)
                    return nil
                }
                if let commit { continuation.resume(returning: commit) }
            }
        } onCancel: {
            end()
        }
    }

    private func end() {
        let waiting = state.withLock { state in
            state.hasEnded = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: nil) }
    }
}
