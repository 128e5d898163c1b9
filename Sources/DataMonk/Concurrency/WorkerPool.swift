import DataMonkCore
import Foundation
import Logging

/// **Shared.** The threads on which updates run: a bounded number for all contexts, separate from Swift's cooperative
/// pool, which blocking commits would exhaust.
///
/// Executors with work form a queue. A thread takes the first executor, runs one of its jobs, and appends it to the queue
/// again if it has more, so that no update starves the others. In a commit, a thread blocks only on a queue whose leader
/// is running, so at least one thread always makes progress. An update that waits for another one (`beginUpdateAndWait`
/// inside an update) may wait for one that itself needs a thread. Such a thread is not counted while it blocks, and
/// another one works in its place. Bodies may block in ways that nobody sees, on a semaphore or a socket: while work waits
/// and nothing has moved for a second, threads are added.
///
///     started, with an executor --> works --no work left--> parked --given an executor--> works
///                                     +--enough are parked--> ends
///
/// ``WorkerPoolState`` makes the decisions; this type starts, parks and wakes threads. It has its own because Dispatch's
/// queues do not fit. A concurrent queue gets no more threads than there are cores, and shares them with Swift's tasks and
/// Dispatch's timers: two commits waiting for the disk would stop every task of a process on two cores. Serial queues get
/// a new thread each whenever none is idle, and many short updates leave hundreds behind. (libdispatch of Swift 6.3,
/// Linux.)
///
/// Invariants, beside those of the state: an executor waits or is with a thread at most once (ensured by
/// ``ExecutorTurns``); `parked` has one place for each thread that the state counts as parked.
final class WorkerPool: Sendable {
    /// The number of threads that durable commits need, whatever the number of cores. While one group is flushed to disk,
    /// with one thread for each member, the next group gathers on the others. A width of 8 would never commit more than 4
    /// together.
    static let shared = WorkerPool(width: 16, maximum: 128)

    private struct State {
        var machine: WorkerPoolState<Entry>
        /// Idle threads, most recently used last: that one is the warmest.
        var parked: [Wakeup<PoolExecutor>] = []
        var watch: DeadlineTimer?

        /// Takes out a parked thread for work that begins; `nil` for a new thread.
        mutating func takeThread() -> Wakeup<PoolExecutor>? { machine.unpark() ? parked.popLast() : nil }
    }

    /// **Value.** An executor that is compared by identity.
    private struct Entry: Equatable, Sendable {
        let executor: PoolExecutor

        init(_ executor: PoolExecutor) { self.executor = executor }

        static func == (left: Entry, right: Entry) -> Bool { left.executor === right.executor }
    }

    private let state: Locked<State>
    private let mark = ThreadMark()
    private let patience: Duration
    private let warn: @Sendable (String) -> Void

    /// - Parameters:
    ///   - width: The number of threads that work, as long as something moves.
    ///   - maximum: The number that may work if nothing does.
    ///   - patience: The time without movement after which threads are added.
    ///   - warn: A closure that receives a warning when no more threads may be added.
    init(
        width: Int, maximum: Int, patience: Duration = .seconds(1),
        warn: @escaping @Sendable (String) -> Void = { Logger(label: "DataMonk").warning("\($0)") }
    ) {
        self.patience = patience
        self.warn = warn
        state = Locked(State(machine: WorkerPoolState(width: width, maximum: maximum)))
    }

    /// Runs a body that may block until another update has ended.
    func whileBlocked<Result>(_ body: () throws -> Result) rethrows -> Result {
        guard mark.isOnCaller else { return try body() }
        let next = state.withLock { state in state.machine.block().map { ($0.executor, state.takeThread()) } }
        if let (executor, thread) = next { give(executor, to: thread) }
        defer { state.withLock { $0.machine.unblock() } }
        return try body()
    }

    /// Adds an executor that has work.
    ///
    /// - Parameter isUrgent: `true` if it must not wait for a thread, even if all of them are busy.
    func schedule(_ executor: PoolExecutor, isUrgent: Bool = false) {
        let (begins, thread, mustWatch) = state.withLock { state -> (Bool, Wakeup<PoolExecutor>?, Bool) in
            if state.machine.schedule(Entry(executor), isUrgent: isUrgent) { return (true, state.takeThread(), false) }
            return (false, nil, state.machine.beginWatch())
        }
        if begins { give(executor, to: thread) }
        if mustWatch { watch() }
    }

    /// Gives a thread to an executor at once, if it waits for one.
    func expedite(_ executor: PoolExecutor) {
        let (begins, thread) = state.withLock { state -> (Bool, Wakeup<PoolExecutor>?) in
            state.machine.expedite(Entry(executor)) ? (true, state.takeThread()) : (false, nil)
        }
        if begins { give(executor, to: thread) }
    }

    // MARK: Growing

    /// Looks at the pool after some time.
    private func watch() {
        let timer = DeadlineTimer(at: .now + patience) { [weak self] in self?.look() }
        state.withLock { $0.watch = timer }
    }

    private func look() {
        let (finding, threads, isWatched) = state.withLock { state in
            let finding = state.machine.look()
            return (finding, finding.work.map { _ in state.takeThread() }, state.machine.isWatched)
        }
        for (entry, thread) in zip(finding.work, threads) { give(entry.executor, to: thread) }
        // On a thread of its own, since the application's log handler may block, and no pool or timer must wait for it.
        if finding.isExhausted { Thread.detachNewThread { [warn] in warn(Self.exhaustion) } }
        if isWatched { watch() }
    }

    private static let exhaustion = """
        All threads for updates and reads are busy, and none has begun or ended anything for a second: what has been begun \
        since waits. Look for bodies that block (semaphores, locks, synchronous requests) and `await` there instead; a \
        suspended body needs no thread.
        """

    // MARK: Threads

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
        while let next = next(after: executor, hasMore: executor.runOne()) { executor = next }
    }

    private enum Step {
        case work(PoolExecutor)
        case park(Wakeup<PoolExecutor>)
        case end
    }

    /// - Parameters:
    ///   - executor: The executor that the thread has worked on.
    ///   - hasMore: `true` if it has more jobs. This thread or a busy one continues with it.
    private func next(after executor: PoolExecutor, hasMore: Bool) -> PoolExecutor? {
        let (step, mustWatch) = state.withLock { state -> (Step, Bool) in
            switch state.machine.next(after: Entry(executor), hasMore: hasMore) {
            case .work(let entry): return (.work(entry.executor), state.machine.beginWatch())
            case .park:
                let place = Wakeup<PoolExecutor>()
                state.parked.append(place)
                return (.park(place), state.machine.beginWatch())
            case .end: return (.end, state.machine.beginWatch())
            }
        }
        if mustWatch { watch() }
        switch step {
        case .work(let executor): return executor
        case .park(let place): return place.wait()
        case .end: return nil
        }
    }
}
