import CSQLite
import Foundation

/// **Confined.** Waits for another connection's lock, up to a deadline.
///
/// SQLite calls it each time it fails to take a lock, with the number of calls so far for this lock. The waits start at 0.1
/// ms, because most locks in WAL mode are held for less, and grow to 10 ms at most; SQLite's own handler sleeps up to 100
/// ms.
final class BusyHandler {
    var limit: Duration
    private var start = ContinuousClock.now

    init(limit: Duration) {
        self.limit = limit
    }

    /// Installs the handler, which must outlive `database`.
    func install(on database: OpaquePointer) {
        sqlite3_busy_handler(
            database,
            { handler, count in
                guard let handler else { return 0 }
                return Unmanaged<BusyHandler>.fromOpaque(handler).takeUnretainedValue().wait(attempt: Int(count))
                    ? 1 : 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    /// Sleeps briefly and returns `true`, or returns `false` at once if the deadline has passed.
    private func wait(attempt: Int) -> Bool {
        if attempt == 0 { start = .now }
        guard start.duration(to: .now) < limit else { return false }
        pause(attempt: attempt)
        return true
    }

    /// Sleeps; later attempts sleep longer.
    func pause(attempt: Int) {
        usleep(Self.delays[min(attempt, Self.delays.count - 1)])
    }

    private static let delays: [UInt32] = [100, 200, 500, 1_000, 2_000, 5_000, 10_000]
}
