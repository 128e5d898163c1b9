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
        ///
        /// 1. The commit is announced before its rows are locked, and readers may have to wait for an announced commit. So it
        ///    waits for a lock for a moment only. The repetition waits as long as any other save, before it is announced.
        /// 2. A change that is based on an old row is announced, too, although its version is there already: the ledger counts
        ///    commits that are abandoned.
        /// 3. COMMIT is sent to a server of which nothing was heard for seconds. If it has fallen silent, the save fails only
        ///    when the outcome was looked for.
        struct AssumedBeginning {
            /// The locks of the rows of the first changes, which fail unless the rows have these versions.
            let locks: RowLocks
            /// The versions that the changes are based on.
            let versions: [ObjectKey: Int64]
            let keepsHistory: Bool
        }

        /// Returns what is assumed; `nil` if others may write, or if the server is asked something anyway.
        func assumedBeginning(for changes: ChangeSet?) throws -> AssumedBeginning? {
            guard let changes, changes.deleted.isEmpty, changes.updated.count < Self.partByteCount / 32,
                !changes.hasUniqueValues(store.directory), let solitude = store.log.solitude(store.settings)
            else { return nil }
            var versions: [ObjectKey: Int64] = [:]
            for change in changes.updated {
                // Two saves of a group may change an object, but not both as it was before.
                guard let base = change.base, versions.updateValue(base.version, forKey: change.key) == nil else {
                    return nil
                }
            }
            let locks = try checkedLocks(of: versions)
            guard locks.byteCount < Self.partByteCount else { return nil }
            return AssumedBeginning(locks: locks, versions: versions, keepsHistory: solitude.keepsHistory)
        }

        /// Returns the statements of a beginning that travels with the commit.
        func statements(of assumed: AssumedBeginning) throws -> [PostgresStatement] {
            let beginning = try store.log.beginning(
                of: store.schema.namespace, lockTimeout: Self.moment, keepsHistory: assumed.keepsHistory)
            let (locks, count) = (assumed.locks.statements, assumed.locks.keys.count)
            if waitsOnce(forRows: count) { return beginning + locks }
            return try beginning + limited(locks, to: Self.moment + ServerStoreSettings.lockingTime(of: count))
        }
    }

    extension PostgresFailure {
        /// A transaction that has assumed something else than the server has, or that was begun on a connection which was lost.
        static var outdated: PostgresFailure {
            // A code of this library, in the server's class for transactions that were rolled back.
            PostgresFailure(
                .statement, sqlState: "40DM1",
                message: "Others have written meanwhile, or the connection was lost, before anything was committed.")
        }
    }
#endif
