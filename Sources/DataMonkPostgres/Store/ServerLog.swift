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
            /// The last foreign commit that the observer had not been told of, when the snapshot was opened; `nil` for none.
            var foreignNumber: Int64?
            /// The last attempt of this process; 0 for none.
            var attempt: Int64
        }

        private struct State {
            /// The last foreign commit that the observer was told of.
            var toldNumber: Int64
            var observer: Observer?
        }

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
            let told = state.withLock { $0.toldNumber }
            var pipeline = PostgresPipeline()
            pipeline.append("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
            pipeline.append("SET LOCAL search_path TO pg_catalog")
            // So that a snapshot that is forgotten does not keep the server from removing old rows.
            pipeline.append("SET LOCAL idle_in_transaction_session_timeout TO '60s'")
            pipeline.append("LOCK TABLE \(namespace.qualified("_store")) IN ACCESS SHARE MODE")
            let log = namespace.qualified("_log")
            pipeline.append(
                try PostgresStatement(
                    """
                    SELECT (SELECT max(number) FROM \(log) WHERE number > $2 AND process <> $1), \
                    (SELECT max(attempt) FROM \(log) WHERE process = $1)
                    """, values: process, told))
            let result = try connection.run(pipeline, until: deadline).results()[4]
            return Head(
                foreignNumber: try result.value(row: 0, column: 0), attempt: try result.value(row: 0, column: 1) ?? 0)
        }

        /// Notifies the observer of the foreign commits in a snapshot.
        func tell(_ head: Head) -> ForeignCommitStatus {
            guard let number = head.foreignNumber else { return .told }
            let (status, wake) = state.withLock { state -> (ForeignCommitStatus, (@Sendable () -> Void)?) in
                if number <= state.toldNumber { return (.told, nil) }
                var wake: (@Sendable () -> Void)?
                if let observer = state.observer {
                    wake = observer.tell(false)
                    if wake == nil { return (.untold, nil) }
                }
                state.toldNumber = number  // 1
                return (.told, wake)
            }
            wake?()
            return status
        }

        /// Returns the highest primary key that this process has assigned, as of a snapshot. It assigns none yet.
        func lastPrimaryKey(of entity: Entity, in head: Head) -> Int64 { 0 }
    }
#endif
