#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// **Confined.** A store on a server that is migrated from one model to another, with coordinators as if each was a process.
    final class MigrationStore {
        let namespace: ServerNamespace
        let connection: PostgresConnection

        convenience init() throws {
            self.init(
                ServerNamespace(name: "migration_\(UUID().uuidString)"), try PostgresServer.shared.get().connect())
        }

        private init(_ namespace: ServerNamespace, _ connection: PostgresConnection) {
            self.namespace = namespace
            self.connection = connection
        }

        /// Opens the store, as a process with a version of the model does.
        func coordinator(
            _ model: ManagedObjectModel, settings: ServerStoreSettings = .patient()
        ) throws -> PersistentStoreCoordinator {
            let coordinator = PersistentStoreCoordinator(model: model)
            try coordinator.add(
                ServerStore(
                    PostgresServer.shared.get().url(), namespace: namespace, directory: coordinator.directory, index: 0,
                    settings: settings))
            return coordinator
        }

        /// Opens a context on a store of its own.
        func context(_ model: ManagedObjectModel) throws -> ManagedObjectContext {
            ManagedObjectContext(coordinator: try coordinator(model))
        }

        func plan(_ model: ManagedObjectModel, discarding: DiscardableData = []) throws -> MigrationPlan {
            try call(model, discarding: discarding, isPlan: true)
        }

        /// Migrates the store. It then has the tables that a new one would have, but for names.
        @discardableResult
        func migrate(
            _ model: ManagedObjectModel, discarding: DiscardableData = [], settings: ServerStoreSettings = .patient(),
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws -> MigrationPlan {
            let plan = try call(model, discarding: discarding, isPlan: false, settings: settings)
            let fresh = try MigrationStore()
            _ = try fresh.coordinator(model)
            #expect(try structure() == fresh.structure(), sourceLocation: sourceLocation)
            return plan
        }

        func call(
            _ model: ManagedObjectModel, discarding: DiscardableData = [], isPlan: Bool,
            settings: ServerStoreSettings = .patient(), url: String? = nil
        ) throws -> MigrationPlan {
            try ServerStoreOpener.migrate(
                url ?? PostgresServer.shared.get().publicURL, schemaName: namespace.name, to: model, configuration: nil,
                discarding: discarding, settings: settings, isPlan: isPlan, report: { Issue.record($0) })
        }

        // MARK: Tables

        /// Returns the types of columns, the definitions of indexes and of references, without names.
        func structure() throws -> [String] {
            let columns = """
                SELECT pg_catalog.concat(pg_catalog.count(*), ' ', format_type(atttypid, atttypmod), ' ', attnotnull) AS line
                FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid JOIN pg_namespace n ON n.oid = relnamespace
                WHERE nspname = '\(namespace.name)' AND relkind = 'r' AND attnum > 0 AND NOT attisdropped
                GROUP BY atttypid, atttypmod, attnotnull
                """
            let constraints = """
                SELECT pg_catalog.concat(pg_catalog.count(*), ' ', contype, ' ', condeferrable) FROM pg_constraint
                JOIN pg_namespace n ON n.oid = connamespace WHERE nspname = '\(namespace.name)'
                GROUP BY contype, condeferrable
                """
            let indexes = """
                SELECT pg_catalog.concat(pg_catalog.count(*), ' ', indisunique, ' ', indnkeyatts, ' ', indpred IS NULL)
                FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid JOIN pg_namespace n ON n.oid = relnamespace
                WHERE nspname = '\(namespace.name)' GROUP BY indisunique, indnkeyatts, indpred IS NULL
                """
            let relations = """
                SELECT pg_catalog.concat(pg_catalog.count(*), ' ', relkind) FROM pg_class
                JOIN pg_namespace n ON n.oid = relnamespace WHERE nspname = '\(namespace.name)' GROUP BY relkind
                """
            let parts = [columns, constraints, indexes, relations].joined(separator: " UNION ALL ")
            return try run("SELECT line FROM (\(parts)) lines ORDER BY line").column(of: String.self)
        }

        @discardableResult
        func run(_ sql: String) throws -> PostgresResult {
            try connection.run(PostgresStatement(sql), until: farDeadline)
        }

        func numbers(_ sql: String) throws -> [Int64] { try run(sql).column(of: Int64.self) }

        func table(_ name: String) -> String { namespace.qualified(name) }

        /// Everything that the store says of itself, and the rows of some tables.
        func contents(_ tables: [String]) throws -> [String] {
            let names = ["_store", "_names", "_entities", "_versions", "_log"] + tables
            return try names.flatMap { name in
                try run("SELECT t::text FROM \(table(name)) t ORDER BY 1").column(of: String.self)
            }
        }

        /// Waits until somebody waits for a lock of a table, or until there is nobody who may.
        ///
        /// - Parameter isOver: Returns whether those who may wait have ended.
        func waitForWaiter(at name: String, in mode: String = "%", _ isOver: () -> Bool = { false }) throws {
            let sql = """
                SELECT count(*) FROM pg_locks WHERE NOT granted AND mode LIKE '\(mode)' \
                AND relation = '\(table(name))'::regclass
                """
            while try numbers(sql) == [0], !isOver() { try run("SELECT pg_sleep(0.01)") }
        }

        /// Begins a transaction that keeps a migration waiting which has changed everything, and not committed.
        func holdOrder() throws {
            try run("BEGIN")
            try run("SELECT pg_advisory_xact_lock(\(ServerLog.orderLock), hashtext('\(namespace.name)'))::text")
        }

        /// Waits until somebody waits for that, and returns the number of the server's process.
        func waitForOrder(_ isOver: () -> Bool) throws -> Int64? {
            let sql = """
                SELECT pid::int8 FROM pg_locks WHERE NOT granted AND locktype = 'advisory' \
                AND classid = \(ServerLog.orderLock) AND objid::int8 = hashtext('\(namespace.name)')::int8 & 4294967295
                """
            while !isOver() {
                if let process = try numbers(sql).first { return process }
                try run("SELECT pg_sleep(0.01)")
            }
            return nil
        }

        /// Returns another connection to the store.
        func watching() throws -> MigrationStore {
            MigrationStore(namespace, try PostgresServer.shared.get().connect())
        }
    }

    extension ManagedObjectContext {
        /// Inserts an object with values.
        @discardableResult
        func add(_ name: String, _ values: [String: ManagedValue] = [:]) throws -> ManagedObject {
            let object = try insert(#require(coordinator.model.entitiesByName[name]))
            for (key, value) in values { try object.setValue(value, forKey: key) }
            return object
        }

        /// Returns a property of all objects of an entity, in the order of another one.
        func values(_ name: String, _ key: String, orderBy order: String = "name") throws -> [ManagedValue] {
            var request = FetchRequest(entityName: name)
            request.sortTerms = [SortTerm(order)]
            return try fetch(request).map { try $0.value(forKey: key) }
        }

        /// Returns the names of the objects that a to-many of the object with a name leads to.
        func names(_ entity: String, _ name: String, _ key: String) throws -> [String] {
            let owner = try #require(all(entity).first { try $0.value(forKey: "name") == .string(name) })
            return try owner.objects(forKey: key).map { object in
                guard case .string(let text) = try object.value(forKey: "name") else { return "" }
                return text
            }
        }

        /// Returns the name of the object that a to-one of the object with a name leads to.
        func name(_ entity: String, _ name: String, _ key: String) throws -> String? {
            let owner = try #require(all(entity).first { try $0.value(forKey: "name") == .string(name) })
            guard case .object(let id) = try owner.value(forKey: key),
                case .string(let text) = try existingObject(with: id).value(forKey: "name")
            else { return nil }
            return text
        }
    }
#endif
