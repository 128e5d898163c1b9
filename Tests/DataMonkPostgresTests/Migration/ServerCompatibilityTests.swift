#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Processes that run, or are started, with another version of the model than the store has by now.
    @Suite struct ServerCompatibilityTests {
        private let stage: MigrationStore

        init() throws { stage = try MigrationStore() }

        private static let name = PropertyDescription.attribute(AttributeDescription("name", .string))

        private static func rank(isOptional: Bool = true, _ value: ManagedValue = .null) -> PropertyDescription {
            .attribute(AttributeDescription("rank", .integer64, isOptional: isOptional, defaultValue: value))
        }

        private static func monk(
            _ properties: [PropertyDescription] = [], modifier: String? = nil, indexed: [String] = []
        ) throws -> ManagedObjectModel {
            try ManagedObjectModel(entities: [
                EntityDescription(
                    "Monk", properties: [name] + properties,
                    indexes: indexed.map { FetchIndexDescription("by_\($0)", on: [.init(.property($0))]) },
                    versionHashModifier: modifier)
            ])
        }

        /// Persons, with attributes of their own, and those of monks and guests, who are persons.
        private static func persons(
            _ own: [PropertyDescription], monks: [PropertyDescription], guests: [PropertyDescription] = []
        ) throws -> ManagedObjectModel {
            try ManagedObjectModel(entities: [
                EntityDescription("Person", properties: [name] + own),
                EntityDescription("Monk", superentityName: "Person", properties: monks),
                EntityDescription("Guest", superentityName: "Person", properties: guests),
            ])
        }

        /// Expects that a running process of a version is told to end, by a read and by a save.
        private func expectEnd(
            of running: ManagedObjectContext, adding entity: String = "Monk",
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            running.endTurn()
            let read = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try running.all(entity) }
            #expect(read?.code == .schemaChanged, sourceLocation: sourceLocation)
            running.endTurn()
            try running.add(entity)
            let saved = #expect(throws: StoreError.self, sourceLocation: sourceLocation) { try running.save() }
            #expect(saved?.code == .schemaChanged, sourceLocation: sourceLocation)
        }

        // MARK: Attributes of superentities

        @Test func `attributes that become one of the superentity are no addition`() throws {
            let old = try Self.persons([], monks: [Self.rank()], guests: [Self.rank()])
            let running = try stage.context(old)
            try running.add("Monk", ["name": "m", "rank": 1])
            try running.add("Guest", ["name": "g", "rank": 2])
            try running.save()
            let new = try Self.persons([Self.rank()], monks: [])
            #expect(try !stage.migrate(new).isAdditive)
            #expect(try stage.context(new).values("Person", "rank") == [2, 1])
            try expectEnd(of: running)
            let error = #expect(throws: MigrationError.self) { try stage.context(old) }
            #expect(error?.code == .newerStore)
        }

        @Test(arguments: [true, false])
        func `an attribute that moves to the superentity is no addition`(isOptional: Bool) throws {
            let rank = isOptional ? Self.rank() : Self.rank(isOptional: false, 7)
            let old = try Self.persons([], monks: [rank])
            let running = try stage.context(old)
            try running.add("Monk", ["name": "m", "rank": 1])
            try running.save()
            let new = try Self.persons([rank], monks: [])
            #expect(try !stage.migrate(new).isAdditive)
            try expectEnd(of: running, adding: "Guest")
            let error = #expect(throws: MigrationError.self) { try stage.context(old) }
            #expect(error?.code == .newerStore)
            let context = try stage.context(new)
            try context.add("Guest", ["name": "g", "rank": 2])
            try context.save()
            #expect(try context.values("Person", "rank") == [2, 1])
        }

        // MARK: Indexes

        @Test func `an index that is added leaves the store its version, and processes go on`() throws {
            let first = try Self.monk()
            let second = try Self.monk([Self.rank()])
            let oldest = try stage.context(first)
            try stage.migrate(second)
            let running = try stage.context(second)
            try running.add("Monk", ["name": "a", "rank": 1])
            try running.save()
            running.endTurn()
            // No part of the version.
            let indexed = try Self.monk([Self.rank()], indexed: ["rank"])
            #expect(try stage.migrate(indexed).isAdditive)
            #expect(try stage.numbers("SELECT version::int8 FROM \(stage.table("_store"))") == [2])
            #expect(try running.values("Monk", "rank") == [1])
            try running.add("Monk", ["name": "b", "rank": 2])
            try running.save()
            try oldest.add("Monk", ["name": "c"])
            try oldest.save()
            for model in [first, second, indexed] { #expect(try stage.context(model).all("Monk").count == 3) }
            #expect(try stage.migrate(indexed).isEmpty)
        }

        @Test func `an index over text is no addition, since it limits the length of texts`() throws {
            let running = try stage.context(try Self.monk())
            let indexed = try Self.monk([Self.rank()], indexed: ["name"])
            #expect(try !stage.migrate(indexed).isAdditive)
            try expectEnd(of: running)
            // Of an attribute that only the new version has.
            let title = PropertyDescription.attribute(AttributeDescription("title", .string, isIndexed: true))
            #expect(try stage.plan(Self.monk([Self.rank(), title], indexed: ["name"])).isAdditive)
        }

        // MARK: Lost migrations

        @Test func `a process is told to end if the server has lost its migration, or made another one`() throws {
            let old = try Self.monk()
            _ = try stage.context(old)
            try stage.run("CREATE TEMP TABLE kept AS SELECT * FROM \(stage.table("_store"))")
            // With the same tables, and other objects.
            let new = try Self.monk(modifier: "2")
            try stage.migrate(new)
            let running = try stage.context(new)
            try running.add("Monk", ["name": "b"])
            try running.save()
            #expect(try running.all("Monk").count == 1)
            let losses = Locked<[String]>([])
            running.coordinator.setErrorHandler { error in
                if (error as? StoreError)?.code == .commitsLost { losses.withLock { $0.append("\(error)") } }
            }
            // As on a standby that did not have it.
            try stage.run(
                """
                UPDATE \(stage.table("_store")) SET (model, metadata, version, oldest_version) = \
                (SELECT model, metadata, version, oldest_version FROM kept)
                """)
            try stage.run("DELETE FROM \(stage.table("_versions")) WHERE number = 2")
            try stage.run("DELETE FROM \(stage.table("_log"))")
            try expectEnd(of: running)
            #expect(losses.withLock { $0.first?.contains("of this process") } == true)
            // The number is given out again.
            try stage.migrate(try Self.monk(modifier: "3"))
            #expect(try stage.numbers("SELECT version::int8 FROM \(stage.table("_store"))") == [2])
            try expectEnd(of: running)
            #expect(losses.withLock(\.count) == 1)
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.table("monk"))") == [1])
        }
    }
#endif
