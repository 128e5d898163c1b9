#if Postgres
    import DataMonkCore

    extension StoreError {
        static func allConnectionsLent(_ count: Int) -> StoreError {
            StoreError(
                .timeout,
                "All \(count) connections for reading were in use. End reads sooner, and do not let one read wait for another."
            )
        }

        static var closedServerStore: StoreError {
            StoreError(
                .operationFailed, "The store was closed while a read waited for a connection. Open the store again.")
        }

        static var readOnlyServerStore: StoreError {
            StoreError(.readOnly, "A store on a server can only be read as yet. Save into a store in a file.")
        }

        /// Creates the error of a read that the server did not answer.
        init(failedReading failure: PostgresFailure, in namespace: ServerNamespace) {
            let (code, remedy): (Code, String) =
                switch failure {
                case _ where failure.isDeadlinePassed:
                    (.timeout, "Check the server's load, and read again.")
                case _ where failure.isCancelled: (.cancelled, "Read again if it is still wanted.")
                case _ where failure.isPrivilegeMissing:
                    (.noReadPermission, "Grant the server's user SELECT on the tables of the schema.")
                case _ where failure.isUnknownName:
                    (.incompatibleSchema, "Restore the tables, or open the store again.")
                case _ where failure.isConnectionLost:
                    (.readFailed, "Read again: a new connection is opened for the next snapshot.")
                default: (.readFailed, "Check the server.")
                }
            self.init(
                code, "The store in the schema \"\(namespace.name)\" could not be read: \(failure.message) \(remedy)",
                underlyingError: failure)
        }
    }
#endif
