import DataMonkCore
import DequeModule
import Dispatch

/// **Shared.** The threads that updates run on: a bounded number for all contexts, and never those of Swift's
/// cooperative pool, which a blocking commit would use up.
///
/// Executors with work queue up; a thread takes the first one, runs one job of it, and puts it back at the end if it has
/// more: no update starves the others. In a commit a thread blocks only on a queue whose leader is running; so there is
/// always one that makes progress. Who waits for another update (`beginUpdateAndWait` inside of one) may wait for one
/// that needs a thread itself: such a thread does not count while it blocks, and another one works in its place.
///
/// Each thread comes by a serial queue of its own. The blocks of a concurrent queue get no more threads than there are
/// cores (a blocked one is replaced a second later), and share them with Swift's cooperative pool and Dispatch's timers:
/// two commits that waited for the disk would stop every task of a process on two cores. (libdispatch of Swift 6.3, Linux.)
///
/// Invariants: at most `width` threads work, for as long as no blocked one comes back; if executors wait, `width` threads
/// work; an executor is in the queue or with a thread at most once (`PoolExecutor` sees to that).
final class WorkerPool: Sendable {
    /// As many as durable commits want, whatever the number of cores: while one group is flushed to the disk, each of its
    /// members on a thread, the next group gathers on the others. 8 would never commit more than 4 together.
    static let shared = WorkerPool(width: 16)

    private struct State {
        var runnable: Deque<PoolExecutor> = []
        var working = 0
        /// Queues that no thread works on, to be used again.
        var idle: [DispatchQueue] = []
    }

    private let width: Int
    private let state = Locked(State())
    private let mark = DispatchSpecificKey<Bool>()

    init(width: Int) { self.width = width }

    /// Runs a body that may block until another update has ended.
    func whileBlocked<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard DispatchQueue.getSpecific(key: mark) == true else { return try body() }
        let needsThread = state.withLock { state in
            // Its place goes to a new thread if there is work, else to whoever schedules some.
            if !state.runnable.isEmpty { return true }
            state.working -= 1
            return false
        }
        if needsThread { startThread() }
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
        if needsThread { startThread() }
    }

    private func startThread() {
        let queue = state.withLock { $0.idle.popLast() } ?? makeQueue()
        queue.async { self.work(on: queue) }
    }

    private func makeQueue() -> DispatchQueue {
        let queue = DispatchQueue(label: "DataMonk.updates")
        queue.setSpecific(key: mark, value: true)
        return queue
    }

    private func work(on queue: DispatchQueue) {
        var unfinished: PoolExecutor?
        while let executor = next(for: queue, unfinished) {
            unfinished = executor.runOne() ? executor : nil
        }
    }

    /// - Parameter unfinished: what the thread has worked on, and has more jobs. This thread or a busy one takes it up.
    private func next(for queue: DispatchQueue, _ unfinished: PoolExecutor?) -> PoolExecutor? {
        state.withLock { state in
            if let unfinished { state.runnable.append(unfinished) }
            // Too many work where blocked ones have come back.
            if state.working <= width, let executor = state.runnable.popFirst() { return executor }
            state.working -= 1
            // What it is given next runs when this block has returned.
            if state.idle.count < width { state.idle.append(queue) }
            return nil
        }
    }
}
