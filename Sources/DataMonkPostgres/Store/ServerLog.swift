#if Postgres
    import DataMonkCore
    import Foundation

    /// **Shared.** The place of this process in the store's log of commits.
    ///
    /// ```
    /// _log   number | process | attempt
    ///        41       a         7         numbers have no gaps, and become visible in their order
    ///        42       b         1
    ///        43       a         8         an attempt of a process is never repeated
    /// ```
    /// So the last number in a snapshot says which commits it contains: the rows of other processes up to there are the
    /// foreign commits, and the last attempt of this process tells which of its own.
    ///
    /// Invariants
    /// 1. The observer is notified before `toldNumber` is raised: who finds nothing new knows that it was notified.
    final class ServerLog: Sendable {
        /// **Value.** The state of the log in a snapshot.
        struct Head: Sendable {
            /// The last number; 0 for none.
            var number: Int64 = 0
            /// The last foreign commit that the observer had not been told of, when the snapshot was opened; `nil` for none.
            var foreignNumber: Int64?
            /// The last attempt of this process; 0 for none.
            var attempt: Int64 = 0
        }

        private struct State {
            /// The observer was told of all foreign commits up to this number.
            var toldNumber: Int64
            var observer: Observer?
            var lastAttempt: Int64 = 0
            /// The last attempts that may have been committed, in order.
            var attempts: [Attempt] = []
        }

        /// **Value.** A commit of this process.
        private struct Attempt: Sendable {
            let number: Int64
            /// The last keys assigned until then, by the index of the root entity.
            let assigned: [Int: Int64]
        }

        /// More than the snapshots that are being opened can differ by.
        private static let attemptLimit = 1_024

        /// **Value.** An observer, not as a bare function: see `Locked`.
        private struct Observer: Sendable {
            let tell: ForeignCommitObserver
        }

        /// This process, as the log knows it. Another store of the same process is another one.
        let process = UUID()
        private let state: Locked<State>

        /// - Parameter number: The last number when the store was opened.
        init(startingAt number: Int64) {
            state = Locked(State(toldNumber: number))
        }

        /// The number up to which the observer was told of all foreign commits.
        var toldNumber: Int64 { state.withLock { $0.toldNumber } }

        func observe(_ observer: @escaping ForeignCommitObserver) {
            state.withLock { $0.observer = Observer(tell: observer) }
        }

        // MARK: Snapshots

        /// Begins a snapshot, by one round trip.
        ///
        /// The lock of the store's table is taken before the snapshot, which an advisory lock could not be: `SELECT` takes the
        /// snapshot first, and the rows of a table that others rewrite while the lock is waited for would be missing from it.
        func beginSnapshot(
            on connection: PostgresConnection, of namespace: ServerNamespace, until deadline: ContinuousClock.Instant
        ) throws -> Head {
            var pipeline = PostgresPipeline()
            pipeline.append("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            pipeline.append("SET LOCAL search_path TO pg_catalog")
            // So that a snapshot that is forgotten does not keep the server from removing old rows.
            pipeline.append("SET LOCAL idle_in_transaction_session_timeout TO '60s'")
            pipeline.append("LOCK TABLE \(namespace.qualified("_store")) IN ACCESS SHARE MODE")
            pipeline.append(try headStatement(in: namespace))
            return try head(in: connection.run(pipeline, until: deadline).results()[4])
        }

        func headStatement(in namespace: ServerNamespace) throws -> PostgresStatement {
            let log = namespace.qualified("_log")
            return try PostgresStatement(
                """
                SELECT (SELECT max(number) FROM \(log)), \
                (SELECT max(number) FROM \(log) WHERE number > $2 AND process <> $1), \
                (SELECT max(attempt) FROM \(log) WHERE process = $1)
                """, values: process, toldNumber)
        }

        func head(in result: PostgresResult) throws -> Head {
            Head(
                number: try result.value(row: 0, column: 0) ?? 0,
                foreignNumber: try result.value(row: 0, column: 1),
                attempt: try result.value(row: 0, column: 2) ?? 0)
        }

        /// Notifies the observer of the foreign commits in a snapshot.
        func tell(_ head: Head, isCommitting: Bool = false) -> ForeignCommitStatus {
            let (status, wake) = state.withLock { state -> (ForeignCommitStatus, (@Sendable () -> Void)?) in
                if head.number <= state.toldNumber { return (.told, nil) }
                var wake: (@Sendable () -> Void)?
                if let number = head.foreignNumber, number > state.toldNumber, let observer = state.observer {
                    wake = observer.tell(isCommitting)
                    if wake == nil { return (.untold, nil) }
                }
                // 1. Numbers become visible in their order, so all others up to the last one are this process's own.
                state.toldNumber = head.number
                return (.told, wake)
            }
            wake?()
            return status
        }

        // MARK: Attempts

        /// Begins an attempt to commit, and returns its number.
        func beginAttempt(assigned: [Int: Int64]) -> Int64 {
            state.withLock { state in
                state.lastAttempt += 1
                state.attempts.append(Attempt(number: state.lastAttempt, assigned: assigned))
                if state.attempts.count > Self.attemptLimit { state.attempts.removeFirst() }
                return state.lastAttempt
            }
        }

        /// Forgets an attempt that was not committed. Its row may be in the log nevertheless, to keep it out.
        func abandon(_ attempt: Int64) { state.withLock { $0.attempts.removeAll { $0.number == attempt } } }

        /// Returns the highest primary key that a commit of this process has assigned, as of a snapshot.
        func lastPrimaryKey(of entity: Entity, in head: Head) -> Int64 {
            state.withLock { state in
                state.attempts.last { $0.number <= head.attempt }?.assigned[entity.root.index] ?? 0
            }
        }
    }
#endif
