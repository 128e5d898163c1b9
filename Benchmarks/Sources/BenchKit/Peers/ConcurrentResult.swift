import Foundation

/// **Value.** What a reader and a writer got done beside each other.
package struct ConcurrentResult: Sendable {
    package let reads: Int
    package let writes: Int
    package let seconds: Double
}

/// Runs `read` on the calling thread and `write` on another, each in a loop, until the time is up. `write` gets
/// 0, 1, 2, …; `read` a key to start at, which moves through the table.
package func runConcurrently(
    seconds: Double, greatestID: Int64, read: (Int64) throws -> Void, write: @escaping @Sendable (Int) throws -> Void
) throws -> ConcurrentResult {
    let start = now()
    let deadline = start + UInt64(seconds * 1e9)
    let outcome = WriterOutcome()
    let ended = DispatchSemaphore(value: 0)
    let writer = Thread {
        defer { ended.signal() }
        do {
            while now() < deadline {
                try write(outcome.writes)
                outcome.writes += 1
            }
        } catch {
            outcome.error = error
        }
    }
    writer.start()
    var reads = 0
    var key: Int64 = 1
    let readerError = Result {
        while now() < deadline {
            try read(key)
            reads += 1
            key = (key + 7_919) % max(1, greatestID - 100) + 1
        }
    }
    ended.wait()
    try readerError.get()
    if let error = outcome.error { throw error }
    return ConcurrentResult(reads: reads, writes: outcome.writes, seconds: Double(now() - start) / 1e9)
}

/// **Shared.** Written by the writer's thread alone, read after it has ended.
// The semaphore orders the two.
private final class WriterOutcome: @unchecked Sendable {
    var writes = 0
    var error: (any Error)?
}
