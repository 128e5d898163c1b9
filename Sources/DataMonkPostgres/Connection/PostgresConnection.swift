#if Postgres
    import CPostgres

    /// **Confined.** A connection to a PostgreSQL server.
    ///
    /// It has one owner at a time: libpq permits one thread at a time to use a connection, and any thread in turn. Another
    /// thread can stop what the owner waits for with a ``PostgresInterrupt``.
    ///
    /// All statements run in pipelines, and every wait has a deadline. Name look-ups and cancellation requests, which libpq
    /// cannot limit, run on threads of their own.
    ///
    /// Invariants
    /// 1. `handle` is open, non-blocking and in pipeline mode from the end of `init` until `close()`, and only code in this
    ///    folder sees the pointer.
    /// 2. Between two calls, no statement is in flight but a `ROLLBACK` whose answer the next run reads, unless `isSpent`.
    /// 3. A spent connection is never used again: its next answer may be that to an earlier statement.
    /// 4. The notice receiver installed on `handle` points to `notices`, which this connection retains.
    /// 5. No cancellation request of this connection is under way between two calls, so none can hit a later statement.
    package final class PostgresConnection {
        /// `nil` once the connection is closed.
        var handle: OpaquePointer?
        /// Set by a lost connection and a passed deadline; never reset.
        private(set) var spentBy: PostgresFailure?
        /// Notifications that arrived and were not returned yet.
        var arrivedNotifications: [PostgresNotification] = []
        /// A Boolean value indicating whether the answer of a `ROLLBACK` was not read yet.
        var hasUnreadRollback = false
        var prepared: PreparedStatements
        let notices: ServerNotices
        let cancellation: PostgresCancellation
        /// The host that it leads to.
        let host: ServerHost
        /// The server's version: 150004 is 15.4.
        package let serverVersion: Int

        /// Connects to the first host of `url` that answers, and checks the server.
        ///
        /// Throws a ``PostgresFailure``: if no host can be reached before the deadline, if the server refuses the user or
        /// the database, or if it is not a UTF-8 database on PostgreSQL 14 or later. Nothing is changed on the server.
        ///
        /// - Parameter preparedStatementCapacity: The number of statements that the server keeps prepared; 0 behind a
        /// pooler
        ///   that does not carry them from one connection of its own to the next.
        package init(
            _ url: ServerURL, preparedStatementCapacity: Int = 256, until deadline: ContinuousClock.Instant,
            interrupt: PostgresInterrupt? = nil
        ) throws(PostgresFailure) {
            let wait = SocketWait(deadline: deadline, interrupt: interrupt)
            let opened = try ConnectionOpener(url: url, wait: wait).open()
            handle = opened.handle
            host = opened.host
            prepared = PreparedStatements(capacity: preparedStatementCapacity)
            notices = opened.notices
            cancellation = opened.cancellation
            serverVersion = Int(PQserverVersion(opened.handle))
            do {
                try checkEngine(until: deadline, interrupt: interrupt)
            } catch {
                close()
                throw error
            }
        }

        deinit { close() }

        /// A Boolean value indicating whether the connection was lost or ran into a deadline, or is closed. Open another
        /// one then.
        package var isSpent: Bool { spentBy != nil || handle == nil }

        /// The number of the server's process, as in `pg_stat_activity`.
        package var serverProcessID: Int32 { handle.map(PQbackendPID) ?? 0 }

        /// A Boolean value indicating whether a transaction is open, perhaps a failed one.
        package var isInTransaction: Bool {
            guard let handle else { return false }
            let status = PQtransactionStatus(handle)
            return status == PQTRANS_INTRANS || status == PQTRANS_INERROR
        }

        /// A Boolean value indicating whether a transaction is open in which a statement has failed. It can only be rolled back.
        package var isInFailedTransaction: Bool { handle.map { PQtransactionStatus($0) == PQTRANS_INERROR } ?? false }

        /// Closes the connection without waiting. The server rolls back an open transaction.
        ///
        /// If a statement is in flight, a request to cancel it is sent in the background: a server notices the end of a
        /// connection only once the statement ends. Closing twice has no effect.
        package func close() {
            guard let handle else { return }
            let isRunning = PQtransactionStatus(handle) == PQTRANS_ACTIVE && !hasUnreadRollback
            let isBusy = isRunning || spentBy?.kind == .deadlinePassed
            self.handle = nil
            // Does not wait: the connection is non-blocking.
            PQfinish(handle)
            if isBusy { cancellation.sendInBackground() }
        }

        /// Rolls back an open transaction after a failure. The deadline of what has failed may have passed, so there is
        /// another one. A connection that has not rolled back by then is closed, so that the server releases its locks.
        package func rollBack(within duration: Duration = .seconds(5)) {
            if !isSpent, isInTransaction {
                _ = run(PostgresPipeline([PostgresStatement("ROLLBACK")]), until: .now + duration)
            }
            if isSpent || isInTransaction { close() }
        }

        /// Sends a rollback of an open transaction, without waiting for the answer.
        package func sendRollback() {
            guard !isSpent, isInTransaction, let handle else { return }
            // A few bytes, for which there is room unless the server reads nothing.
            if PostgresStatement("ROLLBACK").send(to: handle), PQpipelineSync(handle) == 1, PQflush(handle) == 0 {
                hasUnreadRollback = true
            } else {
                close()
            }
        }

        /// Marks the connection as spent (invariant 3).
        func spend(_ failure: PostgresFailure) {
            if spentBy == nil { spentBy = failure }
        }

        /// Forgets a prepared statement that the server does not run any more: a table it uses has changed its columns
        /// (0A000), or a pooler has put another connection in the place of the one that prepared it (26000).
        func notePreparedFailure(_ failure: PostgresFailure, of key: PreparedStatements.Key) {
            switch failure.sqlState {
            case "0A000": prepared.release(key)
            case "26000": prepared.forgetAll()
            default: break
            }
        }

        /// Returns the open connection, for code in this folder.
        func openHandle() throws(PostgresFailure) -> OpaquePointer {
            if let spentBy { throw spentBy }
            guard let handle else {
                throw PostgresFailure(.invalidUse, message: "The connection is closed. Open another one.")
            }
            return handle
        }
    }

    @available(*, unavailable, message: "A connection has a single owner at a time")
    extension PostgresConnection: Sendable {}
#endif
