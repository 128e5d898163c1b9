#if Postgres
    /// **Value.** A part of a statement, with the values of its parameters.
    struct ServerSQL: Sendable {
        private(set) var text = ""
        private(set) var parameters = PostgresParameters()

        mutating func append(_ sql: String) { text += sql }

        /// Appends a parameter with a value.
        mutating func bind<Value: PostgresValue>(_ value: Value) throws(PostgresValueError) {
            try parameters.append(value)
            text += "$\(parameters.count)"
        }

        /// Appends a parameter with an array of values.
        mutating func bind<Value: PostgresValue>(array: [Value]) throws(PostgresValueError) {
            try parameters.append(array: array)
            text += "$\(parameters.count)"
        }
    }
#endif
