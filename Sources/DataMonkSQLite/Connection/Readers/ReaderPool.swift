import DataMonkCore
import Dispatch
package import Foundation

/// **Shared.** The read connections of a store. They are opened on demand, at most `capacity`, and have one owner each.
///
/// A connection is *idle* (in `idle`), *lent* (to a caller), or being *opened* (by the caller that was permitted to). If
/// none is idle and no further one may be opened, callers wait in line for the next connection that is returned.
///
/// Invariants
/// 1. idle + lent + opening = `count`, at most `capacity`.
/// 2. Nobody waits while a connection is idle or another one may be opened.
/// 3. An idle connection has no transaction and no running statement, so it holds no snapshot.
/// 4. A waiter is in `line` until its entry in `answers` is set, and in neither once it has taken its answer.
/// 5. After `close()` no connection is idle, and returned connections are closed.
package final class ReaderPool: Sendable {
    private let storeURL: URL
    private let capacity: Int
    private let timeout: Duration
    private let open: @Sendable () throws -> sending SQLiteConnection
    private let state = Locked(State())

    /// Creates a pool that opens its connections with `open`, which also registers their functions.
    ///
    /// `timeout` is the maximum time that `checkOut` waits for a connection.
    package init(
        storeURL: URL, capacity: Int = 8, timeout: Duration = .seconds(30),
        open: @escaping @Sendable () throws -> sending SQLiteConnection
    ) {
        precondition(capacity > 0, "A pool needs room for at least one connection")
        self.storeURL = storeURL
        self.capacity = capacity
        self.timeout = timeout
        self.open = open
    }

    /// Lends a connection to `body`. Blocks while all connections are lent.
    package func withReader<Result>(_ body: (SQLiteConnection) throws -> Result) throws -> Result {
        let connection = Lent(try checkOut())
        defer { checkIn(connection.surrender()) }
        return try body(connection.value)
    }

    /// Lends a connection beyond this call. Blocks while all connections are lent.
    ///
    /// - Parameter limit: The longest wait, if it is shorter than the pool's.
    package func lease(waitingAtMost limit: Duration? = nil) throws -> ReaderLease {
        let lent = Lent(try checkOut(waitingAtMost: limit))
        // Checked after the fact: if several callers take the last connections at once, more than one may count as last, but
        // never none.
        return ReaderLease(lent, of: self, isLast: state.withLock { $0.isExhausted(capacity: capacity) })
    }

    /// Takes a connection, preferring the most recently used idle one because its page cache is warm. Blocks while all are
    /// lent.
    ///
    /// Return it with `checkIn`. Throws `timeout` if none was returned in time, and any error of opening a connection.
    package func checkOut(waitingAtMost limit: Duration? = nil) throws -> sending SQLiteConnection {
        let timeout = max(.zero, min(timeout, limit ?? timeout))
        let answer = state.withLock { $0.ask(capacity: capacity) }
        switch answer {
        case .answered(let answer):
            return try follow(answer)
        case .wait(let ticket, let signal):
            let isSignaled = signal.wait(timeout: .now() + timeout / .seconds(1)) == .success
            // A signal just after the deadline counts as in time: the connection must not be lost.
            guard let answer = state.withLock({ $0.leave(ticket) }) else {
                assert(!isSignaled, "a waiter was signalled before its answer was set")
                throw timeoutError(timeout)
            }
            return try follow(answer)
        }
    }

    /// Returns a connection: to the caller that has waited longest, or to the idle connections.
    package func checkIn(_ connection: sending SQLiteConnection) {
        let lent = Lent(connection)
        guard lent.value.endReading() else {
            // The connection was closed or cannot satisfy invariant 3. Another one may be opened in its place.
            state.withLock { $0.giveUpPlace() }
            return discard(lent.value)
        }
        let isKept = state.withLock { $0.take(back: lent) }
        if !isKept { discard(lent.value) }
    }

    /// Closes the idle connections now and lent ones when they are returned. Waiting callers get an error.
    package func close() {
        for lent in state.withLock({ $0.close() }) { discard(lent.value) }
    }

    /// The number of connections that are open or being opened.
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
                .operationFailed, "The store was closed while a read waited for a connection. Open the store again.",
                storeURL: storeURL)
        }
    }

    /// Closes a connection that is no longer counted.
    private func discard(_ connection: SQLiteConnection) {
        // Reason for try?: closing a reader writes nothing, and the file handle is released in any case.
        try? connection.close()
    }

    private func timeoutError(_ timeout: Duration) -> StoreError {
        StoreError(
            .timeout,
            """
            All \(capacity) read connections of “\(storeURL.lastPathComponent)” were in use for \(timeout). End reads \
            sooner, and do not let one read wait for another.
            """, storeURL: storeURL)
    }
}
