#if Postgres
    extension PostgresConnection {
        /// Sends statements and returns the outcome of each one. Reads answers while it still sends.
        ///
        /// After a passed deadline or a lost connection, this one is spent. An interrupt cancels the running statement,
        /// sends no further ones, and waits for the server's answers until the deadline; the connection remains usable
        /// then, and a transaction that the pipeline began may be open. So it may be after a statement that libpq refuses.
        package func run(
            _ pipeline: PostgresPipeline, until deadline: ContinuousClock.Instant, interrupt: PostgresInterrupt? = nil
        ) -> PipelineAnswer {
            do {
                let handle = try openHandle()
                var run = PipelineRun(
                    connection: self, handle: handle, wait: SocketWait(deadline: deadline, interrupt: interrupt))
                return run.run(pipeline)
            } catch {
                let outcomes = [StatementOutcome](repeating: .notSent, count: pipeline.count)
                return PipelineAnswer(outcomes: outcomes, connectionFailure: error)
            }
        }

        /// Runs one statement.
        ///
        /// Throws a ``PostgresFailure``, as ``PipelineAnswer/results()`` does.
        package func run(
            _ statement: PostgresStatement, until deadline: ContinuousClock.Instant, interrupt: PostgresInterrupt? = nil
        ) throws(PostgresFailure) -> PostgresResult {
            try run(PostgresPipeline([statement]), until: deadline, interrupt: interrupt).results()[0]
        }
    }
#endif
