#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Stores with rows that the tables of another version of the model would refuse, or with much to delete.
    @Suite struct MigrationObstacleTests {
        private let stage: MigrationStore

        init() throws { stage = try MigrationStore() }

        private static func model(
            _ entities: [String: [PropertyDescription]], indexed: [String] = []
        ) throws -> ManagedObjectModel {
            try ManagedObjectModel(
                entities: entities.sorted { $0.key < $1.key }.map { entity, properties in
                    EntityDescription(
                        entity,
                        properties: [.attribute(AttributeDescription("name", .string))] + properties,
                        indexes: indexed.map { FetchIndexDescription("by_\($0)", on: [.init(.property($0))]) })
                })
        }

        private static func link(
            _ name: String, to entity: String, inverse: String? = nil, isToMany: Bool = false,
            rule: DeleteRule = .nullify
        ) -> PropertyDescription {
            .relationship(
                RelationshipDescription(name, to: entity, inverse: inverse, isToMany: isToMany, deleteRule: rule))
        }

        // MARK: Links to nothing

        @Test func `a to-one that has lost its destination gets an inverse`() throws {
            let old = try Self.model(["Cell": [], "Monk": [Self.link("cell", to: "Cell")]])
            let context = try stage.context(old)
            let cells = try ["x", "y"].map { try context.add("Cell", ["name": .string($0)]) }
            for (name, cell) in zip(["a", "b"], cells) {
                try context.add("Monk", ["name": .string(name), "cell": .object(cell.anyObjectID)])
            }
            try context.save()
            context.delete(cells[0])
            try context.save()
            // Without an inverse, nobody notices.
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.table("monk")) WHERE cell IS NOT NULL") == [2])
            let new = try Self.model([
                "Cell": [Self.link("monks", to: "Monk", inverse: "cell", isToMany: true)],
                "Monk": [Self.link("cell", to: "Cell", inverse: "monks")],
            ])
            try stage.migrate(new)
            let now = try stage.context(new)
            #expect(try now.name("Monk", "a", "cell") == nil && now.names("Cell", "y", "monks") == ["b"])
        }

        @Test func `links of objects that are gone are removed when a delete rule demands it`() throws {
            func model(_ rule: DeleteRule) throws -> ManagedObjectModel {
                try Self.model([
                    "Book": [Self.link("tags", to: "Tag", inverse: "books", isToMany: true, rule: rule)],
                    "Tag": [Self.link("books", to: "Book", inverse: "tags", isToMany: true)],
                ])
            }
            let context = try stage.context(try model(.noAction))
            let tags = try ["x", "y"].map { try context.add("Tag", ["name": .string($0)]) }
            try context.add("Book", ["name": "b"]).setObjects(tags, forKey: "tags")
            try context.save()
            try stage.run("DELETE FROM \(stage.table("tag")) WHERE name = 'x'")
            try stage.migrate(try model(.nullify))
            #expect(try stage.context(model(.nullify)).names("Book", "b", "tags") == ["y"])
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.table("book_tags"))") == [1])
        }

        // MARK: Long values

        @Test func `a text that is too long for a new index is named`() throws {
            let context = try stage.context(try Self.model(["Monk": []]))
            try context.add("Monk", ["name": "a"])
            try context.save()
            context.endTurn()
            try stage.run(
                """
                UPDATE \(stage.table("monk")) SET name = \
                (SELECT string_agg(md5(CAST(number AS text)), '') FROM generate_series(1, 1000) numbers (number))
                """)
            let error = #expect(throws: MigrationError.self) {
                try stage.call(Self.model(["Monk": []], indexed: ["name"]), isPlan: false)
            }
            #expect(error?.code == .constraintViolation)
            #expect(error?.problems.map(\.kind.rawValue) == ["oversizedValues"])
            #expect(error?.problems.first?.entityName == "Monk" && error?.problems.first?.propertyName == "name")
        }

        // MARK: Names of a later version of the library

        @Test func `names of a kind that is not known stay, and are not given to others`() throws {
            _ = try stage.context(try Self.model(["Monk": []]))
            let names = stage.table("_names")
            try stage.run(
                """
                INSERT INTO \(names) (place, kind, entity, property, in_table, name) \
                SELECT max(place) + 1, 'later', 'Monk', 'rank', 'monk', 'rank' FROM \(names)
                """)
            for properties in [["rank"], ["rank", "age"], ["rank", "age", "height"]] {
                let model = try Self.model([
                    "Monk": properties.map { .attribute(AttributeDescription($0, .integer64)) }
                ])
                try stage.migrate(model)
                let context = try stage.context(model)
                try context.add("Monk", ["rank": 1])
                try context.save()
            }
            #expect(try stage.numbers("SELECT count(*) FROM \(names) WHERE kind = 'later'") == [1])
            #expect(try stage.numbers("SELECT rank_2 FROM \(stage.table("monk"))") == [1, 1, 1])
        }

        // MARK: Histories

        @Test func `a history is emptied without a trace of its rows`() throws {
            let old = try Self.model(["Monk": [.attribute(AttributeDescription("rank", .integer64))]])
            let context = ManagedObjectContext(
                coordinator: try stage.coordinator(old, settings: .patient().trackingHistory()))
            for _ in 0..<3 {
                try context.add("Monk")
                try context.save()
            }
            context.endTurn()
            let changes = stage.table("_history_changes")
            #expect(try stage.numbers("SELECT pg_relation_size('\(changes)')") != [0])
            let new = try Self.model(["Monk": []])
            _ = try stage.call(new, isPlan: false)
            #expect(try stage.numbers("SELECT pg_relation_size('\(changes)')") == [0])
            let last = ManagedObjectContext(
                coordinator: try stage.coordinator(new, settings: .patient().trackingHistory()))
            #expect(try last.coordinator.history().isEmpty)
            try last.add("Monk")
            try last.save()
            let history = try last.coordinator.history()
            #expect(history.map(\.transactionNumber) == [4] && history.flatMap { $0.changes.map(\.changeID) } == [4])
        }
    }
#endif
