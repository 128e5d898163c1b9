import DataMonkCore
import DequeModule
import Synchronization

/// **Shared.** The executor of one update context. Its jobs run one after the other on threads of the pool; a step that its
/// caller waits for holds it on the caller's thread, and the jobs that come meanwhile run afterwards.
///
/// So the thread that runs it (``isRunningOnCaller``) owns what belongs to the executor. ``ExecutorTurns`` decides who may
/// run; this type keeps the jobs, blocks and wakes.
final class PoolExecutor: SerialExecutor {
    private struct State {
        var turns = ExecutorTurns()
        var jobs: Deque<UnownedJob> = []
        var jobsRun = 0
        /// The thread that waits to hold the executor.
        var holder: Wakeup<Void>?
        /// The deadline of the step that is about to begin, after which the pool runs the executor at once.
        var deadline: ContinuousClock.Instant?
        /// Runs after each job of a step, on its thread. The body has ended or suspended, so that everything held for one
        /// turn is released.
        var afterJob: (@Sendable () -> Void)?
    }

    private let state = Locked(State())
    /// The thread that runs a job, or that holds the executor.
    private let thread = OwnerThread()
    /// `true` while a step is at work. Jobs that are not the step's may run in between.
    private let hasStep = Atomic(false)
    private let pool: WorkerPool

    init(pool: WorkerPool = .shared) { self.pool = pool }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        let (mustSchedule, isUrgent) = state.withLock { state in
            state.jobs.append(job)
            return (state.turns.enqueue(), state.deadline.map { $0 <= .now } ?? false)
        }
        if mustSchedule { pool.schedule(self, isUrgent: isUrgent) }
    }

    /// Indicates whether the calling thread runs a job of this executor, or holds it.
    var isRunningOnCaller: Bool { thread.isCaller }

    /// Tells the runtime: a thread that holds the executor runs none of its jobs.
    func isIsolatingCurrentContext() -> Bool? { isRunningOnCaller }

    // MARK: Steps

    /// Begins a step, on the thread that runs the executor; `endStep` ends it.
    func beginStep(afterJob: (@Sendable () -> Void)? = nil) {
        hasStep.store(true, ordering: .relaxed)
        state.withLock { $0.afterJob = afterJob }
    }

    func endStep() {
        hasStep.store(false, ordering: .relaxed)
        state.withLock { $0.afterJob = nil }
    }

    /// Indicates whether the calling thread runs the executor while a step is at work.
    var isStepOnCaller: Bool { hasStep.load(ordering: .relaxed) && thread.isCaller }

    /// The number of jobs it has run; `nil` while a job runs or waits for a thread.
    var jobsRun: Int? { state.withLock { $0.turns.isIdle ? $0.jobsRun : nil } }

    /// Prepares for a step that must begin, or be given up, by a deadline: then its job runs at once, even if all threads of
    /// the pool are busy. `endDeadline` ends that.
    func beginDeadline(_ deadline: ContinuousClock.Instant) -> DeadlineTimer {
        // For the case that the deadline passes before the job is enqueued.
        state.withLock { $0.deadline = deadline }
        return DeadlineTimer(at: deadline) { [self] in pool.expedite(self) }
    }

    func endDeadline(_ timer: DeadlineTimer) {
        timer.cancel()
        state.withLock { $0.deadline = nil }
    }

    // MARK: Holding

    /// Runs a body on the calling thread, which holds the executor meanwhile. Waits for the end of a job that runs.
    ///
    /// - Throws: An ``UpdateError`` if the deadline has passed before the body could begin; the errors of the body.
    func whileHolding<Result>(
        until deadline: ContinuousClock.Instant, for call: UpdateCall, _ body: () throws -> Result
    ) throws -> Result {
        // A job of this executor is on its thread already.
        if thread.isCaller { return try body() }
        guard hold(until: deadline) else { throw UpdateError.deadlinePassed(withoutThread: call) }
        thread.begin()
        defer {
            thread.end()
            if state.withLock({ $0.turns.release() }) { pool.schedule(self) }
        }
        return try body()
    }

    private func hold(until deadline: ContinuousClock.Instant) -> Bool {
        let wakeup = state.withLock { state -> Wakeup<Void>? in
            if !state.turns.hold() { state.holder = Wakeup() }
            return state.holder
        }
        guard let wakeup else { return true }
        return WorkerPool.shared.whileBlocked {
            if wakeup.wait(until: deadline) != nil { return true }
            let hasLeft = state.withLock { state in
                guard state.turns.cancelHold() else { return false }
                state.holder = nil
                return true
            }
            // Otherwise the job has ended at the last moment.
            if !hasLeft { wakeup.wait() }
            return !hasLeft
        }
    }

    // MARK: The pool's side

    /// Runs the first job, and returns `true` if there are more.
    func runOne() -> Bool {
        let job = state.withLock { $0.turns.begin() ? $0.jobs.popFirst() : nil }
        guard let job else { return false }
        thread.begin()
        job.runSynchronously(on: asUnownedSerialExecutor())
        state.withLock { $0.afterJob }?()
        thread.end()
        let (hasMore, holder) = state.withLock { state -> (Bool, Wakeup<Void>?) in
            state.jobsRun += 1
            let ending = state.turns.end()
            defer { if ending.isHeld { state.holder = nil } }
            return (ending.hasMore, ending.isHeld ? state.holder : nil)
        }
        holder?.wake(with: ())
        return hasMore
    }
}
