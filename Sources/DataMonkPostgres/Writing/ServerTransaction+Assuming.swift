#if Postgres
    import DataMonkCore

    extension ServerTransaction {
        /// **Value.** A beginning that has not been sent. It travels with the commit, and its answers are assumed: that nobody
        /// else has written, above all not the rows that are locked. The server checks that, and the commit fails otherwise.
        ///
        ///     assumed --a read, another lock, a unique value--> sent, and what was assumed is compared
        ///        +------commit------------------------------> sent with it
        ///     either finds something else --> nothing is committed, and the saves are repeated without assuming
        ///
        /// A process that writes alone saves a round trip by it. So others must have written nothing for some time.
        struct AssumedBeginning {
            /// The locks of the rows of the first changes, which fail unless the rows have these versions.
            let locks: RowLocks
            /// The versions that the changes are based on.
            let versions: [ObjectKey: Int64]
            let keepsHistory: Bool
        }

        /// Returns what is assumed; `nil` if others may write, or if the server is asked something anyway.
        func assumedBeginning(for changes: ChangeSet?) throws -> AssumedBeginning? {
            guard let changes, changes.deleted.isEmpty, !changes.hasUniqueValues(store.directory),
                let keepsHistory = store.log.historyInSolitude(store.settings)
            else { return nil }
            var versions: [ObjectKey: Int64] = [:]
            for change in changes.updated {
                // Two saves of a group may change an object, but not both as it was before.
                guard let base = change.base, versions.updateValue(base.version, forKey: change.key) == nil else {
                    return nil
                }
            }
            let locks = try locks(of: versions)
            guard locks.byteCount < Self.partByteCount else { return nil }
            return AssumedBeginning(locks: locks, versions: versions, keepsHistory: keepsHistory)
        }

        /// Returns the statements of a beginning, and the time that they may take.
        func statements(of assumed: AssumedBeginning) throws -> (statements: [PostgresStatement], time: Duration) {
            let lockTimeout = store.settings.lockTimeout(until: lockDeadline)
            let beginning = try store.log.beginning(
                of: store.schema.namespace, lockTimeout: lockTimeout, keepsHistory: assumed.keepsHistory)
            let time = lockTimeout + remainingLockingTime(ofRows: assumed.locks.keys.count)
            return (try beginning + statements(of: assumed.locks), time)
        }

        /// Returns the failure that counts of a beginning that was sent with the commit. What others have locked is told, and so
        /// is a server that does not answer. Everything else is met again.
        func failure(ofBeginning failure: PostgresFailure) -> PostgresFailure {
            let failure = missedLock(failure, since: start)
            let outdated = noteOutdated()
            return failure.isLockTimeout || failure.isDeadlinePassed ? failure : outdated
        }

        /// Notes that others may write, which the transaction has not assumed. Returns its failure, which is that of one that is
        /// repeated.
        func noteOutdated() -> PostgresFailure {
            store.log.noteOthers()
            return .outdated
        }
    }

    extension PostgresFailure {
        /// A transaction that has assumed something else than the server has.
        static var outdated: PostgresFailure {
            PostgresFailure(
                .statement, sqlState: "40001",
                message: "Others have written meanwhile, or the connection was lost, before anything was committed.")
        }
    }
#endif
