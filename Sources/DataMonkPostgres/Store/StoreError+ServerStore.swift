#if Postgres
    import DataMonkCore
    import Foundation

    extension StoreError {
        /// - Parameter failure: The failure of the last opening; `nil` if it succeeded.
        static func allConnectionsLent(_ count: Int, _ failure: PostgresFailure?) -> StoreError {
            let cause = failure.map { " Check the server: the last one could not be opened. \($0.sentence)" } ?? ""
            return StoreError(
                .timeout,
                """
                All \(count) connections for reads or writes were in use, or being opened. End reads and writes sooner, and \
                do not let one wait for another.\(cause)
                """, underlyingError: failure)
        }

        static var closedServerStore: StoreError {
            StoreError(
                .operationFailed, "The store was closed while a read waited for a connection. Open the store again.")
        }

        static var lostSnapshot: StoreError {
            StoreError(.readFailed, "The snapshot was lost by a read that failed. Read again, in another one.")
        }

        static var lateStandby: StoreError {
            StoreError(
                .timeout,
                """
                The server is a standby that has not received all commits that this process has seen. Connect to the primary.
                """)
        }

        static func failedReplica(
            _ error: any Error, on host: ServerHost, in namespace: ServerNamespace
        ) -> StoreError {
            StoreError(
                .operationFailed,
                """
                The standby \(host) has not answered a read of the schema "\(namespace.name)": \(reason(error)) Check it. \
                Meanwhile another standby or the primary answers.
                """, underlyingError: error)
        }

        static func failedLook(_ error: StoreError, in namespace: ServerNamespace) -> StoreError {
            let cause: any Error = error.underlyingError ?? error
            return StoreError(
                .operationFailed,
                """
                The primary has not answered a read of the schema "\(namespace.name)": \(reason(cause)) Check it. Meanwhile \
                standbys answer, which may lack later commits.
                """, underlyingError: cause)
        }

        /// Returns the reason of an error as a sentence.
        static func reason(_ error: any Error) -> String {
            switch error {
            case let failure as PostgresFailure: failure.sentence
            case let error as any DataMonkError: error.message
            case let error as POSIXError: String(cString: strerror(error.code.rawValue)) + "."
            default: "\(error)"
            }
        }

        static func lostCommits(_ loss: ServerLog.Loss, in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .commitsLost,
                """
                The store in the schema "\(namespace.name)" has lost its last commits, which had been read: the server crashed \
                before they were on disk, was replaced by a standby that did not have them, or was restored. \
                \(loss.isOfAcknowledged ? "Acknowledged commits of this process are among them. " : "")Check the objects that \
                were changed last.
                """)
        }

        static func replacedStore(in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .fileMoved,
                """
                The schema "\(namespace.name)" has another store than the one that was opened. Remove the store from the \
                stack, and add it again.
                """)
        }

        static func schemaChanged(in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .schemaChanged,
                """
                The store in the schema "\(namespace.name)" is of a version of the model that this process does not have: it \
                was migrated, or the server has lost a migration. Start a version of the program that has it, or migrate the \
                store again.
                """)
        }

        static func lostHistory(in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .operationFailed,
                """
                The store in the schema "\(namespace.name)" does not keep the history any more that this process has asked \
                for: its tables were lost with the server's last commits, or dropped. Saves are not recorded. Remove the \
                store from the stack, and add it again, to begin another one.
                """)
        }

        static var unconfirmedReplication: StoreError {
            StoreError(
                .operationFailed,
                """
                A commit is on the server's disk, but no standby has confirmed it, because somebody cancelled the wait for \
                that. It may be lost if the standby takes over. Check the replication.
                """)
        }

        static func failedTrim(_ error: any Error, in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .operationFailed,
                """
                A save stands, but old rows of the table "\(namespace.name)"."_log" could not be deleted after it: \
                \(reason(error)) Check the server. They are deleted after a later save.
                """, underlyingError: error)
        }

        static func failedListening(_ error: any Error, in namespace: ServerNamespace) -> StoreError {
            StoreError(
                .operationFailed,
                """
                The server does not report other processes' commits to the schema "\(namespace.name)": \
                \(reason(error)) Check the server, and the number of connections that it permits. Meanwhile the \
                commits are found by looking now and then.
                """, underlyingError: error)
        }

        static func unansweredCommit(
            _ unknown: ServerLog.UnknownOutcome, in namespace: ServerNamespace
        ) -> StoreError {
            let lookUp =
                unknown.lookUpError.map { "It could not be asked for the commit afterwards: \(reason($0))" }
                ?? "Afterwards, the rows that tell of the commit had been deleted."
            return StoreError(
                .outcomeUnknown,
                """
                The server has not answered a commit to the schema "\(namespace.name)": \(unknown.failure.sentence) \
                \(lookUp) Check the server and the network.
                """, underlyingError: unknown.lookUpError ?? unknown.failure)
        }

        /// - Parameter isFound: `true` if the earlier save is there; `false` if nobody can tell any more.
        static func earlierCommit(isFound: Bool) -> StoreError {
            let finding =
                isFound ? "is in the store after all" : "was so long ago that the store cannot tell whether it is there"
            return StoreError(
                .outcomeUnknown,
                """
                Nothing was saved: an earlier save, which had no answer from the server, \(finding). Refresh the objects, and \
                make and save the changes that are still missing.
                """)
        }

        static func entityNotOnServer(_ entity: Entity) -> StoreError {
            StoreError(
                .incompatibleSchema,
                "The store has no objects of \(entity.name). Use a store whose configuration has them.",
                entityName: entity.name)
        }

        static func missingKeys(_ root: Entity) -> StoreError {
            StoreError(
                .operationFailed, "The server gives out no ids for \(root.name). Check the sequence of its table.",
                entityName: root.name)
        }

        static func unknownServerConstraint(_ entity: Entity) -> StoreError {
            StoreError(
                .constraintViolation,
                """
                A unique index on the server refused an object of \(entity.name), but the model has no such constraint. Remove \
                the index, or add the constraint to the model.
                """, entityName: entity.name)
        }

        static func changedDuringBatch(_ entity: Entity) -> StoreError {
            StoreError(
                .operationFailed,
                "Objects of \(entity.name) were changed by others while they were updated. Run the request again.",
                entityName: entity.name)
        }

        /// Creates the error of a write that the server refused, or did not answer.
        init(failedWriting failure: PostgresFailure, in namespace: ServerNamespace) {
            let (code, remedy): (Code, String) =
                switch failure {
                case _ where failure.isDeadlinePassed || failure.isLockTimeout:
                    (.timeout, "Check the server's load, and locks that others hold.")
                case _ where failure.isCancelled: (.cancelled, "Save again if it is still wanted.")
                case _ where failure.isPrivilegeMissing:
                    (
                        .noWritePermission,
                        "Grant the server's user INSERT, UPDATE and DELETE on the tables of the schema."
                    )
                case _ where failure.isReadOnly: (.readOnly, "Connect to the primary.")
                case _ where failure.isDiskFull: (.outOfSpace, "Make room on the server's disk.")
                case _ where failure.isContention: (.saveFailed, "Save again: others were writing the same objects.")
                case _ where failure.constraintViolation != nil:
                    (.constraintViolation, "Others may have changed or deleted what it refers to. Save again.")
                case _ where failure.isConnectionLost: (.writeFailed, "Save again: a new connection is opened.")
                default: (.saveFailed, "Check the server.")
                }
            self.init(
                code,
                "The store in the schema \"\(namespace.name)\" could not be written: \(failure.sentence) \(remedy)",
                underlyingError: failure)
        }

        /// Creates the error of a read that the server did not answer.
        init(failedReading failure: PostgresFailure, in namespace: ServerNamespace) {
            let (code, remedy): (Code, String) =
                switch failure {
                case _ where failure.isDeadlinePassed && MainQueue.isCurrent:
                    (
                        .timeout,
                        """
                        A read on the main actor may take ServerStoreOptions.mainActorTimeout: read what takes longer by \
                        `read` or in an update, or give the request a deadline.
                        """
                    )
                case _ where failure.isDeadlinePassed: (.timeout, "Read again.")
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
                code, "The store in the schema \"\(namespace.name)\" could not be read: \(failure.sentence) \(remedy)",
                underlyingError: failure)
        }
    }
#endif
