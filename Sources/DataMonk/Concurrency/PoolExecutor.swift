import DataMonkCore
import DequeModule
import Synchronization

/// **Shared.** The executor of one update context: its jobs run one after the other on the pool's threads.
///
///     idle --enqueue--> scheduled --runOne, nothing left--> idle
///                          +-------runOne, more jobs------> scheduled
///
/// Invariant: the executor is with the pool exactly while it is scheduled.
final class PoolExecutor: SerialExecutor {
    private struct State {
        var jobs: Deque<UnownedJob> = []
        var isScheduled = false
        var jobsRun = 0
        /// Runs after each job, on its thread: the body has ended or suspended, so what it held for a turn is given back.
        var afterJob: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    /// The thread that runs a job at this moment.
    private let thread = OwnerThread()
    /// The thread that runs a step in the jobs' stead, and waits for nobody meanwhile.
    let waitingThread = OwnerThread()
    /// True while a step runs in the executor's jobs. Other jobs of it may come between its own; they are not the step's.
    private let hasStep = Atomic(false)
    private let pool: WorkerPool

    init(pool: WorkerPool = .shared) { self.pool = pool }

    func setAfterJob(_ body: (@Sendable () -> Void)?) { state.withLock { $0.afterJob = body } }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let mustSchedule = state.withLock { state in
            state.jobs.append(job)
            defer { state.isScheduled = true }
            return !state.isScheduled
        }
        if mustSchedule { pool.schedule(self) }
    }

    /// Whether the calling thread runs a job of this executor.
    var isRunningOnCaller: Bool { thread.isCaller }

    /// A step begins or ends that runs in jobs.
    func beginStep() { hasStep.store(true, ordering: .relaxed) }
    func endStep() { hasStep.store(false, ordering: .relaxed) }

    /// True on the thread that runs a step: one in jobs, or one that it waits for. There is never more than one.
    var isStepOnCaller: Bool { waitingThread.isCaller || hasStep.load(ordering: .relaxed) && thread.isCaller }

    /// How many jobs it has run; nil while one runs or waits for a thread.
    var jobsRun: Int? { state.withLock { $0.isScheduled ? nil : $0.jobsRun } }

    /// Runs the first job. Returns whether there are more.
    func runOne() -> Bool {
        if let job = state.withLock({ $0.jobs.popFirst() }) {
            thread.begin()
            defer { thread.end() }
            job.runSynchronously(on: asUnownedSerialExecutor())
            state.withLock { $0.afterJob }?()
        }
        return state.withLock { state in
            state.jobsRun += 1
            state.isScheduled = !state.jobs.isEmpty
            return state.isScheduled
        }
    }
}
