#if Postgres
    /// **Value.** One statement of SQL with the values of its parameters.
    package struct PostgresStatement: Sendable {
        /// The text, with `$1` and so on for the parameters.
        package var sql: String
        /// The values of the parameters.
        package var parameters: PostgresParameters
        /// A Boolean value indicating whether the server keeps the statement prepared, for further ones with the same text
        /// and types. For texts that come again and again.
        package var isPrepared = false

        /// Creates a statement.
        package init(_ sql: String, _ parameters: PostgresParameters = PostgresParameters()) {
            self.sql = sql
            self.parameters = parameters
        }

        /// Creates a statement with parameters of various types.
        ///
        /// Throws a ``PostgresValueError`` if the server's types cannot represent a value.
        package init<each Value: PostgresValue>(
            _ sql: String, values: repeat (each Value)?
        ) throws(PostgresValueError) {
            self.init(sql)
            for value in repeat each values { try parameters.append(value) }
        }

        /// Returns the statement as one to keep prepared.
        package func prepared() -> PostgresStatement {
            var statement = self
            statement.isPrepared = true
            return statement
        }

        /// The bytes that the statement takes on the wire, approximately.
        var byteCount: Int { sql.utf8.count + parameters.bytes.count + 10 * parameters.count + 64 }

        /// Returns a statement that the server keeps prepared.
        static func prepared(_ sql: String, _ parameters: PostgresParameters) -> PostgresStatement {
            PostgresStatement(sql, parameters).prepared()
        }

        /// Returns a statement that the server keeps prepared, with ids as its only parameter.
        static func prepared(_ sql: String, ids: [Int64]) throws(PostgresValueError) -> PostgresStatement {
            var parameters = PostgresParameters()
            try parameters.append(array: ids)
            return prepared(sql, parameters)
        }
    }
#endif
