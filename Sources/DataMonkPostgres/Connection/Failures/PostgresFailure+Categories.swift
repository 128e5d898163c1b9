#if Postgres
    import DataMonkCore

    // The codes: PostgreSQL's manual, appendix A. A code begins with its class, of two characters.

    extension PostgresFailure: ContentionFailure {
        /// A Boolean value indicating whether the same transaction may succeed if it is run again.
        package var isContention: Bool { isSerializationFailure || isDeadlock || isLockTimeout || isOutdated }

        /// A Boolean value indicating whether a transaction has assumed something else than the server has.
        package var isOutdated: Bool { sqlState == Self.outdated.sqlState }
    }

    extension PostgresFailure {
        /// A Boolean value indicating whether the connection ended.
        package var isConnectionLost: Bool { kind == .connectionLost }

        /// A Boolean value indicating whether a new connection may do what this one could not: it ended, or the server has
        /// forgotten a statement that it had prepared (26000), or does not run it any more (0A000).
        var isOfOldConnection: Bool { isConnectionLost || sqlState == "26000" || sqlState == "0A000" }

        /// A Boolean value indicating whether the server did not answer before the deadline.
        package var isDeadlinePassed: Bool { kind == .deadlinePassed }

        /// A Boolean value indicating whether the caller, or an administrator, cancelled the statement, or the server's own
        /// `statement_timeout` did.
        package var isCancelled: Bool { kind == .interrupted || sqlState == "57014" }

        /// A Boolean value indicating whether concurrent transactions could not be put in an order.
        package var isSerializationFailure: Bool { sqlState == "40001" }

        /// A Boolean value indicating whether transactions waited for each other, and this one was chosen to end.
        package var isDeadlock: Bool { sqlState == "40P01" }

        /// A Boolean value indicating whether a lock was not available, at once or within `lock_timeout`.
        package var isLockTimeout: Bool { sqlState == "55P03" }

        /// A statement that the server has cancelled because it has waited for one lock after the other, for too long in all.
        static var missedLocks: PostgresFailure {
            PostgresFailure(
                .statement, sqlState: "55P03",
                message: "Waiting for the locks of several rows, one after the other, took too long.")
        }

        /// A Boolean value indicating whether the server has no room on its disk.
        package var isDiskFull: Bool { sqlState == "53100" }

        /// A Boolean value indicating whether something was larger than the server permits, such as a row of an index.
        package var isTooLarge: Bool { sqlState == "54000" }

        /// A Boolean value indicating whether the server has no memory left.
        package var isOutOfMemory: Bool { sqlState == "53200" }

        /// A Boolean value indicating whether the server has as many connections as it, the database or the role permits.
        package var isTooManyConnections: Bool { sqlState == "53300" }

        /// A Boolean value indicating whether the server is starting, stopping, or a standby that cannot answer yet.
        package var isUnavailable: Bool { ["57P01", "57P02", "57P03"].contains(sqlState) }

        /// A Boolean value indicating whether the server ended a transaction or connection that did nothing for too long.
        package var isIdleTimeout: Bool { sqlState == "25P03" || sqlState == "57P05" }

        /// A Boolean value indicating whether a standby, or a read-only transaction, was to write.
        package var isReadOnly: Bool { sqlState == "25006" }

        /// A Boolean value indicating whether an earlier failure had already aborted the transaction.
        package var isInFailedTransaction: Bool { sqlState == "25P02" }

        /// A Boolean value indicating whether the password or the user was refused.
        package var isAuthenticationRefused: Bool { sqlClass == "28" }

        /// A Boolean value indicating whether the database does not exist.
        package var isUnknownDatabase: Bool { sqlState == "3D000" }

        /// A Boolean value indicating whether the role lacks a privilege.
        package var isPrivilegeMissing: Bool { sqlState == "42501" }

        /// A Boolean value indicating whether a table or column that a statement names does not exist.
        package var isUnknownName: Bool { ["42P01", "42703", "3F000", "42704", "42883"].contains(sqlState) }

        /// The constraint that a statement violates; `nil` for another failure.
        package var constraintViolation: ConstraintViolation? { sqlState.flatMap(ConstraintViolation.init(rawValue:)) }

        /// **Value.** A kind of violated constraint, by its code.
        package enum ConstraintViolation: String, Sendable, Hashable {
            case unique = "23505"
            case foreignKey = "23503"
            case notNull = "23502"
            case check = "23514"
            case exclusion = "23P01"
            case restrict = "23001"
        }

        /// A Boolean value indicating whether a value does not fit into its type. Its message may have contained the value.
        var isDataException: Bool { sqlClass == "22" }

        private var sqlClass: Substring? { sqlState?.prefix(2) }
    }
#endif
