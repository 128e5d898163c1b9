import Foundation

/// Runs `body` in so many tasks at once, off the main actor, and waits for their end; the calling thread blocks.
package func runInTasks(_ count: Int, _ body: @escaping @Sendable (Int) async throws -> Void) throws {
    let outcome = TasksOutcome()
    let ended = DispatchSemaphore(value: 0)
    Task.detached {
        defer { ended.signal() }
        do {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<count { group.addTask { try await body(task) } }
                try await group.waitForAll()
            }
        } catch {
            outcome.error = error
        }
    }
    ended.wait()
    if let error = outcome.error { throw error }
}

/// **Shared.** Written by the tasks' parent alone, read after it has ended.
// The semaphore orders the two.
private final class TasksOutcome: @unchecked Sendable {
    var error: (any Error)?
}
