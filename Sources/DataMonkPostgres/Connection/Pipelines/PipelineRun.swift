#if Postgres
    import CPostgres

    /// **Confined.** One run of a pipeline: sends its steps, and reads the answers as they come.
    ///
    /// Invariants
    /// 1. The answer that libpq returns next belongs to `inFlight[received]`.
    /// 2. A step is in flight before libpq gets it, because libpq may pass a part of it to the system at once.
    /// 3. Whenever sending would block, answers are read: a server that cannot send does not read either.
    /// 4. Unless the connection is lost or the deadline has passed, all that was sent is answered when the run ends.
    struct PipelineRun {
        /// A step that was sent.
        enum Sent {
            case statement(index: Int, preparedAs: PreparedStatements.Key?)
            /// Sent before the first statement that uses it.
            case preparation(index: Int, PreparedStatements.Key, name: String)
            /// A statement without an outcome, in a part of its own: the release of a prepared one, or an earlier `ROLLBACK`.
            case release
            /// `last` is the statement before it, whose outcome tells a commit that fails here.
            case synchronization(last: Int?)
        }

        let connection: PostgresConnection
        let handle: OpaquePointer
        var wait: SocketWait

        var inFlight: [Sent] = []
        var received = 0
        var outcomes: [StatementOutcome]
        /// The outcome of `inFlight[received]`, once it is known. libpq tells the end of an answer separately.
        private var current: StatementOutcome?
        /// The names of the statements that were prepared in the part that is being sent. Whether they succeed is not known
        /// yet, but if they do not, the part ends there.
        var namesInPart: [PreparedStatements.Key: String] = [:]
        /// The bytes given to libpq since it last had nothing left to send.
        var bufferedByteCount = 0
        /// `nil` unless the run was interrupted.
        var cancellation: PostgresCancellation.Repetition?
        /// libpq's objection to a statement, behind which nothing was sent.
        var refusal: PostgresFailure?

        init(connection: PostgresConnection, handle: OpaquePointer, wait: SocketWait) {
            self.connection = connection
            self.handle = handle
            self.wait = wait
            outcomes = []
        }

        mutating func run(_ pipeline: PostgresPipeline) -> PipelineAnswer {
            outcomes = Array(repeating: .notSent, count: pipeline.count)
            connection.notices.reset()
            var failure: PostgresFailure?
            if connection.hasUnreadRollback {
                inFlight = [.release, .synchronization(last: nil)]
                connection.hasUnreadRollback = false
            }
            do {
                try checkConnection()
                try receive()
                try sendReleases()
                try send(pipeline.steps)
                while received < inFlight.count {
                    try receive()
                    if received < inFlight.count { try waitForServer() }
                }
                failure = refusal
                // An interrupt may come too late for the last statement.
                if cancellation != nil, outcomes.contains(where: { $0.result == nil }) { failure = .interrupted }
            } catch {
                failure = error
            }
            if let cancellation, !cancellation.stop(until: wait.deadline) {
                // A late request would cancel the next statement.
                failure = failure.flatMap { $0.isConnectionLost ? $0 : nil } ?? .deadlinePassed
                connection.spend(.deadlinePassed)
            }
            if let failure, received < inFlight.count || failure.isConnectionLost { connection.spend(failure) }
            connection.collectNotifications(handle)
            return PipelineAnswer(
                outcomes: outcomes, connectionFailure: failure, warnings: connection.notices.warnings,
                isReplicationUnconfirmed: connection.notices.isReplicationUnconfirmed)
        }

        // MARK: Receiving

        /// Waits until the server sends or, on request, reads; then reads what it has sent.
        mutating func waitForServer(writing: Bool = false) throws(PostgresFailure) {
            switch connection.waitForInput(handle, within: wait, writing: writing) {
            case .ready(readable: true, _):
                do {
                    try connection.consumeInput(handle)
                } catch {
                    // Answers that came before the end of the connection count.
                    try receive()
                    throw error
                }
            case .ready: break
            case .interrupted: try startCancellation()
            case .deadlinePassed: throw .deadlinePassed
            }
        }

        /// Takes all answers that libpq has read.
        mutating func receive() throws(PostgresFailure) {
            var endCount = 0
            while received < inFlight.count, PQisBusy(handle) == 0 {
                if let result = PQgetResult(handle) {
                    endCount = 0
                    try take(result)
                } else if let outcome = current {
                    note(outcome, of: inFlight[received])
                    current = nil
                    received += 1
                } else {
                    // The end of an answer without an answer: once behind a commit that failed, twice never.
                    endCount += 1
                    if endCount > 1 { throw connection.lostConnection(handle) }
                }
            }
        }

        private mutating func note(_ outcome: StatementOutcome, of sent: Sent) {
            switch sent {
            case .statement(let index, let key):
                // The failure of its preparation is the statement's own.
                if case .failed = outcomes[index] { return }
                outcomes[index] = outcome
                if let key, let failure = outcome.failure { connection.notePreparedFailure(failure, of: key) }
            case .preparation(let index, let key, let name):
                if outcome.result != nil { connection.prepared.insert(key, name: name) }
                if outcome.failure != nil { outcomes[index] = outcome }
            case .release, .synchronization: break
            }
        }

        private mutating func take(_ result: OpaquePointer) throws(PostgresFailure) {
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK, PGRES_EMPTY_QUERY:
                current = .completed(PostgresResult(handle: result))
                return
            case PGRES_PIPELINE_SYNC: received += 1
            case PGRES_PIPELINE_ABORTED: current = .skipped
            case PGRES_FATAL_ERROR:
                let severity = PostgresFailure.severity(of: result)
                let isEnd = severity?.endsConnection ?? true
                let failure = PostgresFailure(result: result, kind: isEnd ? .connectionLost : .statement)
                if isEnd {
                    PQclear(result)
                    // The end may follow a commit, so the statement stays unanswered.
                    throw severity == nil ? connection.notices.lastWords ?? failure : failure
                }
                if case .synchronization(let last) = inFlight[received] {
                    if let last { outcomes[last] = .failed(failure) }
                } else {
                    current = .failed(failure)
                }
            default:
                PQclear(result)
                throw PostgresFailure(
                    .connectionLost, message: "The server expects COPY data, which a pipeline cannot send. Use INSERT.")
            }
            PQclear(result)
        }

        // MARK: Cancellation

        mutating func startCancellation() throws(PostgresFailure) {
            wait.interrupt = nil
            if inFlight.isEmpty { throw .interrupted }
            cancellation = connection.cancellation.sendRepeatedly()
        }
    }
#endif
