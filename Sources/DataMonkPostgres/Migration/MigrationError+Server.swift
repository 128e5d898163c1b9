#if Postgres
    import DataMonkCore

    extension MigrationError {
        static func wouldDiscard(_ problems: [Problem], in namespace: ServerNamespace) -> MigrationError {
            var error = MigrationError(.wouldDiscard, problems: problems)
            let list = problems.map { "\n- \($0)" }.joined()
            error.message =
                """
                The store in the schema "\(namespace.name)" was not migrated, because the migration would discard stored \
                data:\(list)
                """
            return error
        }

        /// The error for objects with equal values that an index refuses.
        static func duplicateValues(of index: ServerIndex, in schema: ServerSchema) -> MigrationError {
            let subject = schema.names.used.first { $0.table.isEmpty && $0.name == index.name }?.subject
            return MigrationError(
                .constraintViolation,
                problems: [
                    Problem(
                        kind: .duplicateValues, entityName: subject?.entity,
                        propertyName: subject?.property.replacing(",", with: ", "),
                        message: """
                            It must be unique now, but stored objects have equal values. Use the previous version to make \
                            them different, or remove the constraint.
                            """)
                ])
        }

        /// The error for a value that is too long for an index.
        static func oversizedValues(of index: ServerIndex, in schema: ServerSchema) -> MigrationError {
            let names = schema.names.used.filter { $0.table == index.tableName && index.contains($0.name) }
            let subjects = names.map(\.subject)
            return MigrationError(
                .constraintViolation,
                problems: [
                    Problem(
                        kind: .oversizedValues, entityName: subjects.first?.entity,
                        propertyName: subjects.map(\.property).joined(separator: ", "),
                        message: """
                            It is indexed now, but stored objects have values that are too long for an index of the server. \
                            Use the previous version to shorten them, or remove the index.
                            """)
                ])
        }
    }

    extension StoreError {
        static func missingServerStore(in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .openFailed,
                """
                The schema "\(namespace.name)" has no store to migrate. Check its name and the database; a new store is made \
                by Stack.addServerStore.
                """)
        }

        static func unwritableDefault(_ error: any Error, of column: ServerColumn) -> StoreError {
            StoreError(
                .incompatibleSchema,
                """
                The default of the attribute with the column \(column.identifier) cannot be stored on a server: \(error) \
                Nothing was changed. Change the default.
                """, underlyingError: error)
        }

        static func busyServerStore(_ failure: PostgresFailure, in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .locked,
                """
                The store in the schema "\(namespace.name)" was not migrated: others read, write or migrate it all the time. \
                End long reads and other programs that use its tables, or give the migration more time by \
                ServerStoreOptions.timeout.
                """, underlyingError: failure)
        }

        /// - Parameter lookUpError: The error of the last attempt to ask for the commit.
        static func unknownMigration(
            _ commit: ServerStoreOpening.UnknownCommit, _ lookUpError: any Error, in namespace: ServerNamespace
        ) -> StoreError {
            let failure = commit.failure
            if commit.isThere {
                return StoreError(
                    .outcomeUnknown,
                    """
                    The store in the schema "\(namespace.name)" was migrated, but the server has not confirmed in time that \
                    this is on its disk and on that of its synchronous standby: \(failure.sentence) A standby that takes over \
                    may lack the migration. Check the replication, and migrate the store again: that waits for the \
                    confirmation, and does what is missing.
                    """, underlyingError: failure)
            }
            // The error of a migration says that nothing was changed, which is true only of the attempt to ask.
            let cause = (lookUpError as? StoreError)?.underlyingError ?? lookUpError
            return StoreError(
                .outcomeUnknown,
                """
                The server has not answered the commit of a migration of the store in the schema "\(namespace.name)": \
                \(failure.sentence) It could not be asked for the commit afterwards: \(reason(cause)) Check the server \
                and the network, and migrate the store again: that does nothing if it is migrated.
                """, underlyingError: cause)
        }

        /// Creates the error of a migration that the server refused, or did not answer. Nothing was changed.
        init(failedMigrating failure: PostgresFailure, in namespace: ServerNamespace) {
            let (code, remedy): (Code, String) =
                switch failure {
                case _ where failure.isContention: (.locked, "Migrate it again when nobody uses its tables.")
                case _ where failure.isDeadlinePassed: (.timeout, "Check the server's load.")
                case _ where failure.isCancelled: (.cancelled, "Migrate it again if that is still wanted.")
                case _ where failure.isPrivilegeMissing:
                    (.noWritePermission, "Migrate it as the owner of the tables, who may create others in the schema.")
                case _ where failure.isReadOnly: (.readOnly, "Connect to the primary.")
                case _ where failure.isDiskFull: (.outOfSpace, "Make room on the server's disk.")
                case _ where failure.isConnectionLost: (.writeFailed, "Check the server and the network.")
                default: (.operationFailed, "Check the server, and objects of other programs that use the tables.")
                }
            self.init(
                code,
                """
                The store in the schema "\(namespace.name)" could not be migrated, and was not changed: \(failure.sentence) \
                \(remedy)
                """, underlyingError: failure)
        }
    }
#endif
