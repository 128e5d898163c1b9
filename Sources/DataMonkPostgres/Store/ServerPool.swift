#if Postgres
    import DataMonkCore
    import Foundation

    /// **Shared.** The connections of a store for reading. They are opened on demand, at most `capacity`, and have one owner
    /// each.
    ///
    /// A connection is opened on a thread of its own, whatever time its caller has: one whose caller has left is lent to the
    /// next. Callers with less time than opening takes would never have one otherwise.
    ///
    /// Invariants
    /// 1. `places` has as many signals as further connections may be lent or opened.
    /// 2. An idle connection is not spent, and has no transaction but one whose rollback was sent.
    /// 3. After `close()` no connection is idle, and returned ones are closed.
    final class ServerPool: Sendable {
        private struct State {
            /// The most recently used one last.
            var idle: [LentConnection] = []
            var lentCount = 0
            var isClosed = false
            /// The failure of the last opening that has ended; `nil` if it succeeded.
            var failure: PostgresFailure?
        }

        /// The state of an opening, which its caller may leave, and which may never begin for want of a thread.
        private struct Opening {
            var isAwaited = true
            private(set) var hasBegun = false

            /// Returns `false` if nobody awaits it any more.
            mutating func begin() -> Bool {
                hasBegun = isAwaited
                return isAwaited
            }
        }

        private let address: ServerAddress
        let capacity: Int
        /// The time that opening a connection may take.
        private let timeout: Duration
        private let places = DispatchSemaphore(value: 0)
        private let state = Locked(State())

        init(_ address: ServerAddress, capacity: Int, timeout: Duration) {
            precondition(capacity > 0, "A pool needs room for at least one connection")
            self.address = address
            self.capacity = capacity
            self.timeout = timeout
            // Not by its initial value: a semaphore must not be released with fewer signals than that.
            for _ in 0..<capacity { places.signal() }
        }

        /// A Boolean value indicating whether all connections are lent, or being opened.
        var isExhausted: Bool { state.withLock { $0.lentCount >= capacity } }

        /// Lends a connection. Blocks while all are lent.
        ///
        /// Throws a `StoreError` if none is returned until the deadline or the store is closed, and a ``PostgresFailure`` if
        /// none can be opened, or not until the deadline.
        func lease(until deadline: ContinuousClock.Instant) throws -> ServerLease {
            let remaining = max(.zero, ContinuousClock.now.duration(to: deadline))
            guard places.wait(timeout: .now() + remaining / .seconds(1)) == .success else {
                throw StoreError.allConnectionsLent(capacity, state.withLock(\.failure))
            }
            let (idle, count, isClosed) = state.withLock { state in
                state.lentCount += 1
                return (state.idle.popLast(), state.lentCount, state.isClosed)
            }
            // Several callers at once may count as last, but never none.
            let isLast = count >= capacity
            if isClosed {
                free()
                throw StoreError.closedServerStore
            }
            if let idle { return ServerLease(idle, of: self, wasIdle: true, isLast: isLast) }
            let opened = try open(until: deadline)
            return ServerLease(opened, of: self, wasIdle: false, isLast: isLast)
        }

        /// Opens a connection. One that opens after the deadline becomes idle; until then it occupies its place.
        private func open(until deadline: ContinuousClock.Instant) throws -> LentConnection {
            let (opening, opened) = (Locked(Opening()), Wakeup<Result<LentConnection, PostgresFailure>>())
            // Ends before a caller without a deadline gives up, so that the caller learns why no host was reached. It takes a
            // place that others need, so it goes on for seconds at most once its caller has left.
            let now = ContinuousClock.now
            let end = now + min(timeout * 0.9, max(now.duration(to: deadline), .seconds(5)))
            Thread.detachNewThread { [self] in
                guard opening.withLock({ $0.begin() }) else { return }
                let result = connect(until: end, since: now)
                let isTaken = opening.withLock { opening in
                    if opening.isAwaited { opened.wake(with: result) }
                    return opening.isAwaited
                }
                if isTaken { return }
                if case .success(let lent) = result { keep(lent) }
                free()
            }
            var result = opened.wait(until: deadline)
            let hasBegun = opening.withLock { opening in
                // It may have come just now.
                result = result ?? opened.wait(until: .now)
                opening.isAwaited = false
                return opening.hasBegun
            }
            guard let result else {
                // The system may have no thread for it.
                if !hasBegun { free() }
                throw state.withLock(\.failure) ?? PostgresFailure.deadlinePassedOpening
            }
            if case .failure = result { free() }
            return try result.get()
        }

        /// Opens a connection. Notes why it could not be opened, for callers who leave before an opening has ended.
        private func connect(
            until end: ContinuousClock.Instant, since start: ContinuousClock.Instant
        ) -> Result<LentConnection, PostgresFailure> {
            do throws(PostgresFailure) {
                let connection = try address.connect(until: end)
                state.withLock { $0.failure = nil }
                return .success(LentConnection(connection, unusedSince: start))
            } catch {
                state.withLock { $0.failure = error }
                return .failure(error)
            }
        }

        /// Takes a connection back.
        fileprivate func takeBack(_ connection: PostgresConnection) {
            connection.sendRollback()
            keep(LentConnection(connection, unusedSince: nil))
            free()
        }

        /// Keeps a connection for the next caller, if it can be used.
        private func keep(_ lent: LentConnection) {
            let isKept = state.withLock { state in
                if state.isClosed || lent.connection.isSpent { return false }
                state.idle.append(lent)
                return true
            }
            if !isKept { lent.connection.close() }
        }

        private func free() {
            state.withLock { $0.lentCount -= 1 }
            places.signal()
        }

        /// Closes the idle connections.
        func dropIdle() {
            let idle = state.withLock { state in
                defer { state.idle = [] }
                return state.idle
            }
            for lent in idle { lent.connection.close() }
        }

        /// Closes the idle connections now, and lent ones when they are returned.
        func close() {
            state.withLock { $0.isClosed = true }
            dropIdle()
        }
    }

    /// **Shared.** A connection in transit between two owners.
    private struct LentConnection: @unchecked Sendable {
        // @unchecked Sendable: the pool alone holds it, under its lock, which orders one owner's use before the next one's.
        let connection: PostgresConnection
        /// The time at which its opening began; `nil` once somebody has used it.
        let unusedSince: ContinuousClock.Instant?

        init(_ connection: PostgresConnection, unusedSince: ContinuousClock.Instant?) {
            self.connection = connection
            self.unusedSince = unusedSince
        }
    }

    /// **Confined.** A pool's connection, lent to one owner until `end()` or until the last reference is released.
    final class ServerLease {
        private let pool: ServerPool
        private var lent: PostgresConnection?
        /// A Boolean value indicating whether the connection was opened before, so that it may have been lost meanwhile.
        let wasIdle: Bool
        /// The time at which the opening of the connection began; `nil` if somebody has used it before.
        private let unusedSince: ContinuousClock.Instant?
        /// A Boolean value indicating whether this was the last connection that the pool could lend.
        let isLast: Bool

        fileprivate init(_ lent: LentConnection, of pool: ServerPool, wasIdle: Bool, isLast: Bool) {
            self.lent = lent.connection
            unusedSince = lent.unusedSince
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

    extension ServerLease {
        /// A Boolean value indicating whether nobody has used the connection before.
        var isNew: Bool { unusedSince != nil }

        /// Returns whether the connection was opened for this caller, or has not been used and began to be opened after a
        /// certain time. An older one may lead to a server that another one has replaced.
        func isCurrent(since time: ContinuousClock.Instant) -> Bool {
            !wasIdle || unusedSince.map { $0 > time } ?? false
        }
    }

    @available(*, unavailable, message: "A lease has a single owner at a time, as its connection does")
    extension ServerLease: Sendable {}
#endif
