#if Postgres
    /// **Value.** The fate of a pipeline: an outcome for each statement, in order.
    package struct PipelineAnswer: Sendable {
        /// The outcomes of the statements, in their order.
        package var outcomes: [StatementOutcome]
        /// The failure that ended the connection, or the caller's mistake; `nil` if the server answered everything.
        package var connectionFailure: PostgresFailure?
        /// The server's first hundred warnings.
        package var warnings: [PostgresFailure] = []
        /// A Boolean value indicating whether a commit is durable on the primary only: it was cancelled, or the server shut
        /// down, while it waited for a synchronous standby. Its `COMMIT` completes nevertheless.
        package var isReplicationUnconfirmed = false

        /// Returns the results of all statements.
        ///
        /// Throws the first ``PostgresFailure``: a statement's if one failed before the connection did.
        package func results() throws(PostgresFailure) -> [PostgresResult] {
            if let failure = outcomes.lazy.compactMap(\.failure).first { throw failure }
            if let connectionFailure { throw connectionFailure }
            return outcomes.compactMap(\.result)
        }

        /// A Boolean value indicating whether every statement completed.
        package var isComplete: Bool { outcomes.allSatisfy { $0.result != nil } }

        /// A Boolean value indicating whether a statement reached the server perhaps, without an answer.
        package var isUncertain: Bool {
            outcomes.contains { if case .unanswered = $0 { true } else { false } }
        }
    }
#endif
