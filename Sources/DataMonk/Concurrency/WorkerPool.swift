import DataMonkCore
import DequeModule
import Dispatch
import Foundation

/// **Shared.** The threads that updates run on: a bounded number for all contexts, and never those of Swift's
/// cooperative pool, which a blocking commit would use up.
///
/// Executors with work queue up; a thread takes the first one, runs one job of it, and puts it back at the end if it has
/// more: no update starves the others. In a commit a thread blocks only on a queue whose leader is running; so there is
/// always one that makes progress. Who waits for another update (`beginUpdateAndWait` inside of one) may wait for one
/// that needs a thread itself: such a thread does not count while it blocks, and another one works in its place.
///
/// Invariants: at most `width` threads work, for as long as no blocked one comes back; if executors wait, `width` threads
/// work; an executor is in the queue or with a thread at most once (`PoolExecutor` sees to that).
final class WorkerPool: Sendable {
    static let shared = WorkerPool(width: min(16, max(8, 2 * ProcessInfo.processInfo.activeProcessorCount)))

    private struct State {
        var runnable: Deque<PoolExecutor> = []
        var working = 0
    }

    private let width: Int
    private let state = Locked(State())
    private let threads = DispatchQueue(label: "DataMonk.updates", attributes: .concurrent)
    private let mark = DispatchSpecificKey<Bool>()

    init(width: Int) {
        self.width = width
        threads.setSpecific(key: mark, value: true)
    }

    /// Runs a body that may block until another update has ended.
    func whileBlocked<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard DispatchQueue.getSpecific(key: mark) == true else { return try body() }
        let needsThread = state.withLock { state in
            // Its place goes to a new thread if there is work, else to whoever schedules some.
            if !state.runnable.isEmpty { return true }
            state.working -= 1
            return false
        }
        if needsThread { threads.async { self.work() } }
        defer { state.withLock { $0.working += 1 } }
        return try body()
    }

    /// An executor has work.
    func schedule(_ executor: PoolExecutor) {
        let needsThread = state.withLock { state in
            state.runnable.append(executor)
            if state.working >= width { return false }
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
            // Too many work where blocked ones have come back.
            if state.working <= width, let executor = state.runnable.popFirst() { return executor }
            state.working -= 1
            return nil
        }
    }
}
