#if Postgres
    import CPostgres

    /// **Shared.** The rows that a statement returned, in the server's binary format.
    package final class PostgresResult: @unchecked Sendable {
        // @unchecked Sendable: libpq's functions for reading a PGresult do not change it, and nothing else is called before
        // deinit.

        /// Never leaves this type. Cleared in `deinit`.
        private let handle: OpaquePointer

        /// Takes the result over.
        init(handle: OpaquePointer) { self.handle = handle }

        deinit { PQclear(handle) }

        /// The number of rows.
        package var rowCount: Int { Int(PQntuples(handle)) }
        /// The number of columns; 0 for a statement that returns no rows.
        package var columnCount: Int { Int(PQnfields(handle)) }

        /// The rows that the statement inserted, changed, deleted or returned.
        ///
        /// Not by libpq's PQcmdTuples: of a tag that it does not understand it tells the connection, which may be gone.
        package var affectedRowCount: Int { commandTag.split(separator: " ").last.flatMap { Int($0) } ?? 0 }

        /// The server's name for what it did, such as `INSERT 0 1` or, for a `COMMIT` of a failed transaction, `ROLLBACK`.
        package var commandTag: String { String(cString: PQcmdStatus(handle)) }

        /// Returns the name of a column.
        package func columnName(at column: Int) -> String {
            // Of another column, libpq would tell the connection, which may be gone.
            precondition((0..<columnCount).contains(column), "No such column")
            return PQfname(handle, Int32(column)).map { String(cString: $0) } ?? ""
        }

        /// Returns a value; `nil` for NULL.
        ///
        /// Throws a ``PostgresValueError`` if the column has another type, or `Value` cannot represent the value.
        package func value<Value: PostgresValue>(
            _ type: Value.Type = Value.self, row: Int, column: Int
        ) throws(PostgresValueError) -> Value? {
            try require(row: row, column: column)
            let found = PQftype(handle, Int32(column))
            guard Value.postgresType.accepts(found) else {
                throw .unexpectedType(expected: Value.postgresType.name, found: found)
            }
            guard let bytes = bytes(row: row, column: column) else { return nil }
            return try Value(postgresBytes: bytes)
        }

        /// Returns a value that is not NULL.
        ///
        /// Throws a ``PostgresValueError`` if it is, if the column has another type, or if `Value` cannot represent the
        /// value.
        package func required<Value: PostgresValue>(
            _ type: Value.Type = Value.self, row: Int, column: Int
        ) throws(PostgresValueError) -> Value {
            guard let value = try value(type, row: row, column: column) else { throw .unexpectedNull }
            return value
        }

        /// Returns an array; `nil` for NULL.
        ///
        /// Throws a ``PostgresValueError`` if the elements have another type, or `Value` cannot represent one.
        package func array<Value: PostgresValue>(
            of type: Value.Type = Value.self, row: Int, column: Int
        ) throws(PostgresValueError) -> [Value?]? {
            try require(row: row, column: column)
            guard let bytes = bytes(row: row, column: column) else { return nil }
            return try PostgresArray.decode(bytes, as: Value.self)
        }

        private func require(row: Int, column: Int) throws(PostgresValueError) {
            precondition((0..<rowCount).contains(row) && (0..<columnCount).contains(column), "No such row or column")
        }

        /// The bytes of a value; `nil` for NULL. They are valid as long as the result.
        private func bytes(row: Int, column: Int) -> UnsafeRawBufferPointer? {
            let (row, column) = (Int32(row), Int32(column))
            if PQgetisnull(handle, row, column) != 0 { return nil }
            return UnsafeRawBufferPointer(
                start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
        }
    }
#endif
