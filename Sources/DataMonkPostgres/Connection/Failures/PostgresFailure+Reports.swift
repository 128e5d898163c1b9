#if Postgres
    import CPostgres

    extension PostgresFailure {
        /// **Value.** The weight of a server's report, by its name in every language of the server.
        enum Severity: String {
            case error = "ERROR"
            /// The server ends the connection.
            case fatal = "FATAL"
            /// The server ends all connections.
            case panic = "PANIC"
            case warning = "WARNING"

            var endsConnection: Bool { self == .fatal || self == .panic }
        }

        /// Creates the failure that a result reports. `result` is a `PGresult`.
        init(result: OpaquePointer, kind: Kind) {
            func field(_ code: Int) -> String? {
                PQresultErrorField(result, Int32(code)).map { String(cString: $0) }
            }
            self.init(kind, sqlState: field(DATAMONK_DIAG_SQLSTATE), message: "")
            schemaName = field(DATAMONK_DIAG_SCHEMA)
            tableName = field(DATAMONK_DIAG_TABLE)
            columnName = field(DATAMONK_DIAG_COLUMN)
            constraintName = field(DATAMONK_DIAG_CONSTRAINT)
            position = field(DATAMONK_DIAG_POSITION).flatMap { Int($0) }
            // A failure of libpq's own has no fields, but a message.
            let reported = field(DATAMONK_DIAG_MESSAGE)
            message = reported ?? Self.firstLine(PQresultErrorMessage(result)) ?? "The server gave no reason."
            if isDataException { message = Self.withoutQuotes(message) }
        }

        /// Creates the failure of a connection that ended, with libpq's message.
        static func lost(_ connection: OpaquePointer) -> PostgresFailure {
            PostgresFailure(
                .connectionLost, message: firstLine(PQerrorMessage(connection)) ?? "The connection to the server ended."
            )
        }

        /// Returns the severity of a report; `nil` for one of libpq's own.
        static func severity(of result: OpaquePointer) -> Severity? {
            PQresultErrorField(result, Int32(DATAMONK_DIAG_SEVERITY)).flatMap {
                Severity(rawValue: String(cString: $0))
            }
        }

        /// Returns the name of the function in the server that reports.
        static func sourceFunction(of result: OpaquePointer) -> String? {
            PQresultErrorField(result, Int32(DATAMONK_DIAG_FUNCTION)).map { String(cString: $0) }
        }

        /// Returns the first line, because libpq adds advice in further ones.
        static func firstLine(_ text: UnsafePointer<CChar>?) -> String? {
            text.map { String(cString: $0) }?.split(whereSeparator: \.isNewline).first.map(String.init)
        }

        /// Returns a message with `"…"` in place of each quoted text: PostgreSQL quotes values as it quotes names.
        ///
        /// Languages have quotation marks of their own, none of them ASCII. Of a message with other characters than these,
        /// outside of such marks, nothing is returned.
        static func withoutQuotes(_ message: String) -> String {
            guard let start = message.firstIndex(of: "\"") else { return plain(message[...]) ?? withheld }
            // From the first to the last quotation mark, because a value may contain some.
            let end = message.lastIndex(of: "\"") ?? start
            guard let before = plain(message[..<start]), let behind = plain(message[end...].dropFirst()) else {
                return withheld
            }
            return before + "\"…\"" + behind
        }

        private static func plain(_ text: Substring) -> String? {
            text.utf8.allSatisfy { $0 < 0x80 } ? String(text) : nil
        }

        private static var withheld: String {
            "The server refused a value. Its message may repeat the value, so it is not shown."
        }
    }
#endif
