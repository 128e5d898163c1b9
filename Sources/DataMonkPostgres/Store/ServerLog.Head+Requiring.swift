#if Postgres
    import DataMonkCore

    extension ServerLog.Head {
        /// Throws a `ServerLog.OtherLog` if the log is not the one that the observer was told of, and another connection may
        /// lead to that: a pooler may lead to a standby, and a connection from before the last news of the log may be one to a
        /// former primary. A later one is believed, though it was kept for this caller: callers who have less time
        /// than another one takes would never have a better one.
        ///
        /// Throws a `StoreError` if the log is that of another store, or if the store has a version that this process must not
        /// read or write. Reports what was lost with the migration to the version of this process before: nobody would ask
        /// this head for it.
        func requireLog(
            on lease: ServerLease, of store: ServerStore, until deadline: ContinuousClock.Instant
        ) throws {
            if !isContinued {
                if isStandby || !lease.isCurrent(since: store.log.lastNews) { throw ServerLog.OtherLog() }
                try store.requireIdentity(on: lease.connection, until: deadline)
                if !permitsVersion { _ = store.tell(self) }
            }
            try requireVersion(of: store)
        }

        /// Throws a `StoreError` if the store was migrated to a version that this process must not read or write, or if the
        /// server has lost the migration to that of this process.
        private func requireVersion(of store: ServerStore) throws {
            if !permitsVersion { throw StoreError.schemaChanged(in: store.schema.namespace) }
        }

        /// Throws a `ServerLog.OtherLog` unless the server is a standby that has all commits that this process knows, and a
        /// `StoreError` if it is one of another store, or of a version that this process must not read.
        func requireReplica(
            on lease: ServerLease, of store: ServerStore, until deadline: ContinuousClock.Instant
        ) throws {
            // As long as nobody has committed, the log of another store could be this one.
            if lease.isNew { try store.requireIdentity(on: lease.connection, until: deadline) }
            guard isContinued, isDistinct, isStandby else {
                // It has become the primary.
                if !isStandby { lease.connection.close() }
                throw ServerLog.OtherLog()
            }
            try requireVersion(of: store)
        }
    }
#endif
