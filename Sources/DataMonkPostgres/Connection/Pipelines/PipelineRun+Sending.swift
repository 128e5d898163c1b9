#if Postgres
    import CPostgres

    extension PipelineRun {
        /// Detects a connection that ended while it was idle. Nothing has been sent then, so everything can be sent again.
        func checkConnection() throws(PostgresFailure) {
            while connection.hasInput(handle), ContinuousClock.now < wait.deadline {
                try connection.consumeInput(handle)
                // The reason comes before the end. libpq notices it once it is asked.
                _ = PQisBusy(handle)
                if let lastWords = connection.notices.lastWords { throw lastWords }
            }
            if wait.interrupt?.isTriggered == true { throw .interrupted }
            if ContinuousClock.now >= wait.deadline { throw .deadlinePassed }
        }

        mutating func send(_ steps: [PostgresPipeline.Step]) throws(PostgresFailure) {
            var index = 0
            for step in steps {
                if wait.interrupt?.isTriggered == true { try startCancellation() }
                if cancellation != nil || refusal != nil { break }
                switch step {
                case .synchronization:
                    try sendSynchronization()
                    // Otherwise the rest goes out in pieces, together with the next part. A process that is stopped between
                    // these leaves the server within that part, where no limit of idle time ends it, with its locks.
                    try flush()
                case .statement(let statement):
                    try send(statement, index: index)
                    index += 1
                }
                // libpq buffers without a limit.
                if bufferedByteCount >= 65_536 { try flush() }
            }
            try sendSynchronization()
            try flush()
        }

        private mutating func send(_ statement: PostgresStatement, index: Int) throws(PostgresFailure) {
            outcomes[index] = .unanswered
            bufferedByteCount += statement.byteCount
            let isAccepted: Bool
            if statement.isPrepared, connection.prepared.isEnabled {
                isAccepted = sendPrepared(statement, index: index)
            } else {
                isAccepted = send(.statement(index: index, preparedAs: nil)) { statement.send(to: $0) }
            }
            if isAccepted { return }
            if PQstatus(handle) == CONNECTION_BAD { throw connection.lostConnection(handle) }
            // libpq cannot express the statement, such as one with more than 65,535 parameters, and has sent nothing of it.
            outcomes[index] = .notSent
            refusal = PostgresFailure(
                .invalidUse,
                message: PostgresFailure.firstLine(PQerrorMessage(handle)) ?? "libpq refused the statement.")
        }

        /// Sends a statement by its name, behind its preparation if the server has not prepared it.
        private mutating func sendPrepared(_ statement: PostgresStatement, index: Int) -> Bool {
            let key = PreparedStatements.Key(statement)
            let sent = Sent.statement(index: index, preparedAs: key)
            if let name = namesInPart[key] ?? connection.prepared.name(for: key) {
                return send(sent) { statement.sendValues(to: $0, name: name) }
            }
            let name = connection.prepared.makeName()
            guard
                send(.preparation(index: index, key, name: name), { statement.sendPreparation(to: $0, name: name) })
            else { return false }
            namesInPart[key] = name
            return send(sent) { statement.sendValues(to: $0, name: name) }
        }

        /// Puts a step in flight (invariant 2). Takes it back if libpq refuses it.
        private mutating func send(_ step: Sent, _ give: (OpaquePointer) -> Bool) -> Bool {
            inFlight.append(step)
            if give(handle) { return true }
            // A connection that is lost may have sent a part.
            if PQstatus(handle) != CONNECTION_BAD { inFlight.removeLast() }
            return false
        }

        /// Releases statements that are no longer kept prepared. Not within a transaction, which the release would take
        /// part in, and which may have failed.
        mutating func sendReleases() throws(PostgresFailure) {
            // Anything in flight before the first statement is a rollback, which ends the transaction.
            guard !inFlight.isEmpty || PQtransactionStatus(handle) == PQTRANS_IDLE else { return }
            for name in connection.prepared.takeReleased() {
                let statement = PostgresStatement("DEALLOCATE \(name)")
                guard send(.release, { statement.send(to: $0) }) else { throw connection.lostConnection(handle) }
                try sendSynchronization()
            }
        }

        /// Ends a part, unless nothing has been sent since the last one.
        private mutating func sendSynchronization() throws(PostgresFailure) {
            let last: Int?
            switch inFlight.last {
            case .statement(let index, _)?, .preparation(let index, _, _)?: last = index
            case .release?: last = nil
            case .synchronization?, nil: return
            }
            namesInPart = [:]
            inFlight.append(.synchronization(last: last))
            if PQpipelineSync(handle) != 1 { throw connection.lostConnection(handle) }
        }

        /// Sends what libpq has buffered. Reads while it waits (invariant 3).
        private mutating func flush() throws(PostgresFailure) {
            while true {
                switch PQflush(handle) {
                case 0:
                    bufferedByteCount = 0
                    return
                case 1:
                    try waitForServer(writing: true)
                    try receive()
                default: throw connection.lostConnection(handle)
                }
            }
        }
    }
#endif
