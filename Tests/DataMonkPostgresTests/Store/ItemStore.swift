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
                    ], uniquenessConstraints: [["code"]]),
                EntityDescription(
                    "Box",
                    properties: [
                        .relationship(RelationshipDescription("items", to: "Item", inverse: "box", isToMany: true))
                    ]),
            ])
        }

        /// Opens the store as another process would.
        func coordinator(_ url: ServerURL? = nil) throws -> PersistentStoreCoordinator {
            let coordinator = PersistentStoreCoordinator(model: try Self.model())
            try coordinator.add(
                ServerStore(
                    url ?? PostgresServer.shared.get().url(), namespace: namespace, directory: coordinator.directory,
                    index: 0))
            return coordinator
        }

        @discardableResult
        func run(_ sql: String) throws -> PostgresResult {
            try connection.run(PostgresStatement(sql), until: farDeadline)
        }

        func numbers(_ sql: String) throws -> [Int64] { try run(sql).column(of: Int64.self) }

        var items: String { namespace.qualified("item") }
        var log: String { namespace.qualified("_log") }
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
