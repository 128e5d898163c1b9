/// **Shared.** The actor on which steps begin and wait for their turn: it has a thread of its own, so that they need
/// neither one of Swift's cooperative threads, which may all be blocked by code that waits for these very steps, nor their
/// context's executor, which a step before them may hold.
///
/// Nothing that runs on it blocks, and none of it is the application's code.
@globalActor actor GateActor {
    static let shared = GateActor()

    private let executor = PoolExecutor(pool: WorkerPool(width: 1, maximum: 1))

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    /// The executor on which tasks resume that wait for a turn.
    ///
    /// A task that has awaited a continuation goes back to its actor by way of its task executor, which by default is one of
    /// Swift's cooperative threads.
    static let resumption: any TaskExecutor = Resumption(executor: shared.executor)

    /// **Shared.** Resumes tasks on the thread of the gates.
    private final class Resumption: TaskExecutor {
        private let executor: PoolExecutor

        init(executor: PoolExecutor) { self.executor = executor }

        func enqueue(_ job: consuming ExecutorJob) { executor.enqueue(job) }
    }
}
