#if Postgres
    public import DataMonkCore
    import DataMonkPostgres

    extension Stack {
        /// Migrates a store on a PostgreSQL server to the stack's model, without blocking. The stack need not have it open.
        ///
        /// ```swift
        /// let stack = try Stack(Wallet.self)
        /// let url = "postgresql://owner:secret@db.example.com/shop?sslmode=verify-full"
        /// let plan = try await stack.migrateServerStore(url, discarding: [.property("Wallet", "nickname")])
        /// if !plan.isAdditive { print("Replace the processes of the version before.") }
        /// ```
        /// A store on a server is migrated by this call, and not when it is opened, because other processes have it open. The
        /// mapping is inferred from names and renaming identifiers; there are no mappings by hand, stages or conversions. Renamed
        /// properties and entities keep the names of their columns and tables.
        ///
        /// It is one transaction, for which everybody else waits. Their reads fail with the code `timeout` if it takes longer than
        /// they may. Afterwards all read everything again. Processes of the version before go on if the migration only adds to
        /// the model (``MigrationPlan/isAdditive``), and may be started: entities with a root of their own, and properties that
        /// are optional or have a default. They cannot delete objects to which links of new relationships lead. Otherwise their
        /// next read or save throws ``/DataMonkCore/StoreError`` with the code `schemaChanged`.
        ///
        /// A task that is cancelled ends the migration and undoes it, until it is committed.
        ///
        /// - Parameters:
        ///   - url: The server's address, as for ``addServerStore(_:options:fileID:line:)``. Its user owns the tables.
        ///   - options: The schema and the configuration; with `timeout`, the time in which nobody must be in the way.
        ///   - discarding: Stored data that may be discarded. Nothing else is.
        /// - Returns: The plan that was carried out; an empty one if the store has the version already.
        /// - Throws: Nothing was changed unless the code is `outcomeUnknown`.
        ///   - ``/DataMonkCore/MigrationError`` if the mapping cannot be inferred or a table would have to be divided
        ///     (`notInferable`), data would be discarded (`wouldDiscard`), stored objects do not fit the new version
        ///     (`constraintViolation`), or the store is of a later version (`newerStore`);
        ///   - ``/DataMonkCore/StoreError`` with the code `locked` if others use the store all the time, `noWritePermission` if
        ///     the user does not own the tables, `cancelled` if the task was, `outcomeUnknown` if the commit has no answer, or
        ///     the server's disk or its synchronous standby has not confirmed it, and the codes of opening it. Migrate again
        ///     then: that waits for the confirmation, and does what is missing.
        /// - Complexity: No row is written for additions, renamings and removed properties. Moved values and links, and new
        ///   indexes, take a pass over their table; so does the count of what would be discarded.
        public func migrateServerStore(
            _ url: String, options: ServerStoreOptions = ServerStoreOptions(), discarding: DiscardableData = []
        ) async throws -> MigrationPlan {
            try await migrate(url, options: options, discarding: discarding, isPlan: false)
        }

        /// Plans the migration of a store on a PostgreSQL server to the stack's model, without blocking and without changing
        /// it.
        ///
        /// ```swift
        /// let stack = try Stack(Wallet.self)
        /// let plan = try await stack.migrationPlan(forServerStore: "postgresql://app@db.example.com/shop")
        /// for step in plan.steps { print(step) }
        /// for discard in plan.discards where !discard.isPermitted { print(discard.problem) }
        /// ```
        /// - Parameters:
        ///   - url: The server's address, as for ``addServerStore(_:options:fileID:line:)``.
        ///   - options: The schema and the configuration.
        ///   - discarding: Stored data that may be discarded.
        /// - Returns: The plan; an empty one if the store has the version already. What only the new rows show is not in it:
        ///   objects that would lack a required link, equal values that have to be unique, and values that are too long for an
        ///   index.
        /// - Throws: ``/DataMonkCore/StoreError`` and ``/DataMonkCore/MigrationError`` as
        ///   ``migrateServerStore(_:options:discarding:)``, except for what it would discard, which is in the plan.
        /// - Complexity: A pass over the tables with removed properties or moved values.
        public func migrationPlan(
            forServerStore url: String, options: ServerStoreOptions = ServerStoreOptions(),
            discarding: DiscardableData = []
        ) async throws -> MigrationPlan {
            try await migrate(url, options: options, discarding: discarding, isPlan: true)
        }

        private func migrate(
            _ url: String, options: ServerStoreOptions, discarding: DiscardableData, isPlan: Bool
        ) async throws -> MigrationPlan {
            try coordinator.requireOutsideCommit()
            let (model, coordinator) = (model, coordinator)
            // Reason for try?: without descriptors there is no connection either, and its error says so.
            let interrupt = try? PostgresInterrupt()
            return try await withTaskCancellationHandler {
                try await StoreWorker().run {
                    try ServerStoreOpener.migrate(
                        url, schemaName: options.schemaName, to: model, configuration: options.configuration,
                        discarding: discarding, settings: options.settings, isPlan: isPlan, interrupt: interrupt,
                        report: { coordinator.report($0) })
                }
            } onCancel: {
                interrupt?.trigger()
            }
        }
    }
#endif
