import DataMonkCore
import DequeModule
import Foundation

/// **Shared.** The threads that updates run on: a bounded number for all contexts, and never those of Swift's
/// cooperative pool, which a blocking commit would use up.
///
/// Executors with work queue up; a thread takes the first one, runs one job of it, and puts it back at the end if it has
/// more: no update starves the others. In a commit a thread blocks only on a queue whose leader is running; so there is
/// always one that makes progress. Who waits for another update (`beginUpdateAndWait` inside of one) may wait for one
/// that needs a thread itself: such a thread does not count while it blocks, and another one works in its place.
///
///     started, with an executor --> works --nothing to do--> parked --handed an executor--> works
///                                     +--enough are parked--> ends
///
/// The threads are the pool's own, for those of Dispatch's queues are not to be had: a concurrent queue gets no more than
/// there are cores, shared with Swift's tasks and Dispatch's timers, so that two commits which waited for the disk would stop
/// every task of a process on two cores; a serial queue each gets a new thread whenever none is at rest, and many short
/// updates leave hundreds behind. (libdispatch of Swift 6.3, Linux.)
///
/// Invariants: at most `width` threads work, for as long as no blocked one comes back; if executors wait, `width` threads
/// work; at most `width` threads are parked; an executor waits or is with a thread at most once (`PoolExecutor` sees to
/// that).
final class WorkerPool: Sendable {
    /// As many as durable commits want, whatever the number of cores: while one group is flushed to the disk, each of its
    /// members on a thread, the next group gathers on the others. 8 would never commit more than 4 together.
    static let shared = WorkerPool(width: 16)

    private struct State {
        var runnable: Deque<PoolExecutor> = []
        var working = 0
        /// The threads that nothing is to do for, the last one first: it is the warmest.
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
            // Its place goes to another thread if there is work, else to whoever schedules some.
            let next = state.runnable.popFirst()
            if next == nil { state.working -= 1 }
            return next.map { ($0, state.parked.popLast()) }
        }
        if let (executor, thread) = next { give(executor, to: thread) }
        defer { state.withLock { $0.working += 1 } }
        return try body()
    }

    /// An executor has work.
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

    /// - Parameter thread: one that was parked; nil for a new one.
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

    /// - Parameter unfinished: what the thread has worked on, and has more jobs. This thread or a busy one takes it up.
    private func next(after unfinished: PoolExecutor?) -> PoolExecutor? {
        let step = state.withLock { state -> Step in
            if let unfinished { state.runnable.append(unfinished) }
            // Too many work where blocked ones have come back.
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
