#if Postgres
    /// **Value.** The fate of one statement of a pipeline.
    package enum StatementOutcome: Sendable {
        /// Outside of a transaction, its part is committed by the Sync at its end, and may be lost with the connection
        /// even so. `COMMIT` is answered once it has committed.
        case completed(PostgresResult)
        /// The server refused it.
        case failed(PostgresFailure)
        /// The server did not run it, because an earlier statement of its part failed.
        case skipped
        /// The connection ended or the deadline passed before the answer: the server may or may not have run it.
        case unanswered
        /// The connection ended or the deadline passed before it was handed to the system: the server has not run it.
        case notSent

        /// The result; `nil` if there is none.
        package var result: PostgresResult? {
            if case .completed(let result) = self { result } else { nil }
        }

        /// The server's refusal; `nil` if there was none.
        package var failure: PostgresFailure? {
            if case .failed(let failure) = self { failure } else { nil }
        }
    }
#endif
