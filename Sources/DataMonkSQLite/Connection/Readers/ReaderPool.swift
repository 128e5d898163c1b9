import DataMonkCore
import Dispatch
package import Foundation

/// **Shared.** The read connections of a store: opened when needed, at most `capacity`, each with one owner at a time.
///
/// A connection is *idle* (in `idle`), *lent* (with a caller), or *opening* (by the caller who got a permit). Who wants
/// one when none is idle and no more may be opened waits in line, and gets what comes back next.
///
/// Invariants
/// 1. idle + lent + opening = `count`, at most `capacity`.
/// 2. Nobody waits while a connection is idle or another may be opened.
/// 3. An idle connection has no transaction and no running statement: it holds no snapshot.
/// 4. A waiter is in `line` until its `answers` entry is set, and then in neither after it has taken it.
/// 5. After `close()` nothing is idle; what comes back is closed.
package final class ReaderPool: Sendable {
    private let storeURL: URL
    private let capacity: Int
    private let patience: Duration
    private let open: @Sendable () throws -> sending SQLiteConnection
    private let state = Locked(State())

    /// A pool that opens its connections with `open`, which registers functions as well.
    ///
    /// `patience` is how long `checkOut` waits for a connection.
    package init(
        storeURL: URL, capacity: Int = 8, patience: Duration = .seconds(30),
        open: @escaping @Sendable () throws -> sending SQLiteConnection
    ) {
        precondition(capacity > 0, "A pool has room for one connection at least")
        self.storeURL = storeURL
        self.capacity = capacity
        self.patience = patience
        self.open = open
    }

    /// Lends a connection to `body`. Blocks while all are lent.
    package func withReader<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        let connection = Lent(try checkOut())
        defer { checkIn(connection.surrender()) }
        return try body(connection.value)
    }

    /// Takes a connection for a reader that outlives one call. Blocks while all are lent.
    package func lease() throws -> ReaderLease {
        let lent = Lent(try checkOut())
        // Asked afterwards: of several who take the last ones at once more may think so, and never none.
        return ReaderLease(lent, of: self, isLast: state.withLock { $0.isExhausted(capacity: capacity) })
    }

    /// Takes a connection, the one used last if any is idle: its page cache is warm. Blocks while all are lent.
    ///
    /// Give it back by `checkIn`. Throws `timeout` when none came back in time, and what opening throws.
    package func checkOut() throws -> sending SQLiteConnection {
        let answer = state.withLock { $0.ask(capacity: capacity) }
        switch answer {
        case .answered(let answer):
            return try follow(answer)
        case .wait(let ticket, let signal):
            let isSignaled = signal.wait(timeout: .now() + patience / .seconds(1)) == .success
            // Signaled just after the deadline counts as in time: the connection must not be lost.
            guard let answer = state.withLock({ $0.leave(ticket) }) else {
                assert(!isSignaled, "a signal comes after its answer")
                throw timeoutError()
            }
            return try follow(answer)
        }
    }

    /// Gives a connection back: to the one who waits longest, else to the idle ones.
    package func checkIn(_ connection: sending SQLiteConnection) {
        let lent = Lent(connection)
        guard lent.value.endReading() else {
            // It was closed, or cannot be brought back to invariant 3. Another one may be opened in its place.
            state.withLock { $0.giveUpPlace() }
            return discard(lent.value)
        }
        let isKept = state.withLock { $0.take(back: lent) }
        if !isKept { discard(lent.value) }
    }

    /// Closes the idle connections, and lent ones as they come back. Who waits gets an error.
    package func close() {
        for lent in state.withLock({ $0.close() }) { discard(lent.value) }
    }

    /// Connections that are open or being opened.
    package var count: Int { state.withLock { $0.count } }

    private func follow(_ answer: State.Answer) throws -> sending SQLiteConnection {
        switch answer {
        case .use(let lent):
            return lent.surrender()
        case .open:
            do {
                return try open()
            } catch {
                state.withLock { $0.giveUpPlace() }
                if let failure = error as? SQLiteFailure { throw StoreError(failure, storeURL: storeURL) }
                throw error
            }
        case .closed:
            throw StoreError(
                .operationFailed, "The store was closed while a reader waited for it. Open it again.",
                storeURL: storeURL)
        }
    }

    /// Closes a connection that is not counted any more.
    private func discard(_ connection: SQLiteConnection) {
        // Reason for try?: closing a reader writes nothing, and the file handle is given up in any case.
        try? connection.close()
    }

    private func timeoutError() -> StoreError {
        StoreError(
            .timeout,
            """
            All \(capacity) read connections of “\(storeURL.lastPathComponent)” were in use for \(patience). End reads \
            sooner; none may wait for another.
            """, storeURL: storeURL)
    }
}
