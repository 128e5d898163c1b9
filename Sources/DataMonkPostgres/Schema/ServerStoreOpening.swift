#if Postgres
    import DataMonkCore
    import DataMonkSQL
    import Foundation

    /// **Confined.** Opens the store in a schema of a database, or creates it there.
    ///
    /// A creator holds the schema lock exclusively, a reader shares it: if two processes find no store, one creates it and
    /// the other finds it. Everything is created in one transaction, or nothing is.
    struct ServerStoreOpening {
        /// **Value.** A store that is there.
        struct Opened: Sendable {
            let schema: ServerSchema
            let identifier: UUID
            let metadata: StoreMetadata
            /// The number of the model's version in the store.
            var version: Int32 = 1
            /// The last row of the log.
            let lastPosition: ServerLog.Position
        }

        /// The format of the tables whose names begin with an underscore.
        static let format: Int32 = 2

        let connection: PostgresConnection
        let model: ManagedObjectModel
        var configuration: String?
        let namespace: ServerNamespace
        let deadline: ContinuousClock.Instant
        /// Reports what is no failure of the call.
        let report: (StoreError) -> Void
        /// Ends what runs.
        var interrupt: PostgresInterrupt?

        /// Returns the store, which is created if the namespace has none.
        ///
        /// Throws a `StoreError` if the database cannot have it, or has another one.
        func open() throws -> Opened {
            try namespace.requireUsableName()
            try requireSupportedAttributes()
            do {
                if let opened = try inTransaction(alone: false, find) { return opened }
                return try inTransaction(alone: true) { try find() ?? create() }
            } catch let error as PostgresValueError {
                // The tables whose names begin with an underscore have other columns than a store's.
                throw StoreError.damagedMetadata(error, in: namespace)
            }
        }

        /// Throws for attributes whose values would be missing, or not unique.
        func requireSupportedAttributes() throws {
            let entities = try model.requireEntities(inConfiguration: configuration)
            for attribute in entities.flatMap(\.declaredAttributes) where !attribute.isTransient {
                if attribute.isDerived { throw StoreError.derivedAttribute(attribute) }
            }
            for entity in entities {
                for name in entity.description.uniquenessConstraints.joined() {
                    guard let attribute = entity.attribute(named: name),
                        attribute.description.allowsExternalBinaryDataStorage
                    else { continue }
                    throw StoreError.uniqueLargeValue(attribute)
                }
            }
        }

        // MARK: Transactions

        /// Runs `body` in a transaction with the schema's lock. One that has it alone may write.
        func inTransaction<Result>(alone: Bool, _ body: () throws -> Result) throws -> Result {
            do {
                let lock = alone ? "pg_advisory_xact_lock" : "pg_advisory_xact_lock_shared"
                let settings = ["search_path TO pg_catalog", Self.commitSetting] + ServerLog.settings
                try run(
                    // Sees commits made while it waited for the lock.
                    [PostgresStatement("BEGIN ISOLATION LEVEL READ COMMITTED")]
                        + settings.map { PostgresStatement("SET LOCAL \($0)") }
                        + [
                            try PostgresStatement(
                                "SELECT pg_catalog.\(lock)(\(Self.schemaLock), pg_catalog.hashtext($1))",
                                values: namespace.name)
                        ])
                let result = try body()
                if alone { try commitTables() } else { try run([PostgresStatement("COMMIT")]) }
                return result
            } catch {
                connection.rollBack()
                throw error
            }
        }

        /// The first half of the number of the schema's lock: "DMon" in ASCII.
        static let schemaLock: Int32 = 0x444d_6f6e

        @discardableResult
        func run(_ statements: [PostgresStatement]) throws -> [PostgresResult] {
            do {
                return try connection.run(PostgresPipeline(statements), until: deadline, interrupt: interrupt).results()
            } catch {
                throw StoreError(error, in: namespace)
            }
        }

        // MARK: Creating

        private func create() throws -> Opened {
            let schema = try ServerSchema(model: model, configuration: configuration, namespace: namespace)
            try model.requireCompleteness()
            let hasNamespace = try checkThatNothingIsInTheWay(of: schema)
            let identifier = UUID()
            let metadata = StoreMetadata(storeType: "PostgreSQL", members: schema.members, of: model)
            var statements = schema.createStatements.map { PostgresStatement($0) }
            // Not IF NOT EXISTS, for which the user would need the right to create one that is there.
            if !hasNamespace {
                statements.insert(PostgresStatement("CREATE SCHEMA \(ServerName.quoted(namespace.name))"), at: 0)
            }
            statements.append(
                try PostgresStatement(
                    """
                    INSERT INTO \(namespace.qualified("_store")) (format, identifier, model, metadata) \
                    VALUES ($1, $2, $3, $4)
                    """,
                    values: Self.format, identifier, try ModelCache.data(for: model), try metadata.propertyList()))
            statements.append(
                try PostgresStatement(
                    "INSERT INTO \(namespace.qualified("_versions")) (number, checksum) VALUES (1, $1)",
                    values: StoreMetadata.checksum(ofMembers: schema.members, of: model)))
            statements.append(try numbersInsertion(schema.numbers))
            statements.append(try namesInsertion(schema.names.entries))
            try run(statements)
            return Opened(schema: schema, identifier: identifier, metadata: metadata, lastPosition: .init())
        }

        /// Returns whether the namespace exists. Throws if there is no room for the store in it.
        private func checkThatNothingIsInTheWay(of schema: ServerSchema) throws -> Bool {
            var parameters = PostgresParameters()
            try parameters.append(namespace.name)
            try parameters.append(array: schema.relationNames)
            let results = try run([
                PostgresStatement("SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on'"),
                PostgresStatement(
                    """
                    SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
                    WHERE nspname = $1 AND relname = ANY ($2) ORDER BY relname
                    """, parameters),
                try PostgresStatement(
                    """
                    SELECT has_schema_privilege(oid, 'USAGE') AND has_schema_privilege(oid, 'CREATE')
                    FROM pg_namespace WHERE nspname = $1
                    """, values: namespace.name),
            ])
            if try results[0].required(Bool.self, row: 0, column: 0) { throw StoreError.readOnlyServer }
            let mayCreate = try results[2].column(of: Bool.self).first
            if mayCreate == false { throw StoreError.missingPrivileges(in: namespace) }
            let taken = try results[1].column(of: String.self)
            if !taken.isEmpty { throw StoreError.takenNames(taken, in: namespace) }
            return mayCreate != nil
        }

        func numbersInsertion(_ numbers: [String: Int32]) throws -> PostgresStatement {
            var parameters = PostgresParameters()
            let sorted = numbers.sorted { $0.value < $1.value }
            try parameters.append(array: sorted.map(\.value))
            try parameters.append(array: sorted.map(\.key))
            return PostgresStatement(
                "INSERT INTO \(namespace.qualified("_entities")) (number, name) SELECT * FROM unnest($1, $2)",
                parameters)
        }

        func namesInsertion(_ entries: [ServerNames.Entry]) throws -> PostgresStatement {
            var parameters = PostgresParameters()
            try parameters.append(array: entries.indices.map { Int64($0) })
            try parameters.append(array: entries.map(\.subject.kind.rawValue))
            try parameters.append(array: entries.map(\.subject.entity))
            try parameters.append(array: entries.map(\.subject.property))
            try parameters.append(array: entries.map(\.table))
            try parameters.append(array: entries.map(\.name))
            let table = namespace.qualified("_names")
            // Behind those that are there, which a later version of the library needs.
            return PostgresStatement(
                """
                INSERT INTO \(table) (place, kind, entity, property, in_table, name) \
                SELECT place + (SELECT coalesce(max(place) + 1, 0) FROM \(table)), kind, entity, property, in_table, name \
                FROM unnest($1, $2, $3, $4, $5, $6) AS names (place, kind, entity, property, in_table, name)
                """, parameters)
        }
    }
#endif
