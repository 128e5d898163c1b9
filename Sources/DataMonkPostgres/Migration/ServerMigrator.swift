#if Postgres
    import DataMonkCore
    import DataMonkSQL
    import Foundation

    /// **Confined.** Migrates the store in a schema of a database to another version of its model, or plans that.
    ///
    /// ```
    /// BEGIN
    /// the schema's lock, alone        nobody opens or creates the store
    /// LOCK TABLE _store               nobody has a snapshot or a transaction: those that wait see the new tables
    /// LOCK TABLE …                    no other program reads the tables
    /// …                               see ServerMigration
    /// _entities, _names, _versions, _store
    /// _log                            a row of another process: everybody reads everything again
    /// COMMIT                          nobody waits any more
    /// a flush                         the standby has it
    /// ```
    /// It is one transaction: whatever fails leaves the store as it was. Who waits for the lock keeps others waiting, so it
    /// gives up soon.
    struct ServerMigrator {
        /// **Value.** A migration whose commit has no answer, or was not confirmed.
        struct UnknownOutcome: Error {
            let commit: ServerStoreOpening.UnknownCommit
            let plan: MigrationPlan
        }

        let opening: ServerStoreOpening
        /// The time for which it waits for a lock.
        let lockTimeout: Duration
        /// The time for which it waits until its commit is on disk.
        let commitTimeout: Duration
        let discarding: DiscardableData

        private var connection: PostgresConnection { opening.connection }
        private var namespace: ServerNamespace { opening.namespace }

        /// Plans the migration, and changes nothing.
        func plan() throws -> MigrationPlan {
            try ending {
                guard let preparation = try prepare(alone: false) else { return emptyPlan }
                return try plan(preparation)
            }
        }

        /// Migrates the store. If it has the version already, waits only until that is on disk.
        ///
        /// Throws a `MigrationError` or a `StoreError`; the store is unchanged then. Throws an ``UnknownOutcome`` if that is
        /// not known.
        ///
        /// - Returns: The plan that was carried out.
        func migrate() throws -> MigrationPlan {
            try ending {
                guard let preparation = try prepare(alone: true) else { return try commit(emptyPlan) }
                try lockTables(of: preparation)
                let plan = try plan(preparation)
                let refused = plan.discards.filter { !$0.isPermitted }.map(\.problem)
                if !refused.isEmpty { throw MigrationError.wouldDiscard(refused, in: namespace) }
                try carryOut(preparation)
                try write(preparation)
                return try commit(plan, telling: preparation.record.identifier)
            }
        }

        /// Returns whether the store has the version. If so, waits until that is on disk: of a server that has crashed and is
        /// back, one sees commits that no standby has.
        ///
        /// Throws an ``UnknownOutcome`` if it has the version, and nobody confirms that in time.
        func isMigrated() throws -> Bool {
            try ending {
                guard try prepare(alone: false) == nil else { return false }
                _ = try commit(emptyPlan)
                return true
            }
        }

        private var emptyPlan: MigrationPlan { MigrationPlan(storeByteCount: 0, stages: [], isAdditive: true) }

        /// Ends the transaction, if `body` leaves one. Its errors name nothing of the server's address.
        private func ending<Result>(_ body: () throws -> Result) throws -> Result {
            defer { connection.rollBack() }
            do {
                return try body()
            } catch let error as PostgresValueError {
                throw StoreError.damagedMetadata(error, in: namespace)
            } catch let error as StoreError {
                // Statements that opening a store runs too throw StoreErrors.
                guard let failure = error.underlyingError as? PostgresFailure else { throw error }
                throw StoreError(failedMigrating: failure, in: namespace)
            }
        }

        // MARK: Preparing

        /// **Value.** A migration that has been planned, in a transaction with the locks.
        private struct Preparation {
            let record: ServerStoreRecord
            let migration: ServerMigration
            let statements: [ServerMigration.Statement]
            /// Indicates whether the store has the version already, and only indexes, or a name, are to change.
            let keepsVersion: Bool
            /// Indicates whether there is a history, and tokens from before expire.
            let forgetsHistory: Bool

            /// The number of the new version.
            var version: Int32 { record.version + 1 }

            /// The checksum of its hashes.
            var checksum: String {
                StoreMetadata.checksum(ofMembers: migration.new.members, of: migration.new.model)
            }
        }

        /// Begins the transaction, and plans the migration. Returns `nil` if there is nothing to do.
        private func prepare(alone: Bool) throws -> Preparation? {
            try namespace.requireUsableName()
            try opening.requireSupportedAttributes()
            try opening.model.requireCompleteness()
            let members = try opening.model.requireEntities(inConfiguration: opening.configuration)
            try begin(alone: alone)
            let record = try lockedRecord(alone: alone)
            let mismatch = record.metadata.mismatch(withMembers: members, of: opening.model)
            if case .unknownHashes? = mismatch, let mismatch { throw StoreError.mismatch(mismatch, in: namespace) }
            let old = try schema(of: record)
            try opening.checkTables(of: old)
            let checksum = StoreMetadata.checksum(ofMembers: members, of: opening.model)
            if mismatch != nil, record.versions[checksum] != nil, !discarding.includesLaterVersions {
                throw MigrationError.newerServerStore(in: namespace)
            }
            let migration = try ServerMigration(from: old, to: opening.model, members: members)
            let statements = try migration.statements(quote: quote, references: references())
            // The name of a composite attribute is no part of a version, but its columns are found by it.
            let keepsNames = Set(record.names.entries).isSuperset(of: migration.names)
            if mismatch == nil, statements.isEmpty, keepsNames { return nil }
            return Preparation(
                record: record, migration: migration, statements: statements,
                keepsVersion: mismatch == nil && migration.isAdditive,
                forgetsHistory: try !migration.isAdditive && keepsHistory())
        }

        private func begin(alone: Bool) throws {
            let lock = alone ? "pg_advisory_xact_lock" : "pg_advisory_xact_lock_shared"
            let settings = [
                "search_path TO pg_catalog", "lock_timeout TO \(max(1, Int(lockTimeout / .milliseconds(1))))",
                "statement_timeout TO 0", "idle_in_transaction_session_timeout TO '60s'", "tcp_keepalives_idle TO 30",
                ServerStoreOpening.commitSetting,
                // Texts of constants, exactly.
                "extra_float_digits TO 3", "\"DateStyle\" TO 'ISO'", "bytea_output TO 'hex'",
            ]
            try opening.run(
                // To see what others committed while it waited for a lock.
                [PostgresStatement("BEGIN ISOLATION LEVEL READ COMMITTED")]
                    + settings.map { PostgresStatement("SET LOCAL \($0)") }
                    + [
                        Self.withoutTransactionTimeout,
                        try PostgresStatement(
                            "SELECT pg_catalog.\(lock)(\(ServerStoreOpening.schemaLock), pg_catalog.hashtext($1))",
                            values: namespace.name),
                        // Otherwise a table with rows to be checked at the end could not be altered.
                        PostgresStatement("SET CONSTRAINTS ALL IMMEDIATE"),
                        Self.connectionCheck,
                    ])
        }

        /// Lifts the limit for the whole transaction, which servers have from version 17 on. Others refuse the setting.
        private static let withoutTransactionTimeout = PostgresStatement(
            "SELECT set_config(name, '0', true) FROM pg_settings WHERE name = 'transaction_timeout'")

        /// Lets the server end a statement, which may take hours, when nobody is at the other end. Not every version can do so
        /// elsewhere than on Linux, and one that cannot refuses the setting.
        private static let connectionCheck = PostgresStatement(
            """
            SELECT set_config('client_connection_check_interval', '5s', true) WHERE version() LIKE '%linux%'
            """)

        /// Locks the store against everybody who has a snapshot or a transaction, and reads what it says of itself.
        private func lockedRecord(alone: Bool) throws -> ServerStoreRecord {
            let mode = alone ? "ACCESS EXCLUSIVE" : "ACCESS SHARE"
            // Its format is checked before it is locked: it may be somebody else's table.
            guard try opening.readRecord() != nil else { throw StoreError.missingServerStore(in: namespace) }
            try opening.run([PostgresStatement("LOCK TABLE \(namespace.qualified("_store")) IN \(mode) MODE")])
            guard let record = try opening.readRecord() else { throw StoreError.missingServerStore(in: namespace) }
            return record
        }

        /// Locks the tables against other programs, which read them without the store's lock: before the work, not after a
        /// part of it.
        private func lockTables(of preparation: Preparation) throws {
            let (old, history) = (preparation.migration.old, ServerHistoryTables(namespace: namespace))
            let names =
                (old.tables.map(\.name) + old.linkTables.map(\.name)).map(namespace.qualified)
                + (preparation.forgetsHistory ? [history.transactions, history.changes] : [])
            if names.isEmpty { return }
            try opening.run([
                PostgresStatement("LOCK TABLE \(names.joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE")
            ])
        }

        /// Returns the schema that the store was written with.
        private func schema(of record: ServerStoreRecord) throws -> ServerSchema {
            let result = try opening.run([PostgresStatement("SELECT model FROM \(namespace.qualified("_store"))")])[0]
            let model: ManagedObjectModel
            do {
                model = try ManagedObjectModel(ModelCache.read(result.required(row: 0, column: 0)).contents)
            } catch {
                throw StoreError.damagedMetadata(error, in: namespace)
            }
            let hashes = record.metadata.versionHashes
            return ServerSchema(
                model: model, members: model.entities.filter { hashes[$0.name] != nil }, namespace: namespace,
                numbers: record.numbers, names: record.names)
        }

        /// Returns a value as a constant of SQL, which the server writes.
        private func quote(_ value: ManagedValue, for column: ServerColumn) throws -> String {
            var parameters = PostgresParameters()
            try column.append(value, to: &parameters)
            let statement = PostgresStatement("SELECT quote_literal(CAST(($1)[1] AS text))", parameters)
            return try opening.run([statement])[0].required(row: 0, column: 0)
        }

        /// The names of the references that the server checks, by table and column.
        private func references() throws -> [[String]: [String]] {
            let result = try opening.run([
                try PostgresStatement(
                    """
                    SELECT relname, attname, conname FROM pg_constraint JOIN pg_class ON pg_class.oid = conrelid
                    JOIN pg_namespace ON pg_namespace.oid = pg_class.relnamespace
                    JOIN pg_attribute ON attrelid = conrelid AND attnum = conkey[1]
                    WHERE nspname = $1 AND contype = 'f' AND cardinality(conkey) = 1
                    """, values: namespace.name)
            ])[0]
            var names: [[String]: [String]] = [:]
            for row in 0..<result.rowCount {
                let texts = try (0...2).map { try result.required(String.self, row: row, column: $0) }
                names[Array(texts.prefix(2)), default: []].append(texts[2])
            }
            return names
        }

        // MARK: Planning

        private func plan(_ preparation: Preparation) throws -> MigrationPlan {
            let (migration, record) = (preparation.migration, preparation.record)
            var steps = migration.mapping.changes
            var required: Int64 = 0
            var seen: Set<Entity> = []
            for root in preparation.statements.compactMap(\.root) where seen.insert(root).inserted {
                // The old table, if it has one; a new one is empty.
                guard let name = migration.new.place(of: root)?.table.name,
                    migration.old.tables.contains(where: { $0.name == name })
                else { continue }
                let rows = try number("SELECT count(*) FROM \(namespace.qualified(name))")
                required += try byteCount(of: [name])
                steps.append(.init(.updatedObjects, root.name, rows: Int(rows)))
            }
            let discards = try migration.discards.compactMap { discard -> MigrationPlan.Discard? in
                let count = try number(discard.statement)
                if count == 0 { return nil }
                return MigrationPlan.Discard(
                    problem: discard.description.problem(Int(count)), isPermitted: isPermitted(discard.description))
            }
            let stage = MigrationPlan.Stage(
                steps: steps, discards: discards, requiredByteCount: required, dependsOnCode: false)
            return MigrationPlan(
                storeByteCount: try byteCount(of: record.names.entries.filter { $0.table.isEmpty }.map(\.name)),
                stages: [stage], isAdditive: migration.isAdditive)
        }

        private func byteCount(of names: [String]) throws -> Int64 {
            var parameters = PostgresParameters()
            try parameters.append(namespace.name)
            try parameters.append(array: names)
            return try number(
                PostgresStatement(
                    """
                    SELECT CAST(coalesce(sum(pg_total_relation_size(pg_class.oid)), 0) AS bigint) FROM pg_class
                    JOIN pg_namespace ON pg_namespace.oid = relnamespace
                    WHERE nspname = $1 AND relkind = 'r' AND relname = ANY ($2)
                    """, parameters))
        }

        private func isPermitted(_ discard: MigrationScript.Discard) -> Bool {
            func isNamed(_ entity: String, property: String?) -> Bool {
                property.map { discarding.includes(property: $0, of: entity) } ?? discarding.includes(entity: entity)
            }
            return discard.subject == .order || isNamed(discard.entityName, property: discard.propertyName)
                || discard.inverse.map { isNamed($0.entityName, property: $0.propertyName) } ?? false
        }

        private func number(_ sql: String) throws -> Int64 { try number(PostgresStatement(sql)) }

        private func number(_ statement: PostgresStatement) throws -> Int64 {
            try opening.run([statement])[0].required(row: 0, column: 0)
        }

        // MARK: Carrying out

        private func carryOut(_ preparation: Preparation) throws {
            let migration = preparation.migration
            let former = try migration.requirements.map { try $0.former.map(number) ?? 0 }
            for statement in preparation.statements {
                let answer = connection.run(
                    PostgresPipeline([statement.statement]), until: opening.deadline, interrupt: opening.interrupt)
                do {
                    _ = try answer.results()
                } catch {
                    if let index = statement.index {
                        if error.constraintViolation == .unique {
                            throw MigrationError.duplicateValues(of: index, in: migration.new)
                        }
                        if error.isTooLarge { throw MigrationError.oversizedValues(of: index, in: migration.new) }
                    }
                    throw StoreError(failedMigrating: error, in: namespace)
                }
            }
            let problems = try zip(migration.requirements, former).compactMap { requirement, former in
                let count = try number(requirement.missing)
                return count > former ? requirement.problem(Int(count - former)) : nil
            }
            if !problems.isEmpty { throw MigrationError(.constraintViolation, problems: problems) }
        }

        private func keepsHistory() throws -> Bool {
            let name = ServerHistoryTables(namespace: namespace).transactions
            let question = try PostgresStatement("SELECT to_regclass($1) IS NOT NULL", values: name)
            return try opening.run([question])[0].required(row: 0, column: 0)
        }

        /// Empties the history: objects have changed without a record, so tokens from before have expired, as with a file.
        ///
        /// Not row by row, however long it is. The last transaction stays, and gives the next one its number.
        private func forgetHistory() throws {
            let tables = ServerHistoryTables(namespace: namespace)
            let last = namespace.qualified("_history_last")
            try opening.run(
                [
                    "CREATE TABLE \(last) AS SELECT * FROM \(tables.transactions) ORDER BY number DESC LIMIT 1",
                    "TRUNCATE \(tables.transactions), \(tables.changes)",
                    "INSERT INTO \(tables.transactions) SELECT * FROM \(last)",
                    "UPDATE \(tables.transactions) SET is_deleted = true", "DROP TABLE \(last)",
                ].map { PostgresStatement($0) })
        }

        /// Writes what the store says of itself, and appends to the log.
        private func write(_ preparation: Preparation) throws {
            if preparation.forgetsHistory { try forgetHistory() }
            let (migration, record) = (preparation.migration, preparation.record)
            var metadata = record.metadata
            metadata.adopt(migration.new.members, of: migration.new.model)
            var kinds = PostgresParameters()
            try kinds.append(array: ServerNames.Subject.Kind.allCases.map(\.rawValue))
            try opening.run(
                [
                    PostgresStatement("DELETE FROM \(namespace.qualified("_entities"))"),
                    try opening.numbersInsertion(migration.new.numbers),
                    // Names of other kinds belong to a later version of the library.
                    PostgresStatement("DELETE FROM \(namespace.qualified("_names")) WHERE kind = ANY ($1)", kinds),
                    try opening.namesInsertion(migration.names),
                    try PostgresStatement(
                        "UPDATE \(namespace.qualified("_store")) SET model = $1, metadata = $2",
                        values: try ModelCache.data(for: migration.new.model), try metadata.propertyList()),
                ]
                    // Others of the version go on.
                    + (preparation.keepsVersion ? [] : try versionStatements(preparation))
                    + (try ServerLog.statements(ofMigrationIn: namespace)))
        }

        /// Returns the statements that give the store its new version.
        private func versionStatements(_ preparation: Preparation) throws -> [PostgresStatement] {
            let (record, version) = (preparation.record, preparation.version)
            // A version to which the store goes back is not an earlier one any more, and those after it are none.
            let replaced = record.versions[preparation.checksum] ?? version
            // Processes of a version that the store is leaving again must not start.
            let oldest =
                preparation.migration.isAdditive && replaced == version ? record.oldestVersion : version
            return [
                try PostgresStatement(
                    "DELETE FROM \(namespace.qualified("_versions")) WHERE number >= $1", values: replaced),
                try PostgresStatement(
                    "INSERT INTO \(namespace.qualified("_versions")) (number, checksum) VALUES ($1, $2)",
                    values: version, preparation.checksum),
                try PostgresStatement(
                    "UPDATE \(namespace.qualified("_store")) SET version = $1, oldest_version = $2",
                    values: version, oldest),
            ]
        }

        /// Commits what a plan says. Returns it.
        ///
        /// - Parameter store: The store whose other processes are told of it; `nil` if there is nothing to tell.
        private func commit(_ plan: MigrationPlan, telling store: UUID? = nil) throws -> MigrationPlan {
            do {
                try opening.commit(telling: store, until: .now + commitTimeout)
                return plan
            } catch let commit as ServerStoreOpening.UnknownCommit {
                throw UnknownOutcome(commit: commit, plan: plan)
            } catch let failure as PostgresFailure {
                throw StoreError(failedMigrating: failure, in: namespace)
            }
        }
    }
#endif
