#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// **Confined.** A store of items and boxes on a server, which several coordinators open as if each was a process.
    final class ItemStore {
        let namespace = ServerNamespace(name: "items_\(UUID().uuidString)")
        let connection: PostgresConnection

        init() throws { connection = try PostgresServer.shared.get().connect() }

        static func model() throws -> ManagedObjectModel {
            try ManagedObjectModel(entities: [
                EntityDescription(
                    "Item",
                    properties: [
                        .attribute(AttributeDescription("number", .integer64)),
                        .attribute(AttributeDescription("code", .string)),
                        .attribute(AttributeDescription("time", .date)),
                        .relationship(RelationshipDescription("box", to: "Box", inverse: "items")),
                        .relationship(RelationshipDescription("label", to: "Label")),
                        .relationship(RelationshipDescription("tags", to: "Tag", inverse: "items", isToMany: true)),
                    ], uniquenessConstraints: [["code"]]),
                EntityDescription(
                    "Box",
                    properties: [
                        .relationship(RelationshipDescription("items", to: "Item", inverse: "box", isToMany: true))
                    ]),
                EntityDescription("Label", properties: []),
                EntityDescription(
                    "Tag",
                    properties: [
                        .relationship(
                            RelationshipDescription(
                                "items", to: "Item", inverse: "tags", isToMany: true, deleteRule: .deny))
                    ]),
            ])
        }

        /// Opens the store as another process would.
        ///
        /// - Parameter isSecond: Whether the coordinator had another store, which was removed.
        func coordinator(
            _ url: ServerURL? = nil, options: ServerStoreSettings = .patient(),
            isSecond: Bool = false
        ) throws -> PersistentStoreCoordinator {
            let coordinator = PersistentStoreCoordinator(model: try Self.model())
            if isSecond {
                try coordinator.add(InMemoryStore(directory: coordinator.directory, index: 0))
                try coordinator.removeStore(at: 0)
            }
            try coordinator.add(
                ServerStore(
                    url ?? PostgresServer.shared.get().url(), namespace: namespace, directory: coordinator.directory,
                    index: isSecond ? 1 : 0, settings: options))
            return coordinator
        }

        @discardableResult
        func run(_ sql: String) throws -> PostgresResult {
            try connection.run(PostgresStatement(sql), until: farDeadline)
        }

        func numbers(_ sql: String) throws -> [Int64] { try run(sql).column(of: Int64.self) }

        /// Waits until a query returns these numbers.
        func wait(for numbers: [Int64], _ sql: String) throws {
            while try self.numbers(sql) != numbers { try run("SELECT pg_sleep(0.01)") }
        }

        // MARK: A gate

        /// Lets commits of items with a number wait at a gate, before they are put in order.
        func addGate(forItemsNumbered number: Int) throws {
            let (gate, function) = (namespace.qualified("gate"), namespace.qualified("pass_gate"))
            try run("CREATE TABLE \(gate) ()")
            try run(
                """
                CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS \
                $$ BEGIN LOCK TABLE \(gate) IN ACCESS SHARE MODE; RETURN NULL; END $$
                """)
            try run(
                """
                CREATE CONSTRAINT TRIGGER pass_gate AFTER INSERT OR UPDATE ON \(items) DEFERRABLE INITIALLY DEFERRED \
                FOR EACH ROW WHEN (NEW.number = \(number)) EXECUTE FUNCTION \(function)()
                """)
        }

        func closeGate() throws {
            try run("BEGIN")
            try run("LOCK TABLE \(namespace.qualified("gate")) IN ACCESS EXCLUSIVE MODE")
        }

        /// Lets commits wait until they are put in order, which is when no one ends them any more.
        func holdOrder() throws {
            try run("BEGIN")
            try run("SELECT pg_advisory_xact_lock(\(ServerLog.orderLock), hashtext('\(namespace.name)'))::text")
        }

        func openGate() throws { try run("COMMIT") }

        /// Appends a row of another process to the log.
        func appendToLog() throws {
            try run(
                """
                INSERT INTO \(log) (number, process, attempt, is_fence) \
                SELECT coalesce(max(number), 0) + 1, '\(UUID().uuidString)', 1, false FROM \(log)
                """)
        }

        var items: String { namespace.qualified("item") }
        var log: String { namespace.qualified("_log") }
    }

    extension ServerStoreSettings {
        /// Settings with which nothing gives up that waits until a test lets it go on, however slow the machine is.
        static func patient(readerCount: Int = 8) -> ServerStoreSettings {
            var settings = ServerStoreSettings(timeout: .seconds(600), readerCount: readerCount)
            (settings.lockTimeout, settings.contentionTime) = (settings.timeout, settings.timeout)
            settings.replicaTimeout = settings.timeout
            settings.solitudeTime = settings.timeout
            return settings
        }

        /// Such settings, with which a process writes alone from its second save on.
        static func solitary() -> ServerStoreSettings {
            var settings = patient()
            (settings.solitudeTime, settings.solitudeLimit) = (.zero, settings.timeout)
            return settings
        }
    }

    extension PersistentStoreCoordinator {
        /// Saves contexts as a group, in their order. Returns whether each was saved.
        func saveTogether(_ contexts: [ManagedObjectContext]) throws -> [Bool] {
            let (saved, done) = (Locked<Set<Int>>([]), DispatchGroup())
            // nonisolated(unsafe): each thread has one of them, and this one none until they have ended.
            nonisolated(unsafe) let contexts = contexts
            try betweenCommits {
                for index in contexts.indices {
                    Thread.detachNewThread(in: done) {
                        // Reason for try?: whether it was saved is the answer.
                        if (try? contexts[index].save()) != nil { _ = saved.withLock { $0.insert(index) } }
                    }
                    // A save that fails before it waits fails the test.
                    let end = ContinuousClock.now + .seconds(60)
                    while waitingCommits <= index, .now < end { sched_yield() }
                }
                #expect(waitingCommits == contexts.count)
            }
            done.wait()
            return contexts.indices.map { index in saved.withLock { $0.contains(index) } }
        }
    }

    extension ManagedObjectContext {
        func insert(_ name: String, number: Int64 = 0) throws -> ManagedObject {
            let object = try insert(#require(coordinator.model.entitiesByName[name]))
            if name == "Item" { try object.setValue(.int(number), forKey: "number") }
            return object
        }

        func all(_ name: String) throws -> [ManagedObject] { try fetch(FetchRequest(entityName: name)) }
    }
#endif
