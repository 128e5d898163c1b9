#if Postgres
    import DataMonkCore
    import Foundation

    extension ServerLog {
        /// **Value.** A commit that has no answer, and of which nobody could be asked.
        struct UnknownOutcome: Error {
            let failure: PostgresFailure
        }

        /// The first half of the number of the lock that puts commits in order: "DMol" in ASCII.
        private static let orderLock: Int32 = 0x444d_6f6c

        /// Begins a transaction that writes, by one round trip.
        func beginTransaction(
            on connection: PostgresConnection, of namespace: ServerNamespace, until deadline: ContinuousClock.Instant
        ) throws -> Head {
            var pipeline = PostgresPipeline()
            // Each statement sees what was committed while a lock was waited for. Versions are compared under the locks.
            pipeline.append("BEGIN ISOLATION LEVEL READ COMMITTED")
            pipeline.append("SET LOCAL search_path TO pg_catalog")
            // So that a process that was stopped does not hold its locks for ever.
            pipeline.append("SET LOCAL idle_in_transaction_session_timeout TO '60s'")
            pipeline.append("LOCK TABLE \(namespace.qualified("_store")) IN ACCESS SHARE MODE")
            pipeline.append(try headStatement(in: namespace))
            return try head(in: connection.run(pipeline, until: deadline).results()[4])
        }

        /// Commits, with a row of the log, and waits until the commit is on disk. Returns the state of the log with the commit;
        /// `nil` if that is not known.
        ///
        /// Throws a ``PostgresFailure`` if nothing was committed, and an ``UnknownOutcome`` if that is not known.
        func commit(on connection: PostgresConnection, of store: ServerStore) throws -> Head? {
            let attempt = beginAttempt(assigned: store.keys.last)
            let namespace = store.schema.namespace
            var pipeline = PostgresPipeline()
            // Before the lock: a reference that is broken fails here.
            pipeline.append("SET CONSTRAINTS ALL IMMEDIATE")
            pipeline.append("SET LOCAL synchronous_commit TO off")
            for statement in try rowStatements(attempt, in: namespace) { pipeline.append(statement) }
            pipeline.append(try headStatement(in: namespace))
            pipeline.append("COMMIT")
            let commit = pipeline.count - 1
            pipeline.synchronize()
            pipeline.append(Self.flush)
            let answer = connection.run(pipeline, until: .now + store.options.timeout)
            if answer.isComplete { return try answer.outcomes[commit - 1].result.map(head) }
            let failure = answer.outcomes.lazy.compactMap(\.failure).first ?? answer.connectionFailure
            let cause = failure ?? PostgresFailure(.connectionLost, message: "The server gave no answer.")
            switch answer.outcomes[commit] {
            // Of a commit that is there, the flush is missing.
            case .completed, .unanswered:
                try lookUp(attempt, of: store, cause)
                return nil
            case .failed, .skipped, .notSent:
                abandon(attempt)
                throw cause
            }
        }

        /// A commit that waits for the disk, and so for all before it.
        private static let flush = PostgresStatement("SELECT pg_catalog.pg_logical_emit_message(true, 'datamonk', '')")

        /// The statements that append a row to the log, within a transaction.
        ///
        /// - Parameter isLookUp: Whether the row may be there already. An original must fail then: it would commit what the
        ///   look-up has found not to be committed.
        private func rowStatements(
            _ attempt: Int64, in namespace: ServerNamespace, isLookUp: Bool = false
        ) throws -> [PostgresStatement] {
            let log = namespace.qualified("_log")
            return [
                try PostgresStatement(
                    "SELECT pg_catalog.pg_advisory_xact_lock(\(Self.orderLock), pg_catalog.hashtext($1))",
                    values: namespace.name),
                try PostgresStatement(
                    """
                    INSERT INTO \(log) (number, process, attempt) \
                    SELECT coalesce(max(number), 0) + 1, $1, $2 FROM \(log)\(isLookUp ? " ON CONFLICT DO NOTHING" : "")
                    """, values: process, attempt),
            ]
        }

        /// Finds out, on another connection, whether an attempt was committed, by inserting its row: that waits for the
        /// original, if it lives, and finds it if it was committed. Otherwise the new row keeps a late original out.
        ///
        /// Returns if it was committed, and is on disk.
        private func lookUp(_ attempt: Int64, of store: ServerStore, _ cause: PostgresFailure) throws {
            let namespace = store.schema.namespace
            let deadline = ContinuousClock.now + store.options.timeout
            do {
                let connection = try PostgresConnection(store.serverURL, until: deadline)
                defer { connection.close() }
                var pipeline = PostgresPipeline()
                pipeline.append("BEGIN ISOLATION LEVEL READ COMMITTED")
                for statement in try rowStatements(attempt, in: namespace, isLookUp: true) {
                    pipeline.append(statement)
                }
                pipeline.append("COMMIT")
                pipeline.synchronize()
                pipeline.append(Self.flush)
                let results = try connection.run(pipeline, until: deadline).results()
                if results[2].affectedRowCount == 0 { return }
            } catch {
                throw UnknownOutcome(failure: cause)
            }
            abandon(attempt)
            throw cause
        }
    }
#endif
