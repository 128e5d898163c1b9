import CSQLite
import Foundation

/// **Confined.** Waits for another connection's lock, up to a deadline.
///
/// SQLite calls it each time a lock is taken, with the number of calls so far for this lock. The waits start at 0.1 ms,
/// as most locks in WAL mode are held for less, and stop growing at 10 ms: SQLite's own handler sleeps up to 100 ms.
final class BusyHandler {
    var limit: Duration
    private var start = ContinuousClock.now

    init(limit: Duration) {
        self.limit = limit
    }

    /// Installs it; it must outlive `database`.
    func install(on database: OpaquePointer) {
        sqlite3_busy_handler(
            database,
            { handler, count in
                guard let handler else { return 0 }
                return Unmanaged<BusyHandler>.fromOpaque(handler).takeUnretainedValue().wait(attempt: Int(count))
                    ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Sleeps a little. Answers false, at once, when the deadline has passed.
    private func wait(attempt: Int) -> Bool {
        if attempt == 0 { start = .now }
        guard start.duration(to: .now) < limit else { return false }
        pause(attempt: attempt)
        return true
    }

    /// Sleeps, longer for later attempts.
    func pause(attempt: Int) {
        usleep(Self.delays[min(attempt, Self.delays.count - 1)])
    }

    private static let delays: [UInt32] = [100, 200, 500, 1_000, 2_000, 5_000, 10_000]
}
