#if Postgres
    import DataMonkCore
    import Foundation

    /// **Shared.** The place of this process in the store's log of commits.
    ///
    /// ```
    /// _log   number | process | attempt | is_fence
    ///        41       a         7         false      numbers have no gaps, and become visible in their order
    ///        42       b         1         false
    ///        43       a         8         true       an attempt of a process is never repeated: this one is kept out
    /// ```
    /// So the last number in a snapshot says which commits it contains: the rows of other processes up to there are the
    /// foreign commits, and the last attempt of this process tells which of its own. An attempt of this process whose outcome
    /// is unknown counts as foreign if it is found.
    ///
    /// A server that crashes, or is replaced by its standby, may lose commits that were already read. The row at the last known
    /// number is then missing or different (a fence counts as different), and that counts as a foreign commit. From then on,
    /// rows to be written are also compared by their values.
    ///
    /// A process in whose time nobody else commits is in solitude, as far as it knows. Commits are faster then; that they are
    /// right does not depend on it: see `ServerTransaction.AssumedBeginning`.
    ///
    /// Invariants
    /// 1. The observer is notified before `position` is set: who finds nothing new knows that it was notified.
    /// 2. A head is judged by the questions that it has answered: if others are to be asked by now, it tells nothing.
    final class ServerLog: Sendable {
        /// **Value.** A row of the log.
        struct Position: Sendable, Hashable {
            /// The number; 0 for the beginning of the log, before the first row.
            var number: Int64 = 0
            var process = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
            var attempt: Int64 = 0
            /// A Boolean value indicating whether the row keeps the commit of the attempt out. If that was read before it was
            /// lost, the row may have its number.
            var isFence = false
        }

        /// **Value.** A version of the model among those of the store. A number is given again if the server loses a migration.
        struct Version: Sendable, Hashable {
            let number: Int32
            /// The checksum of its hashes.
            let checksum: String
        }

        /// **Value.** The state of the log in a snapshot.
        struct Head: Sendable {
            /// The last row.
            var position = Position()
            /// The last foreign commit that the observer had not been told of, when the snapshot was opened; `nil` for none.
            var foreignNumber: Int64?
            /// The last attempt of this process that was committed; 0 for none.
            var attempt: Int64 = 0
            /// A Boolean value indicating whether the log contains what the observer was told of, and what the server has
            /// acknowledged.
            var isContinued = true
            /// A Boolean value indicating whether the log is not one that has gone on with commits that are lost elsewhere: a
            /// standby has one if another one took over without them. The rows before these are the same in both.
            var isDistinct = true
            /// A Boolean value indicating whether old rows were deleted, and what the observer was told of among them.
            var isTrimmed = false
            /// A Boolean value indicating whether the server is a standby, which may not have all commits yet.
            var isStandby = false
            /// A Boolean value indicating whether the store keeps a history; see `ServerHistoryTables`.
            var keepsHistory = false
            /// A Boolean value indicating whether processes of this one's version may use the store.
            var permitsVersion = true
            /// The number of the questions that it answers.
            fileprivate var revision = 0
        }

        private struct State {
            /// The observer was told of all foreign commits up to this row.
            var position: Position
            /// The last attempt of this process up to that row.
            var positionAttempt: Int64 = 0
            /// The last number that a row had which this process knows of, also if that was lost.
            var lastNumber: Int64
            /// The last time at which the position was set, or an attempt acknowledged.
            var lastNews = ContinuousClock.now
            var observer: Observer?
            var lastAttempt: Int64 = 0
            /// The last attempt that was committed, as the server has acknowledged; 0 for none.
            var acknowledgedAttempt: Int64 = 0
            /// The last attempts that may have been committed, in order.
            var attempts: [Attempt] = []
            /// The attempts of which nobody knows whether they were committed.
            var unknownAttempts: [Int64] = []
            /// The number of times that the questions to the log have changed other than by a later position.
            var revision = 0
            var hasLostCommits = false
            /// `nil` if others have written lately, or may have.
            var solitude: Solitude?

            /// Raises the position to the last row of a head, or sets it back. Returns what was lost.
            mutating func raisePosition(to head: Head) -> Loss? {
                position = head.position
                // Rows of this process that were old are deleted, although nothing is lost. Nobody can tell later whether the
                // commits of deleted rows are among lost ones, so they do not count as such.
                if head.isContinued, acknowledgedAttempt <= positionAttempt {
                    acknowledgedAttempt = min(acknowledgedAttempt, head.attempt)
                }
                positionAttempt = head.isContinued ? max(positionAttempt, head.attempt) : head.attempt
                lastNumber = max(lastNumber, position.number)
                lastNews = .now
                if head.isContinued { return nil }
                revision += 1
                hasLostCommits = true
                defer { acknowledgedAttempt = min(head.attempt, acknowledgedAttempt) }
                return head.isTrimmed ? nil : Loss(isOfAcknowledged: head.attempt < acknowledgedAttempt)
            }
        }

        /// **Value.** The time in which nobody else writes, as far as is known.
        struct Solitude: Sendable {
            fileprivate let start = ContinuousClock.now
            let keepsHistory: Bool
        }

        /// **Value.** A commit of this process.
        private struct Attempt: Sendable {
            let number: Int64
            /// The last row that was known when it began. Its own has a higher number.
            let start: Int64
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
        private let version: Version
        private let snapshotIdleTimeout: Duration
        private let state: Locked<State>

        /// The channel on which the server tells of commits to the store.
        let channel: String

        /// - Parameters:
        ///   - position: The last row when the store was opened.
        ///   - version: That of this process.
        ///   - snapshotIdleTimeout: The time after which the server ends a snapshot without a statement.
        init(of store: UUID, startingAt position: Position, version: Version, snapshotIdleTimeout: Duration) {
            channel = Self.channel(of: store)
            self.version = version
            self.snapshotIdleTimeout = snapshotIdleTimeout
            state = Locked(State(position: position, lastNumber: position.number))
        }

        /// A Boolean value indicating whether the server has ever lost commits that this process had read. Versions that were
        /// read before may have been given out again.
        var hasLostCommits: Bool { state.withLock { $0.hasLostCommits } }

        /// The row up to which the observer was told of all foreign commits.
        var position: Position { state.withLock { $0.position } }

        /// The last time at which that row was another one, or a commit of this process acknowledged.
        var lastNews: ContinuousClock.Instant { state.withLock { $0.lastNews } }

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
            // A forgotten snapshot does not keep old rows.
            let milliseconds = Int64(snapshotIdleTimeout / .milliseconds(1))
            let settings = ["idle_in_transaction_session_timeout TO \(milliseconds)"]
            return try begin(
                "REPEATABLE READ READ ONLY", settings, on: connection, of: namespace, until: deadline
            ).head
        }

        /// Begins a transaction of an isolation level, by one round trip. Returns the state of the log in it, and the outcomes
        /// of the statements that came next: if one of them fails, the transaction has begun nevertheless.
        ///
        /// - Parameters:
        ///   - settings: Settings for the transaction, such as `lock_timeout TO 5000`.
        ///   - statements: The first statements in it.
        func begin(
            _ level: String, _ settings: [String], on connection: PostgresConnection, of namespace: ServerNamespace,
            before statements: [PostgresStatement] = [], until deadline: ContinuousClock.Instant
        ) throws -> (head: Head, next: PipelineAnswer) {
            var pipeline = PostgresPipeline(Self.beginning(level, settings, in: namespace))
            let question = try headQuestion(in: namespace)
            pipeline.append(question.statement)
            let count = pipeline.count
            for statement in statements { pipeline.append(statement) }
            var answer = connection.run(pipeline, until: deadline)
            var next = answer
            next.outcomes.removeFirst(count)
            answer.outcomes.removeSubrange(count...)
            // A failure behind the beginning is that of the statements there.
            if !statements.isEmpty, answer.isComplete { answer.connectionFailure = nil }
            return (try question.head(in: try answer.results()[count - 1]), next)
        }

        /// Returns the statements that begin a transaction.
        static func beginning(
            _ level: String, _ settings: [String], in namespace: ServerNamespace
        ) -> [PostgresStatement] {
            let settings = (["search_path TO pg_catalog"] + settings).map { "SET LOCAL \($0)" }
            return (["BEGIN ISOLATION LEVEL \(level)"] + settings + [lock(in: namespace)]).map { PostgresStatement($0) }
        }

        /// The lock that keeps migrations out. It fails outside of a transaction.
        static func lock(in namespace: ServerNamespace) -> String {
            "LOCK TABLE \(namespace.qualified("_store")) IN ACCESS SHARE MODE"
        }

        /// **Value.** The error of a connection to a server whose log is another one than the observer was told of, if a new
        /// connection may lead to a better one.
        struct OtherLog: Error {}

        /// **Value.** A statement that selects the state of the log.
        struct HeadQuestion {
            let statement: PostgresStatement
            fileprivate let revision: Int
            /// A Boolean value indicating whether the row that is asked for is none from before a lost one.
            fileprivate let isDistinct: Bool

            func head(in result: PostgresResult) throws -> Head {
                Head(
                    position: try Position.last(in: result),
                    foreignNumber: try result.value(row: 0, column: 4),
                    attempt: try result.required(row: 0, column: 5),
                    isContinued: try result.required(row: 0, column: 6), isDistinct: isDistinct,
                    isTrimmed: try result.required(row: 0, column: 8),
                    isStandby: try result.required(row: 0, column: 7),
                    keepsHistory: try result.required(row: 0, column: 9),
                    permitsVersion: try result.required(row: 0, column: 10), revision: revision)
            }
        }

        func headQuestion(in namespace: ServerNamespace) throws -> HeadQuestion {
            let log = namespace.qualified("_log")
            let (position, unknownAttempts, revision, requiredAttempt, isDistinct) = state.withLock { state in
                let isTold = state.acknowledgedAttempt <= state.positionAttempt
                return (
                    state.position, state.unknownAttempts, state.revision, isTold ? 0 : state.acknowledgedAttempt,
                    state.position.number >= state.lastNumber
                )
            }
            var parameters = PostgresParameters()
            try parameters.append(process)
            try parameters.append(position.number)
            try parameters.append(array: unknownAttempts)
            try parameters.append(position.process)
            try parameters.append(position.attempt)
            try parameters.append(position.isFence)
            try parameters.append(ServerHistoryTables(namespace: namespace).transactions)
            try parameters.append(version.number)
            try parameters.append(version.checksum)
            // An acknowledged attempt, which the log contains although the observer was not told of it; 0 for none.
            try parameters.append(requiredAttempt)
            // Planning takes longer than the answer. With OR for CASE, a log of one process would be planned each time.
            let statement = PostgresStatement.prepared(
                """
                SELECT \(Position.lastColumns), \
                (SELECT max(number) FROM \(log) WHERE number > $2 AND NOT is_fence \
                AND CASE WHEN process = $1 THEN attempt = ANY ($3) ELSE true END), \
                own.attempt, own.attempt >= $10 AND ($2 = 0 OR EXISTS (\
                SELECT FROM \(log) WHERE number = $2 AND process = $4 AND attempt = $5 AND is_fence = $6)), \
                pg_is_in_recovery(), coalesce((SELECT min(number) FROM \(log)) > greatest($2, 1), false), \
                to_regclass($7) IS NOT NULL, EXISTS (SELECT FROM \(namespace.qualified("_versions")), \
                \(namespace.qualified("_store")) WHERE number = $8 AND checksum = $9 AND number >= oldest_version) \
                FROM \(Position.last(in: namespace)), (SELECT coalesce(max(attempt), 0) AS attempt \
                FROM \(log) WHERE process = $1 AND NOT is_fence) own
                """, parameters)
            return HeadQuestion(statement: statement, revision: revision, isDistinct: isDistinct)
        }

        /// **Value.** Commits that were read, and are not in the log any more.
        struct Loss: Sendable {
            /// A Boolean value indicating whether some of them are this process's, which had been acknowledged.
            let isOfAcknowledged: Bool
        }

        /// Notifies the observer of the foreign commits in a snapshot.
        ///
        /// - Returns: In addition, what was lost; `nil` if nothing was, or if that was returned before.
        func tell(_ head: Head, isCommitting: Bool = false) -> (status: ForeignCommitStatus, loss: Loss?) {
            typealias Told = (status: ForeignCommitStatus, loss: Loss?, wake: (@Sendable () -> Void)?)
            let (status, loss, wake) = state.withLock { state -> Told in
                // 2.
                if head.revision != state.revision { return (.untold, nil, nil) }
                if head.isContinued, head.position.number <= state.position.number { return (.told, nil, nil) }
                var wake: (@Sendable () -> Void)?
                let isForeign = !head.isContinued || head.foreignNumber ?? 0 > state.position.number
                if isForeign { state.solitude = nil }
                if isForeign, let observer = state.observer {
                    wake = observer.tell(isCommitting)
                    if wake == nil { return (.untold, nil, nil) }
                }
                // 1. Numbers become visible in their order, so all others up to the last one are this process's own.
                return (.told, state.raisePosition(to: head), wake)
            }
            wake?()
            return (status, loss)
        }

        /// Notes that the observer has been told of the foreign commits up to the commit of this process that a head ends with.
        ///
        /// - Returns: What was lost; `nil` if nothing was, or if that was returned before.
        func noteTold(_ head: Head) -> Loss? {
            state.withLock { state in
                // 2.
                guard head.revision == state.revision, head.position.number > state.position.number || !head.isContinued
                else { return nil }
                return state.raisePosition(to: head)
            }
        }

        // MARK: Solitude

        /// Notes what a transaction that writes has found.
        func noteFound(_ head: Head) {
            state.withLock { state in
                if !head.isContinued || head.foreignNumber != nil {
                    state.solitude = nil
                } else if state.solitude?.keepsHistory != head.keepsHistory {
                    state.solitude = Solitude(keepsHistory: head.keepsHistory)
                }
            }
        }

        /// Notes that somebody else may write.
        func noteOthers() { state.withLock { $0.solitude = nil } }

        /// Returns the solitude, if nobody else has written for some time and the last commit was not long ago.
        func solitude(_ settings: ServerStoreSettings) -> Solitude? {
            state.withLock { state in
                let now = ContinuousClock.now
                guard let solitude = state.solitude, solitude.start + settings.solitudeTime <= now,
                    now < state.lastNews + settings.solitudeLimit, !state.hasLostCommits, state.unknownAttempts.isEmpty
                else { return nil }
                return solitude
            }
        }

        // MARK: Attempts

        /// Begins an attempt to commit, and returns its number.
        func beginAttempt(assigned: [Int: Int64]) -> Int64 {
            state.withLock { state in
                state.lastAttempt += 1
                state.attempts.append(
                    Attempt(number: state.lastAttempt, start: state.position.number, assigned: assigned))
                if state.attempts.count > Self.attemptLimit { state.attempts.removeFirst() }
                return state.lastAttempt
            }
        }

        /// A Boolean value indicating whether old rows are to be deleted now, which is so once in a while.
        var isTrimDue: Bool { state.withLock { $0.lastAttempt % 1_000 == 1 } }

        /// Returns the statement that deletes rows of a certain age, of the oldest ones. The last row stays, and gives the next
        /// one its number. If several processes do so at a time, one does. A row that somebody has locked stays, with those
        /// after it: a row that is missing between others counts as lost.
        func trimStatement(in namespace: ServerNamespace, olderThan age: Duration) throws -> PostgresStatement {
            let log = namespace.qualified("_log")
            return try PostgresStatement(
                """
                DELETE FROM \(log) WHERE number = ANY (ARRAY (\
                SELECT number FROM (SELECT number, number - row_number() OVER (ORDER BY number) AS start FROM (\
                SELECT number FROM \(log) WHERE written < clock_timestamp() - $1 * interval '1 second' \
                AND number < (SELECT least(max(number), min(number) + 10000) FROM \(log)) \
                AND (SELECT pg_catalog.pg_try_advisory_xact_lock(\(Self.trimLock), pg_catalog.hashtext($2))) \
                FOR UPDATE SKIP LOCKED) free) numbered WHERE start = (SELECT min(number) - 1 FROM \(log))))
                """, values: age / .seconds(1), namespace.name)
        }

        /// The first half of the number of the lock for deleting rows: "DMot" in ASCII.
        private static let trimLock: Int32 = 0x444d_6f74

        /// Notes that an attempt was committed, and is on disk.
        func noteAcknowledged(_ attempt: Int64) {
            state.withLock { state in
                state.acknowledgedAttempt = max(attempt, state.acknowledgedAttempt)
                state.lastNews = .now
            }
        }

        /// Notes a row that is in the log, or keeps a commit out, before the observer is told of it.
        func noteRow(numbered number: Int64) {
            state.withLock { $0.lastNumber = max($0.lastNumber, number) }
        }

        /// Returns the number of a row of the log that is before that of an attempt, if the attempt was committed.
        func number(before attempt: Int64) -> Int64 {
            state.withLock { $0.attempts.last { $0.number == attempt }?.start ?? 0 }
        }

        /// Forgets an attempt that was not committed. Its row may be in the log nevertheless, to keep it out.
        func abandon(_ attempt: Int64) {
            state.withLock { state in
                state.attempts.removeAll { $0.number == attempt }
                state.unknownAttempts.removeAll { $0 == attempt }
            }
        }

        /// The attempts of which nobody knows whether they were committed.
        var unknownAttempts: [Int64] { state.withLock { $0.unknownAttempts } }

        /// Notes that nobody knows whether an attempt was committed.
        func noteUnknown(_ attempt: Int64) {
            state.withLock { state in
                state.unknownAttempts.append(attempt)
                state.revision += 1
            }
        }

        /// Notes that attempts were committed, and that the observer was told of them.
        func noteKnown(_ attempts: [Int64]) {
            state.withLock { $0.unknownAttempts.removeAll(where: attempts.contains) }
        }

        /// Returns the highest primary key that a commit of this process has assigned, as of a snapshot.
        func lastPrimaryKey(of entity: Entity, in head: Head) -> Int64 {
            state.withLock { state in
                state.attempts.last { $0.number <= head.attempt }?.assigned[entity.root.index] ?? 0
            }
        }
    }

    extension ServerLog.Position {
        /// Selects the last row of a log.
        static func lastStatement(in namespace: ServerNamespace) -> PostgresStatement {
            PostgresStatement("SELECT \(lastColumns) FROM \(last(in: namespace))")
        }

        /// A table of one row with the last row of a log; NULL in an empty one.
        static func last(in namespace: ServerNamespace) -> String {
            """
            (VALUES (1)) one LEFT JOIN (SELECT number, process, attempt, is_fence \
            FROM \(namespace.qualified("_log")) ORDER BY number DESC LIMIT 1) last ON true
            """
        }

        /// The columns of that table.
        static let lastColumns = "last.number, last.process, last.attempt, last.is_fence"

        /// Returns the row in the first four columns of a result.
        static func last(in result: PostgresResult) throws -> Self {
            guard let number = try result.value(Int64.self, row: 0, column: 0) else { return Self() }
            return Self(
                number: number, process: try result.required(row: 0, column: 1),
                attempt: try result.required(row: 0, column: 2), isFence: try result.required(row: 0, column: 3))
        }
    }
#endif
