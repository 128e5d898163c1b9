#if Postgres
    /// **Value.** An error of the server, of the network, or of a deadline, as the connection layer throws it.
    ///
    /// The store turns it into its own errors before users see it. It contains no values of rows: PostgreSQL puts them into
    /// the details, which are left out, and into the messages of data exceptions, where quoted text is replaced. It
    /// contains no credentials.
    package struct PostgresFailure: Error, Sendable, Hashable {
        /// The kinds of failures.
        package enum Kind: String, Sendable, Hashable {
            /// The server refused a statement. The connection is still usable.
            case statement
            /// No connection could be opened.
            case opening
            /// The connection ended: by the server, or by the network.
            case connectionLost
            /// The deadline passed. The connection is spent if a statement was in flight, because answers may still arrive.
            case deadlinePassed
            /// The caller interrupted the operation.
            case interrupted
            /// The server is too old, not PostgreSQL, or not UTF-8.
            case unsuitableServer
            /// The caller's mistake: a closed connection, too many parameters.
            case invalidUse
        }

        /// The kind of the failure.
        package var kind: Kind
        /// PostgreSQL's code, such as `23505`; `nil` if the server reported none.
        package var sqlState: String?
        /// The server's or libpq's message, or one of ours.
        package var message: String
        /// The schema of the table; `nil` if the server named none.
        package var schemaName: String?
        /// The table; `nil` if the server named none.
        package var tableName: String?
        /// The column; `nil` if the server named none.
        package var columnName: String?
        /// The violated constraint or unique index; `nil` if the server named none.
        package var constraintName: String?
        /// The character in the statement's text, from 1, that the server objects to.
        package var position: Int?

        /// Creates a failure without names.
        package init(_ kind: Kind, sqlState: String? = nil, message: String) {
            self.kind = kind
            self.sqlState = sqlState
            self.message = message
        }
    }

    extension PostgresFailure {
        /// The message as a sentence that another one can follow. PostgreSQL's and libpq's own end without a full stop.
        package var sentence: String { message.last.map(".!?".contains) == true ? message : message + "." }
    }

    extension PostgresFailure: CustomStringConvertible {
        package var description: String {
            var text = "PostgreSQL \(sqlState ?? kind.rawValue): \(message)"
            let names = [("table", tableName), ("column", columnName), ("constraint", constraintName)]
            for case (let kind, let name?) in names { text += " [\(kind) \(name)]" }
            return text
        }
    }
#endif
