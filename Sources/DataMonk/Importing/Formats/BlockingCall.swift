import DataMonkCore
import Foundation

/// **Shared.** A call of the system that may never return: a pipe can be idle for days.
///
/// Each has a thread of its own, so that it holds up nobody, however many there are. That costs some 30 µs, little beside what
/// is done with the bytes. A caller that is cancelled leaves the thread alone; it ends with the call.
enum BlockingCall {
    /// Runs a body on a new thread.
    ///
    /// - Throws: The error of the body; `CancellationError` as soon as the task is cancelled.
    static func run<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        let waiting = Locked<CheckedContinuation<Result, any Error>?>(nil)
        /// Resumes the caller, unless that has been done.
        @Sendable func end(_ result: Swift.Result<Result, any Error>) {
            let caller = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            caller?.resume(with: result)
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting.withLock { $0 = continuation }
                // Cancelled before there was somebody to resume.
                if Task.isCancelled { return end(.failure(CancellationError())) }
                Thread.detachNewThread { end(Swift.Result { try body() }) }
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }
}
