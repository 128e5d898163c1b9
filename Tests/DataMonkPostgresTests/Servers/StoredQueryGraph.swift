#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// **Confined.** The objects of a ``QueryGraph``, in memory and in a store on a server, where they were written by SQL.
    final class StoredQueryGraph {
        let graph: QueryGraph
        let connection: PostgresConnection
        let namespace: ServerNamespace
        let schema: ServerSchema

        init(people: Int, seed: UInt64 = testSeed) throws {
            connection = try PostgresServer.shared.get().connect()
            var generator = SeededGenerator(seed: seed)
            graph = try QueryGraph(people: people, using: &generator)
            namespace = ServerNamespace(name: "graph_\(UUID().uuidString)")
            schema = try ServerStoreOpening(
                connection: connection, model: graph.model, namespace: namespace, deadline: farDeadline,
                report: { Issue.record($0) }
            ).open().schema
            for object in graph.objects { try makeStorable(object) }
            _ = try connection.run(PostgresStatement("BEGIN"), until: farDeadline)
            for root in schema.tables.map(\.root) { try insert(graph.objects(of: root), of: root) }
            for object in graph.objects { try insertLinks(of: object) }
            _ = try connection.run(PostgresStatement("COMMIT"), until: farDeadline)
        }

        var ids: [AnyObjectID] { graph.objects.map { AnyObjectID(key: $0.objectKey, directory: graph.directory) } }

        func entity(_ name: String) throws -> Entity { try #require(graph.model.entitiesByName[name]) }

        func table(of entity: Entity) throws -> String {
            namespace.qualified(try #require(schema.place(of: entity)).table.name)
        }

        /// Opens the store for a coordinator, in another connection.
        func store(
            directory: ObjectDirectory? = nil, index: Int = 0, url: ServerURL? = nil,
            options: ServerStoreSettings = .init()
        ) throws -> ServerStore {
            try ServerStore(
                url ?? PostgresServer.shared.get().url(), namespace: namespace, directory: directory ?? graph.directory,
                index: index, settings: options)
        }

        // MARK: Writing

        /// Makes the values those that the server can have: dates in microseconds, text without NUL.
        private func makeStorable(_ object: QueryObject) throws {
            for attribute in object.entity.attributes {
                switch object.values[attribute.slot] {
                case .date(let date): object.values[attribute.slot] = .date(try date.roundedForPostgres())
                case .string(let text): object.values[attribute.slot] = .string(text.replacing("\u{0}", with: "0"))
                default: break
                }
            }
        }

        private func insert(_ objects: [QueryObject], of root: Entity) throws {
            var arena = RowArena()
            let rows = objects.map { (key: $0.objectKey, row: row(of: $0, in: &arena)) }
            let plan = ServerRowPlan(root, in: schema)
            let names = plan.columns.map(\.identifier).joined(separator: ", ")
            let parameters = plan.columns.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
            _ = try connection.run(
                PostgresStatement(
                    "INSERT INTO \(try table(of: root)) (\(names)) SELECT * FROM unnest(\(parameters))",
                    try ServerRowEncoder(plan).parameters(rows)), until: farDeadline)
        }

        func row(of object: QueryObject, in arena: inout RowArena) -> Row {
            let layout = EntityLayout(object.entity)
            let draft = DraftRow(copying: layout.blankRow.pointer, of: layout, base: nil)
            var editor = RowEditor(draft)
            for attribute in object.entity.attributes where !attribute.isTransient {
                attribute.write(object.values[attribute.slot], to: &editor)
            }
            for relationship in object.entity.relationships where !relationship.isToMany {
                guard let key = object.links[relationship.slot].first?.objectKey else { continue }
                editor.setInt64(Int64(bitPattern: key.rawValue), at: relationship.slot)
            }
            return layout.seal(draft, version: 1, in: &arena)
        }

        /// Writes the links of many-to-many relationships, and the order of ordered ones.
        private func insertLinks(of object: QueryObject) throws {
            let place = try #require(schema.place(of: object.entity))
            for relationship in object.entity.relationships where relationship.isToMany {
                for (position, other) in object.links[relationship.slot].enumerated() {
                    let values = [object.objectKey.primaryKey, other.objectKey.primaryKey, Int64(position + 1)]
                    switch place.storage[relationship.slot] {
                    case .links(let links): try insert(values, into: links)
                    case .toMany(let toMany):
                        guard let order = toMany.order else { break }
                        try run(
                            "UPDATE \(namespace.qualified(toMany.tableName)) SET \(order.identifier) = \(values[2]) "
                                + "WHERE \"_id\" = \(values[1])")
                    default: break
                    }
                }
            }
        }

        private func insert(_ values: [Int64], into links: ServerLinks) throws {
            let columns = [links.owner, links.element].map(\.identifier).joined(separator: ", ")
            let table = namespace.qualified(links.tableName)
            try run("INSERT INTO \(table) (\(columns)) VALUES (\(values[0]), \(values[1])) ON CONFLICT DO NOTHING")
            guard let order = links.order else { return }
            try run(
                "UPDATE \(table) SET \(order.identifier) = \(values[2]) "
                    + "WHERE \(links.owner.identifier) = \(values[0]) AND \(links.element.identifier) = \(values[1])")
        }

        @discardableResult
        func run(_ sql: String) throws -> PostgresResult {
            try connection.run(PostgresStatement(sql), until: farDeadline)
        }
    }
#endif
