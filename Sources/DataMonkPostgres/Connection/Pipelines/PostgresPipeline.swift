#if Postgres
    /// **Value.** Statements that are sent together, and answered in one round trip.
    ///
    /// ```swift
    /// var pipeline = PostgresPipeline()
    /// pipeline.append("BEGIN")
    /// pipeline.append(try PostgresStatement("UPDATE t SET n = $1 WHERE id = $2", values: 7, 1))
    /// pipeline.append("COMMIT")
    /// ```
    /// After a statement that fails, the server skips all others up to the next ``synchronize()``. The statements between
    /// two of them are one transaction, unless they contain `BEGIN`. If the commit of such a transaction fails, its last
    /// statement has failed, although the ones before it completed.
    package struct PostgresPipeline: Sendable {
        /// A step of a pipeline.
        enum Step: Sendable {
            case statement(PostgresStatement)
            case synchronization
        }

        private(set) var steps: [Step] = []
        /// The number of statements.
        package private(set) var count = 0
        /// The bytes that the statements take on the wire, approximately.
        private(set) var byteCount = 0

        /// Creates a pipeline without statements.
        package init() {}

        /// Creates a pipeline of one part.
        package init(_ statements: [PostgresStatement]) {
            for statement in statements { append(statement) }
        }

        /// Appends a statement.
        package mutating func append(_ statement: PostgresStatement) {
            steps.append(.statement(statement))
            count += 1
            byteCount += statement.byteCount
        }

        /// Appends a statement without parameters.
        package mutating func append(_ sql: String) { append(PostgresStatement(sql)) }

        /// Ends the part that fails as a whole. The end of the pipeline is such a place too.
        package mutating func synchronize() {
            if case .synchronization? = steps.last { return }
            if !steps.isEmpty { steps.append(.synchronization) }
        }
    }
#endif
