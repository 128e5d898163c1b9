import Foundation

/// Runs each job of a task on a thread of its own.
///
/// A task that waits for a process of an exit test blocks its thread. There are only as many of Swift's own as there are
/// processors, so no more processes would be waited for at once.
final class ThreadExecutor: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        startThread { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
