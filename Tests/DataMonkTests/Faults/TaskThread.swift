import DataMonkCore
import Foundation

/// **Shared.** A thread that runs a task and its children, for code that waits for them: it may hold a thread of Swift's own, or
/// live in a copy of a process, which has none of these.
final class TaskThread: TaskExecutor {
    private let jobs = Locked<[UnownedJob]>([])
    /// Counts the jobs, and the end of the task.
    private let signals = DispatchSemaphore(value: 0)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        jobs.withLock { $0.append(job) }
        signals.signal()
    }

    /// Runs a body, and waits for it.
    static func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
        let executor = TaskThread()
        let result = Locked<Swift.Result<Result, any Error>?>(nil)
        Task(executorPreference: executor) {
            let ending: Swift.Result<Result, any Error>
            do { ending = .success(try await body()) } catch { ending = .failure(error) }
            result.withLock { $0 = ending }
            executor.signals.signal()
        }
        let end = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            executor.work()
            end.signal()
        }
        end.wait()
        guard let ending = result.withLock({ $0 }) else { throw CocoaError(.featureUnsupported) }
        return try ending.get()
    }

    /// Runs jobs until there is a signal without one: the last one, which the task gives when all its children have ended.
    private func work() {
        while true {
            signals.wait()
            guard let job = jobs.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return }
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
