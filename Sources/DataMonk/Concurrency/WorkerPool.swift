import DataMonkCore
import DequeModule
import Dispatch
import Foundation

/// **Shared.** The threads that updates run on: a bounded number for all contexts, and never those of Swift's
/// cooperative pool, which a blocking commit would use up.
///
/// Executors with work queue up; a thread takes the first one, runs one job of it, and puts it back at the end if it has
/// more: no update starves the others. A thread blocks only in a commit, on a queue whose leader is running; so there
/// is always one that makes progress.
///
/// Invariants: at most `width` threads work; if executors wait, `width` threads work; an executor is in the queue or
/// with a thread at most once (`PoolExecutor` sees to that).
final class WorkerPool: Sendable {
    static let shared = WorkerPool(width: min(16, max(8, 2 * ProcessInfo.processInfo.activeProcessorCount)))

    private struct State {
        var runnable: Deque<PoolExecutor> = []
        var working = 0
    }

    private let width: Int
    private let state = Locked(State())
    private let threads = DispatchQueue(label: "DataMonk.updates", attributes: .concurrent)

    init(width: Int) { self.width = width }

    /// An executor has work.
    func schedule(_ executor: PoolExecutor) {
        let needsThread = state.withLock { state in
            state.runnable.append(executor)
            if state.working == width { return false }
            state.working += 1
            return true
        }
        if needsThread { threads.async { self.work() } }
    }

    private func work() {
        while let executor = next() {
            if executor.runOne() { schedule(executor) }
        }
    }

    private func next() -> PoolExecutor? {
        state.withLock { state in
            if let executor = state.runnable.popFirst() { return executor }
            state.working -= 1
            return nil
        }
    }
}
