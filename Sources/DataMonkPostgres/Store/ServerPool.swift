#if Postgres
    import DataMonkCore
    import Dispatch

    /// **Shared.** The connections of a store for reading. They are opened on demand, at most `capacity`, and have one owner
    /// each.
    ///
    /// Invariants
    /// 1. `places` has as many signals as further connections may be lent.
    /// 2. An idle connection is not spent, and has no transaction but one whose rollback was sent.
    /// 3. After `close()` no connection is idle, and returned ones are closed.
    final class ServerPool: Sendable {
        private struct State {
            /// The most recently used one last.
            var idle: [LentConnection] = []
            var lentCount = 0
            var isClosed = false
        }

        let url: ServerURL
        let capacity: Int
        private let places = DispatchSemaphore(value: 0)
        private let state = Locked(State())

        init(_ url: ServerURL, capacity: Int) {
            precondition(capacity > 0, "A pool needs room for at least one connection")
            self.url = url
            self.capacity = capacity
            // Not by its initial value: a semaphore must not be released with fewer signals than that.
            for _ in 0..<capacity { places.signal() }
        }

        /// Lends a connection. Blocks while all are lent.
        ///
        /// Throws a `StoreError` if none is returned until the deadline or the store is closed, and a ``PostgresFailure`` if
        /// none can be opened.
        func lease(until deadline: ContinuousClock.Instant) throws -> ServerLease {
            let remaining = max(.zero, ContinuousClock.now.duration(to: deadline))
            guard places.wait(timeout: .now() + remaining / .seconds(1)) == .success else {
                throw StoreError.allConnectionsLent(capacity)
            }
            do {
                let (idle, count, isClosed) = state.withLock { state in
                    state.lentCount += 1
                    return (state.idle.popLast(), state.lentCount, state.isClosed)
                }
                if isClosed { throw StoreError.closedServerStore }
                let connection = try idle?.connection ?? PostgresConnection(url, until: deadline)
                // Several callers at once may count as last, but never none.
                return ServerLease(connection, of: self, wasIdle: idle != nil, isLast: count >= capacity)
            } catch {
                free()
                throw error
            }
        }

        /// Takes a connection back.
        fileprivate func takeBack(_ connection: PostgresConnection) {
            connection.sendRollback()
            let lent = LentConnection(connection)
            let isKept = state.withLock { state in
                if state.isClosed || lent.connection.isSpent { return false }
                state.idle.append(lent)
                return true
            }
            if !isKept { connection.close() }
            free()
        }

        private func free() {
            state.withLock { $0.lentCount -= 1 }
            places.signal()
        }

        /// Closes the idle connections now, and lent ones when they are returned.
        func close() {
            let idle = state.withLock { state in
                state.isClosed = true
                defer { state.idle = [] }
                return state.idle
            }
            for lent in idle { lent.connection.close() }
        }
    }

    /// **Shared.** A connection in transit between two owners.
    private struct LentConnection: @unchecked Sendable {
        // @unchecked Sendable: the pool alone holds it, under its lock, which orders one owner's use before the next one's.
        let connection: PostgresConnection

        init(_ connection: PostgresConnection) { self.connection = connection }
    }

    /// **Confined.** A pool's connection, lent to one owner until `end()` or until the last reference is released.
    final class ServerLease {
        private let pool: ServerPool
        private var lent: PostgresConnection?
        /// A Boolean value indicating whether the connection was opened before, so that it may have been lost meanwhile.
        let wasIdle: Bool
        /// A Boolean value indicating whether this was the last connection that the pool could lend.
        let isLast: Bool

        fileprivate init(_ connection: PostgresConnection, of pool: ServerPool, wasIdle: Bool, isLast: Bool) {
            lent = connection
            self.pool = pool
            self.wasIdle = wasIdle
            self.isLast = isLast
        }

        deinit { end() }

        /// The connection. It must not be used beyond the lease.
        var connection: PostgresConnection {
            guard let lent else {
                preconditionFailure("The lease has ended, and its connection may be in use by another reader")
            }
            return lent
        }

        /// Ends the connection's transaction and returns it to the pool. Ending twice has no effect.
        func end() {
            guard let lent else { return }
            self.lent = nil
            pool.takeBack(lent)
        }
    }

    @available(*, unavailable, message: "A lease has a single owner at a time, as its connection does")
    extension ServerLease: Sendable {}
#endif
