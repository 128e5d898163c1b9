import DataMonkCore
import DequeModule
import Synchronization

/// **Shared.** The executor of one update context, which runs its jobs one after the other on threads of the pool.
///
///     idle --enqueue--> scheduled --runOne, nothing left--> idle
///                          +-------runOne, more jobs------> scheduled
///
/// Invariant: the pool has the executor exactly while it is scheduled.
final class PoolExecutor: SerialExecutor {
    private struct State {
        var jobs: Deque<UnownedJob> = []
        var isScheduled = false
        var jobsRun = 0
        /// Runs after each job, on its thread. The body has ended or suspended, so that everything held for one turn is
        /// released.
        var afterJob: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    /// The thread that currently runs a job.
    private let thread = OwnerThread()
    /// The thread that runs a step instead of the jobs; it waits for no one meanwhile.
    let waitingThread = OwnerThread()
    /// `true` while a step runs in the executor's jobs. Jobs that are not the step's may run in between.
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

    /// Indicates whether the calling thread runs a job of this executor.
    var isRunningOnCaller: Bool { thread.isCaller }

    /// Begins a step that runs in jobs; `endStep` ends it.
    func beginStep() { hasStep.store(true, ordering: .relaxed) }
    func endStep() { hasStep.store(false, ordering: .relaxed) }

    /// Indicates whether the calling thread runs a step: one that runs in jobs, or one on a waiting caller's thread.
    /// There is never more than one.
    var isStepOnCaller: Bool { waitingThread.isCaller || hasStep.load(ordering: .relaxed) && thread.isCaller }

    /// The number of jobs it has run; `nil` while a job runs or waits for a thread.
    var jobsRun: Int? { state.withLock { $0.isScheduled ? nil : $0.jobsRun } }

    /// Runs the first job, and returns `true` if there are more.
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
