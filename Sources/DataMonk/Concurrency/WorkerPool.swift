import DataMonkCore
import DequeModule
import Foundation

/// **Shared.** The threads on which updates run: a bounded number for all contexts, separate from Swift's cooperative
/// pool, which blocking commits would exhaust.
///
/// Executors with work form a queue. A thread takes the first executor, runs one of its jobs, and appends it to the queue
/// again if it has more, so that no update starves the others. In a commit, a thread blocks only on a queue whose leader
/// is running, so at least one thread always makes progress. An update that waits for another one (`beginUpdateAndWait`
/// inside an update) may wait for one that itself needs a thread. Such a thread is not counted while it blocks, and
/// another one works in its place.
///
///     started, with an executor --> works --no work left--> parked --given an executor--> works
///                                     +--enough are parked--> ends
///
/// The pool has its own threads because Dispatch's queues do not fit. A concurrent queue gets no more threads than there
/// are cores, and shares them with Swift's tasks and Dispatch's timers: two commits waiting for the disk would stop every
/// task of a process on two cores. Serial queues get a new thread each whenever none is idle, and many short updates
/// leave hundreds behind. (libdispatch of Swift 6.3, Linux.)
///
/// Invariants: at most `width` threads work, until blocked ones come back; if executors wait, `width` threads work; at
/// most `width` threads are parked; an executor waits or is with a thread at most once (ensured by `PoolExecutor`).
final class WorkerPool: Sendable {
    /// The number of threads that durable commits need, whatever the number of cores. While one group is flushed to disk,
    /// with one thread for each member, the next group gathers on the others. A width of 8 would never commit more than 4
    /// together.
    static let shared = WorkerPool(width: 16)

    private struct State {
        var runnable: Deque<PoolExecutor> = []
        var working = 0
        /// Idle threads, most recently used last: that one is the warmest.
        var parked: [Wakeup<PoolExecutor>] = []
    }

    private let width: Int
    private let state = Locked(State())
    private let mark = ThreadMark()

    init(width: Int) { self.width = width }

    /// Runs a body that may block until another update has ended.
    func whileBlocked<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard mark.isOnCaller else { return try body() }
        let next = state.withLock { state in
            // Its place goes to another thread if there is work, otherwise to the next executor that is scheduled.
            let next = state.runnable.popFirst()
            if next == nil { state.working -= 1 }
            return next.map { ($0, state.parked.popLast()) }
        }
        if let (executor, thread) = next { give(executor, to: thread) }
        defer { state.withLock { $0.working += 1 } }
        return try body()
    }

    /// Adds an executor that has work.
    func schedule(_ executor: PoolExecutor) {
        let (hasPlace, thread) = state.withLock { state -> (Bool, Wakeup<PoolExecutor>?) in
            if state.working >= width {
                state.runnable.append(executor)
                return (false, nil)
            }
            state.working += 1
            return (true, state.parked.popLast())
        }
        if hasPlace { give(executor, to: thread) }
    }

    /// - Parameter thread: A parked thread; `nil` for a new one.
    private func give(_ executor: PoolExecutor, to thread: Wakeup<PoolExecutor>?) {
        if let thread { return thread.wake(with: executor) }
        let thread = Thread { [self] in
            mark.setOnCaller()
            work(on: executor)
        }
        thread.name = "DataMonk update"
        thread.start()
    }

    private func work(on first: PoolExecutor) {
        var executor = first
        while let next = next(after: executor.runOne() ? executor : nil) { executor = next }
    }

    private enum Step {
        case work(PoolExecutor)
        case park(Wakeup<PoolExecutor>)
        case end
    }

    /// - Parameter unfinished: The executor that the thread has worked on, if it has more jobs. This thread or a busy one
    ///   continues with it.
    private func next(after unfinished: PoolExecutor?) -> PoolExecutor? {
        let step = state.withLock { state -> Step in
            if let unfinished { state.runnable.append(unfinished) }
            // More than `width` threads work after blocked ones have come back.
            if state.working <= width, let executor = state.runnable.popFirst() { return .work(executor) }
            state.working -= 1
            if state.parked.count == width { return .end }
            let place = Wakeup<PoolExecutor>()
            state.parked.append(place)
            return .park(place)
        }
        switch step {
        case .work(let executor): return executor
        case .park(let place): return place.wait()
        case .end: return nil
        }
    }
}
