#if Postgres
    import DataMonkCore
    import DataMonkPostgres

    extension Stack {
        /// Adds a store on a PostgreSQL server, without blocking. With the package's trait `Postgres`; needs libpq. See
        /// <doc:BeyondOneMachine>.
        ///
        ///     let stack = try Stack(Wallet.self)
        ///     try await stack.addServerStore("postgresql://app:secret@db.example.com/shop?sslmode=verify-full")
        ///
        /// The store is in one schema of the database, with a table for each tree of entities and one for each many-to-many;
        /// the schema and the tables are created if they do not exist. Any number of processes may have it open. It is the
        /// stack's only store.
        ///
        /// A save runs, for instance:
        ///
        ///     BEGIN ISOLATION LEVEL READ COMMITTED
        ///     SELECT "_id", "_entity", "_version" FROM "datamonk"."wallet"
        ///         WHERE "_id" = ANY ($1) ORDER BY "_id" FOR NO KEY UPDATE
        ///     UPDATE "datamonk"."wallet" AS target SET "_version" = changes.c2, "coins" = changes.c4
        ///         FROM unnest($1, $2, $3) AS changes (c0, c2, c4) WHERE target."_id" = changes.c0
        ///     INSERT INTO "datamonk"."_log" …
        ///     COMMIT
        ///
        /// - Parameters:
        ///   - url: The server's address, as libpq has it: `postgresql://user:password@host:port/database?parameters`. Several
        ///     hosts are tried in order, and the first one that takes writes is used; with
        ///     `target_session_attrs=prefer-standby`, `read` and root contexts read from standbys among them. Special
        ///     characters are percent-encoded. It appears in no error, description or log.
        ///   - options: The schema, the number of connections, and deadlines.
        /// - Throws: ``/DataMonkCore/StoreError``, in which case nothing was changed, unless the code is `outcomeUnknown`:
        ///   - `openFailed` if the URL is not valid, the server refuses the user or cannot be reached, is older than PostgreSQL
        ///     14, another engine, or not UTF-8, or if the stack has another store;
        ///   - `timeout` if it does not answer in time;
        ///   - `outcomeUnknown` if tables were created, and its disk or its synchronous standby has not confirmed that in
        ///     time;
        ///   - `noWritePermission` if the user may not create the tables, those of a history included; `readOnly` if the server
        ///     permits no writes;
        ///   - `fileExists` or `notADatabase` if the schema has tables of these names that are no store's;
        ///   - `incompatibleVersionHash` if the store is of another version of the model: it is migrated by
        ///     ``migrateServerStore(_:options:discarding:)``, not here;
        ///   - `incompatibleSchema` if the model has a derived attribute, or a unique one with external storage;
        ///   - `corrupt` if columns of its tables were changed.
        ///
        ///   ``/DataMonkCore/MigrationError`` with the code `newerStore` if the store was migrated from the stack's version of the
        ///   model to one that is more than an addition to it.
        ///
        ///   `CancellationError` if the task is cancelled before its turn comes.
        /// - Complexity: About a dozen round trips, the connection included.
        public func addServerStore(
            _ url: String, options: ServerStoreOptions = ServerStoreOptions(), fileID: StaticString = #fileID,
            line: UInt = #line
        ) async throws {
            try await StoreOpener().work(
                through: storeGate, for: UpdateCall("addServerStore", file: fileID, line: line)
            ) {
                try openServer(at: url, options)
            }
        }

        private func openServer(at url: String, _ options: ServerStoreOptions) throws {
            if !storeDescriptions.isEmpty { throw StoreError.serverBesideOthers }
            try model.requireCompleteness()
            try coordinator.requireRoom(forConfiguration: options.configuration)
            let store = try ServerStoreOpener.open(
                url, schemaName: options.schemaName, configuration: options.configuration,
                directory: coordinator.directory, index: coordinator.stores.count, settings: options.settings)
            do {
                try coordinator.add(store)
            } catch {
                try store.close()
                throw error
            }
            openStores.withLock { $0.append(.server(configuration: options.configuration)) }
            watchNewStores()
            coordinator.tellThatEverythingHasChanged()
        }
    }

    extension ServerStoreOptions {
        var settings: ServerStoreSettings {
            let (day, year) = (Duration.seconds(86_400), Duration.seconds(365 * 86_400))
            var settings = ServerStoreSettings(
                timeout: min(max(timeout, .milliseconds(100)), day), readerCount: max(1, readConnectionCount))
            settings.mainActorTimeout = min(max(mainActorTimeout, .seconds(1)), day)
            settings.lookUpTimeout = min(max(outcomeTimeout, .zero), day)
            // A commit's row must stay for as long as somebody may look for it.
            let longestLookUp: Duration = .seconds(3_600) + (settings.timeout + settings.lookUpTimeout) * 2
            settings.logRetention = min(max(logRetention, longestLookUp), year * 100)
            settings.pollInterval = min(max(pollInterval, .milliseconds(50)), day)
            settings.listens = listens
            settings.tracksHistory = tracksHistory
            return settings
        }
    }
#endif
