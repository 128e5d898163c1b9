#if Postgres
    import DataMonkCore
    import Foundation

    extension ServerLog {
        /// **Value.** A commit that has no answer, and of which nobody could be asked.
        struct UnknownOutcome: Error {
            let failure: PostgresFailure
            /// The error of the last look-up; `nil` if the server has answered, and cannot tell any more.
            let lookUpError: (any Error)?
        }

        /// **Value.** The failure of a statement of the beginning that was sent with the commit. Nothing was committed.
        struct FailedBeginning: Error {
            let failure: PostgresFailure
        }

        /// The first half of the number of the lock that puts commits in order: "DMol" in ASCII.
        static let orderLock: Int32 = 0x444d_6f6c

        /// Begins a transaction that writes, by one round trip. Returns the state of the log in it, and the outcomes of the
        /// locks.
        ///
        /// - Parameters:
        ///   - lockTimeout: The time after which a statement that waits for a lock fails.
        ///   - locks: Statements that lock the first rows.
        func beginTransaction(
            on connection: PostgresConnection, of namespace: ServerNamespace, lockTimeout: Duration,
            locks: [PostgresStatement], until deadline: ContinuousClock.Instant
        ) throws -> (head: Head, next: PipelineAnswer) {
            try begin(
                Self.isolation, Self.settings(lockTimeout: lockTimeout), on: connection, of: namespace, before: locks,
                until: deadline)
        }

        /// Returns the statements that begin a transaction which writes, if it is to travel with the commit. One of them fails
        /// unless the log contains what the observer was told of, this process may write, and a history is kept or not, as is
        /// assumed.
        func beginning(
            of namespace: ServerNamespace, lockTimeout: Duration, keepsHistory: Bool
        ) throws -> [PostgresStatement] {
            var check = try headQuestion(in: namespace).statement
            try check.parameters.append(keepsHistory)
            check.sql =
                """
                SELECT 1 / CAST(is_continued AND permits_version AND keeps_history = $\(check.parameters.count) AS integer) \
                FROM (\(check.sql)) AS head (number, process, attempt, is_fence, foreign_number, own_attempt, \
                is_continued, is_standby, is_trimmed, keeps_history, permits_version)
                """
            return Self.beginning(Self.isolation, Self.settings(lockTimeout: lockTimeout), in: namespace) + [check]
        }

        /// The isolation in which each statement sees what was committed while a lock was waited for.
        private static let isolation = "READ COMMITTED"

        private static func settings(lockTimeout: Duration) -> [String] {
            settings + [setting(lockTimeout: lockTimeout)]
        }

        private static func setting(lockTimeout: Duration) -> String {
            "lock_timeout TO \(max(1, Int(lockTimeout / .milliseconds(1))))"
        }

        /// The settings of a transaction that locks what others wait for.
        ///
        /// A process that is stopped, or cut off, in the middle of a transaction does not keep its locks: the server ends the
        /// transaction when it has waited for a next part, and the connection when nobody is at its other end.
        static let settings = [
            "idle_in_transaction_session_timeout TO '5s'", "tcp_keepalives_idle TO 5", "tcp_keepalives_interval TO 2",
            "tcp_keepalives_count TO 3", "tcp_user_timeout TO 15000",
        ]

        /// Commits, with a row of the log, and waits until the commit is on disk. Returns the state of the log with the commit;
        /// `nil` if that is not known.
        ///
        /// A commit that a standby has not confirmed is reported: the server gives up waiting for it if somebody cancels that.
        ///
        /// Throws a ``PostgresFailure``, or a ``FailedBeginning``, if nothing was committed, and an ``UnknownOutcome`` if that
        /// is not known.
        ///
        /// - Parameters:
        ///   - beginning: The statements that begin the transaction, unless they have been sent.
        ///   - writes: The statements of the transaction that have not been sent.
        ///   - history: The statement that gives the transactions of the history their numbers; `nil` for none.
        ///   - lockTimeout: The time for which it waits for its turn; a second at least.
        ///   - deadline: The time by which the server has answered.
        func commit(
            on connection: PostgresConnection, of store: ServerStore, beginning: [PostgresStatement] = [],
            writes: [PostgresStatement] = [], history: PostgresStatement?, lockTimeout: Duration,
            until deadline: ContinuousClock.Instant
        ) throws -> Head? {
            let attempt = beginAttempt(assigned: store.keys.last)
            let namespace = store.schema.namespace
            var pipeline = PostgresPipeline(beginning)
            // If BEGIN itself has failed, each further part would be a transaction of its own. This fails outside of one.
            let guardStatement = PostgresStatement(Self.lock(in: namespace))
            func beginPart() {
                pipeline.synchronize()
                if !beginning.isEmpty { pipeline.append(guardStatement) }
            }
            beginPart()
            for statement in writes { pipeline.append(statement) }
            // Before the lock: a reference that is broken fails here.
            pipeline.append("SET CONSTRAINTS ALL IMMEDIATE")
            pipeline.append("SET LOCAL synchronous_commit TO off")
            // The lock that follows is everybody's: a transaction that hardly waits for rows still waits for its turn.
            pipeline.append("SET LOCAL \(Self.setting(lockTimeout: max(.seconds(1), lockTimeout)))")
            // Before the lock that everybody waits for. A client that is stopped or cut off here has no locks for long: the
            // server ends a transaction that waits for a next part, and notices a lost connection when it answers this one.
            beginPart()
            for statement in try rowStatements(attempt, in: namespace) { pipeline.append(statement.prepared()) }
            if let history { pipeline.append(history) }
            let question = try headQuestion(in: namespace)
            pipeline.append(question.statement)
            pipeline.append("COMMIT")
            let commit = pipeline.count - 1
            Self.appendFlush(to: &pipeline, isPrepared: true)
            let count = pipeline.count
            try Self.appendBell(
                to: &pipeline, in: namespace, of: channel, process: process.uuidString, isPrepared: true)
            let answer = connection.run(pipeline, until: deadline)
            if answer.outcomes[..<count].allSatisfy({ $0.result != nil }) {
                store.reportUnconfirmedReplication(of: answer)
                noteAcknowledged(attempt)
                let head = try answer.outcomes[commit - 1].result.map(question.head)
                if let head { noteRow(numbered: head.position.number) }
                return head
            }
            let failure = answer.outcomes.lazy.compactMap(\.failure).first ?? answer.connectionFailure
            if let failure = answer.outcomes[..<beginning.count].lazy.compactMap(\.failure).first {
                // Nothing behind it has been done, even if that has no answer.
                abandon(attempt)
                throw FailedBeginning(failure: failure)
            }
            let cause = failure ?? PostgresFailure(.connectionLost, message: "The server gave no answer.")
            switch answer.outcomes[commit] {
            // The commit may be there without its flush.
            case .completed, .unanswered:
                try lookUp(attempt, of: store, cause)
                noteAcknowledged(attempt)
                return nil
            case .failed, .skipped, .notSent:
                abandon(attempt)
                throw cause
            }
        }

        /// Appends a commit that waits for the disk, and so for all before it. Settings of the role may demand more than that,
        /// but not less.
        ///
        /// A transaction of its own, by statements: one that a Sync ends is committed after its statements were answered, and a
        /// server that stops meanwhile sends these answers.
        ///
        /// - Parameter isPrepared: Whether its statements are for a connection that commits again and again.
        static func appendFlush(to pipeline: inout PostgresPipeline, isPrepared: Bool = false) {
            pipeline.synchronize()
            pipeline.append("BEGIN")
            let durability = PostgresStatement(
                """
                SELECT pg_catalog.set_config('synchronous_commit', CASE pg_catalog.current_setting('synchronous_commit') \
                WHEN 'remote_apply' THEN 'remote_apply' ELSE 'on' END, true)
                """)
            let message = PostgresStatement("SELECT pg_catalog.pg_logical_emit_message(true, 'datamonk', '')")
            for statement in [durability, message] { pipeline.append(isPrepared ? statement.prepared() : statement) }
            pipeline.append("COMMIT")
        }

        /// Returns the statements that append the row of a migration: that of a process that nobody knows. Every other one then
        /// reads everything again.
        static func statements(ofMigrationIn namespace: ServerNamespace) throws -> [PostgresStatement] {
            let log = namespace.qualified("_log")
            return [
                try PostgresStatement(
                    "SELECT pg_catalog.pg_advisory_xact_lock(\(orderLock), pg_catalog.hashtext($1))",
                    values: namespace.name),
                try PostgresStatement(
                    """
                    INSERT INTO \(log) (number, process, attempt) \
                    SELECT coalesce(max(number), 0) + 1, $1, 1 FROM \(log)
                    """, values: UUID()),
            ]
        }

        static func channel(of store: UUID) -> String { "datamonk_\(store.uuidString)" }

        /// Appends a notification of other processes. Not within the commit, because all that notify in the cluster wait for
        /// one lock, which would be held until the disk has the commit. Whether it succeeds is of no importance to the commit.
        ///
        /// It tells the process and the number of a row that those who are told are to find: see `Bell`.
        ///
        /// - Parameters:
        ///   - channel: That of the store.
        ///   - process: The process that commits, which needs no bell itself; another text for none that listens.
        ///   - isPrepared: Whether its statement is for a connection that commits again and again.
        static func appendBell(
            to pipeline: inout PostgresPipeline, in namespace: ServerNamespace, of channel: String, process: String,
            isPrepared: Bool = false
        ) throws {
            pipeline.synchronize()
            pipeline.append("BEGIN")
            pipeline.append("SET LOCAL synchronous_commit TO off")
            let bell = try PostgresStatement(
                """
                SELECT pg_catalog.pg_notify($1, pg_catalog.concat($2, ' ', \
                (SELECT pg_catalog.max(number) FROM \(namespace.qualified("_log")))))
                """, values: channel, process)
            pipeline.append(isPrepared ? bell.prepared() : bell)
            pipeline.append("COMMIT")
        }

        // MARK: The row of the log

        /// Returns the statements that append a row to the log, within a transaction.
        ///
        /// - Parameter isFence: Whether the row keeps the commit of the attempt out, and may be there already. An original must
        ///   fail then: it would commit what the look-up has found not to be committed.
        private func rowStatements(
            _ attempt: Int64, in namespace: ServerNamespace, isFence: Bool = false
        ) throws -> [PostgresStatement] {
            let log = namespace.qualified("_log")
            return [
                try PostgresStatement(
                    "SELECT pg_catalog.pg_advisory_xact_lock(\(Self.orderLock), pg_catalog.hashtext($1))",
                    values: namespace.name),
                try PostgresStatement(
                    """
                    INSERT INTO \(log) (number, process, attempt, is_fence) \
                    SELECT coalesce(max(number), 0) + 1, $1, $2, $3 FROM \(log)\(isFence ? " ON CONFLICT DO NOTHING" : "")
                    """, values: process, attempt, isFence),
            ]
        }

        // MARK: Looking up

        /// **Value.** The outcome of an attempt without an answer.
        enum Outcome: Sendable {
            case committed
            /// It was not committed, and cannot be any more.
            case keptOut
            /// Nobody can tell: rows of the log were deleted because they were old, and that of the attempt may be one of them.
            case forgotten
        }

        /// Finds out, on another connection, whether an attempt was committed, until the deadline for that.
        ///
        /// Returns if it was committed, and is on disk.
        private func lookUp(_ attempt: Int64, of store: ServerStore, _ cause: PostgresFailure) throws {
            let deadline = ContinuousClock.now + store.settings.lookUpTimeout
            var pause = 0.01
            while true {
                let outcome: Outcome
                do {
                    let connection = try store.primary.connect(until: deadline)
                    defer { connection.close() }
                    outcome = try self.outcome(of: attempt, in: store, on: connection, until: deadline)
                } catch {
                    // The server may be starting, or another one taking over.
                    guard ContinuousClock.now + .seconds(pause) < deadline else {
                        noteUnknown(attempt)
                        throw UnknownOutcome(failure: cause, lookUpError: error)
                    }
                    // The commit queue waits for this thread anyway: nobody may write before the outcome is known.
                    Thread.sleep(forTimeInterval: pause)
                    pause = min(2 * pause, 1)
                    continue
                }
                switch outcome {
                case .committed: return
                case .keptOut: throw cause
                case .forgotten:
                    noteUnknown(attempt)
                    throw UnknownOutcome(failure: cause, lookUpError: nil)
                }
            }
        }

        /// Returns the outcome of an attempt, by inserting its row: that waits for the original, if it lives, and finds it if
        /// it was committed. Otherwise the new row keeps a late original out, and the attempt is abandoned.
        private func outcome(
            of attempt: Int64, in store: ServerStore, on connection: PostgresConnection,
            until deadline: ContinuousClock.Instant
        ) throws -> Outcome {
            let namespace = store.schema.namespace
            var pipeline = PostgresPipeline()
            pipeline.append("BEGIN ISOLATION LEVEL READ COMMITTED")
            // Everybody's commits wait for the lock.
            pipeline.append("SET LOCAL synchronous_commit TO off")
            for statement in try rowStatements(attempt, in: namespace, isFence: true) { pipeline.append(statement) }
            // The row may be that of an earlier look-up, which had no answer.
            let log = namespace.qualified("_log")
            pipeline.append(
                try PostgresStatement(
                    """
                    SELECT number, is_fence, (SELECT min(number) FROM \(log)) FROM \(log) \
                    WHERE process = $1 AND attempt = $2
                    """, values: process, attempt))
            pipeline.append("COMMIT")
            Self.appendFlush(to: &pipeline)
            let answer = connection.run(pipeline, until: deadline)
            let row = try answer.results()[4]
            store.reportUnconfirmedReplication(of: answer)
            // It was there, and was deleted just now.
            guard row.rowCount > 0 else { return .forgotten }
            noteRow(numbered: try row.required(row: 0, column: 0))
            if try !row.required(Bool.self, row: 0, column: 1) { return .committed }
            // The first rows are deleted, and those that are there have no gaps.
            let first: Int64 = try row.required(row: 0, column: 2)
            if first > number(before: attempt) + 1 { return .forgotten }
            abandon(attempt)
            return .keptOut
        }

        /// Finds out whether the attempts of unknown outcome were committed, or keeps them out. Returns the others, which were
        /// committed or forgotten.
        ///
        /// Throws a ``PostgresFailure`` if that is not known of one of them.
        func settleUnknownAttempts(
            of store: ServerStore, on connection: PostgresConnection, until deadline: ContinuousClock.Instant
        ) throws -> [Int64: Outcome] {
            var outcomes: [Int64: Outcome] = [:]
            for attempt in unknownAttempts {
                outcomes[attempt] = try outcome(of: attempt, in: store, on: connection, until: deadline)
            }
            return outcomes.filter { $0.value != .keptOut }
        }
    }
#endif
