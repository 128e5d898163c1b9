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
