import DataMonk
import DataMonkCore
import Foundation
import Synchronization
import Testing

/// Policies that make objects of those of other entities.
@Suite struct `Migration policies` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    /// Monks and nuns, who have a friend of their own kind, and an abbey; people, who are made of them.
    private static func model(old: Bool, new: Bool) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Abbey") {
                AttributeDescription("name", .string)
                if old {
                    RelationshipDescription("monks", to: "Monk", inverse: "abbey", isToMany: true)
                    RelationshipDescription("nuns", to: "Nun", inverse: "abbey", isToMany: true)
                }
                if new { RelationshipDescription("people", to: "Person", inverse: "abbey", isToMany: true) }
            }
            if old {
                ["Monk", "Nun"].map { name in
                    EntityDescription(name) {
                        AttributeDescription("name", .string)
                        AttributeDescription("age", .string)
                        RelationshipDescription("abbey", to: "Abbey", inverse: name == "Monk" ? "monks" : "nuns")
                        RelationshipDescription("friend", to: name)
                        if new { RelationshipDescription("person", to: "Person", inverse: "the\(name)") }
                    }
                }
            }
            if new {
                EntityDescription("Person") {
                    AttributeDescription("name", .string)
                    AttributeDescription("kind", .string)
                    AttributeDescription("age", .integer16)
                    RelationshipDescription("abbey", to: "Abbey", inverse: "people")
                    RelationshipDescription("friend", to: "Person")
                    if old {
                        RelationshipDescription("theMonk", to: "Monk", inverse: "person")
                        RelationshipDescription("theNun", to: "Nun", inverse: "person")
                    }
                }
            }
        }
    }

    private struct People: EntityMigrationPolicy {
        var note: @Sendable (String) -> Void = { _ in }

        func begin(in context: ManagedObjectContext) throws { note("begin") }

        func create(from source: ManagedObject, in context: ManagedObjectContext) throws {
            let person = try context.insert(context.entity(named: "Person"))
            try person.convert("name", from: source)
            try person.convert("age", from: source)
            try person.setValue(.string(source.entity.name), forKey: "kind")
            try person.setValue(source.value(forKey: "abbey"), forKey: "abbey")
            try source.setValue(.object(person.anyObjectID), forKey: "person")
            note("create \(source.entity.name)")
        }

        func relate(_ source: ManagedObject, in context: ManagedObjectContext) throws {
            note("relate \(source.entity.name)")
            guard let friend = source.one("friend"), let person = source.one("person") else { return }
            try person.setValue(friend.value(forKey: "person"), forKey: "friend")
        }

        func validate(_ source: ManagedObject, in context: ManagedObjectContext) throws {
            note("validate \(source.entity.name)")
            guard try source.one("person")?.value(forKey: "name") != .null else { throw CocoaError(.formatting) }
        }

        func end(in context: ManagedObjectContext) throws { note("end") }
    }

    private func stages(_ note: @escaping @Sendable (String) -> Void = { _ in }) throws -> StagedMigration {
        StagedMigration(
            from: try Self.model(old: true, new: false),
            [
                .custom(
                    to: try Self.model(old: true, new: true),
                    didMigrate: { try $0.migrate(["Monk": People(note: note), "Nun": People(note: note)]) }),
                .lightweight(to: try Self.model(old: false, new: true)),
            ])
    }

    private func write(age: String = "41", name: String = "Adso") throws {
        try stage.write(Self.model(old: true, new: false)) { context in
            let abbey = try context.insert("Abbey", ["name": "Melk"])
            for (entity, name) in [("Monk", name), ("Nun", "Hildegard")] {
                let first = try context.insert(
                    entity, ["name": name.isEmpty ? .null : .string(name), "abbey": .object(abbey.anyObjectID)])
                try context.insert(
                    entity, ["name": "Friend", "age": .string(age), "friend": .object(first.anyObjectID)])
            }
        }
    }

    @Test func `hierarchies are merged, with their links`() throws {
        try write()
        let model = try Self.model(old: false, new: true)
        try stage.open(model, stages: stages())
        let contents = try stage.contents(model)
        let people = contents.objects.filter { $0.key.hasPrefix("Person/") }
        #expect(people.count == 4 && contents.objects.count == 5)
        let friends = people.values.filter { $0["name"] == "string(\"Friend\")" }
        let names = Set(friends.map { contents[$0["friend"] ?? ""]["name"] })
        #expect(names == ["string(\"Adso\")", "string(\"Hildegard\")"])
        #expect(friends.allSatisfy { $0["age"] == "int(41)" && contents[$0["friend"] ?? ""]["kind"] == $0["kind"] })
        #expect(contents["Abbey/1"]["people"]?.split(separator: " ").count == 2)
    }

    /// Removes all other monks with the first one, and saves that at once.
    private struct Alone: EntityMigrationPolicy {
        let note: @Sendable (ManagedObject) throws -> Void

        func create(from source: ManagedObject, in context: ManagedObjectContext) throws {
            try note(source)
            for other in try context.fetch(FetchRequest(entityName: "Monk")) where other !== source {
                context.delete(other)
            }
            try context.save()
        }
    }

    @Test func `objects whose deletion a policy has saved are not passed to it`() throws {
        try write()
        let (first, second) = (try Self.model(old: true, new: false), try Self.model(old: true, new: true))
        let names = Mutex<[ManagedValue]>([])
        let policy = Alone { source in
            let name = try source.value(forKey: "name")
            names.withLock { $0.append(name) }
        }
        try stage.open(
            second,
            stages: StagedMigration(
                from: first, [.custom(to: second, didMigrate: { try $0.migrate(["Monk": policy]) })]))
        #expect(names.withLock { $0 } == ["Adso"])
    }

    /// Makes persons with long names.
    private struct LongNames: EntityMigrationPolicy {
        let note: @Sendable (Int) -> Void

        func create(from source: ManagedObject, in context: ManagedObjectContext) throws {
            note(context.insertedObjects.count)
            let person = try context.insert("Person", ["name": .string(String(repeating: "x", count: 3 << 20))])
            try source.setValue(.object(person.anyObjectID), forKey: "person")
        }
    }

    @Test func `few objects with large values are unsaved at a time`() throws {
        let (first, second) = (try Self.model(old: true, new: false), try Self.model(old: true, new: true))
        try stage.write(first) { context in for _ in 0..<10 { try context.insert("Monk", ["name": "Adso"]) } }
        let unsaved = Mutex<[Int]>([])
        let policy = LongNames { count in unsaved.withLock { $0.append(count) } }
        try stage.open(
            second,
            stages: StagedMigration(
                from: first, [.custom(to: second, didMigrate: { try $0.migrate(["Monk": policy]) })]))
        #expect(unsaved.withLock { $0 } == [0, 1, 0, 1, 0, 1, 0, 1, 0, 1])
        let contents = try stage.contents(second)
        #expect(contents.objects.count == 20)
        #expect((1...10).allSatisfy { contents["Monk/\($0)"]["person"]?.hasPrefix("Person/") == true })
    }

    /// Notes how many objects have been read, and the name of each that it is called with.
    private struct Reading: EntityMigrationPolicy {
        let note: @Sendable (Int, ManagedValue) -> Void

        func create(from source: ManagedObject, in context: ManagedObjectContext) throws {
            note(context.registeredObjects.count { !$0.isFault }, try source.value(forKey: "age"))
        }
    }

    @Test func `few objects with large values are read at a time`() throws {
        let (first, second) = (try Self.model(old: true, new: false), try Self.model(old: true, new: true))
        let name = ManagedValue.string(String(repeating: "x", count: 3 << 20))
        try stage.write(first) { context in
            let monks = try (0..<9).map { age in
                try context.insert("Monk", ["age": .string("\(age)"), "name": age < 4 ? .null : name])
            }
            // The ids come from the index over the abbeys, which has them in the other order.
            for monk in monks.reversed() {
                try context.save()
                try monk.setValue(.object(context.insert("Abbey").anyObjectID), forKey: "abbey")
            }
        }
        let counts = Mutex<[Int]>([])
        let ages = Mutex<[ManagedValue]>([])
        let policy = Reading { count, age in
            counts.withLock { $0.append(count) }
            ages.withLock { $0.append(age) }
        }
        try stage.open(
            second,
            stages: StagedMigration(
                from: first, [.custom(to: second, didMigrate: { try $0.migrate(["Monk": policy]) })]))
        #expect(counts.withLock { $0 } == [6, 6, 6, 6, 6, 6, 2, 2, 1])
        #expect(ages.withLock { $0.map { "\($0)" }.sorted() } == (0..<9).map { "\(ManagedValue.string("\($0)"))" })
    }

    /// Forgets what it has read after each object.
    private struct Forgetful: EntityMigrationPolicy {
        let note: @Sendable (ManagedObject) throws -> Void

        func create(from source: ManagedObject, in context: ManagedObjectContext) throws {
            try note(source)
            context.reset()
        }
    }

    @Test func `objects are read again after a policy has reset the context`() throws {
        try write()
        let (first, second) = (try Self.model(old: true, new: false), try Self.model(old: true, new: true))
        let names = Mutex<[ManagedValue]>([])
        let policy = Forgetful { source in
            let name = try source.value(forKey: "name")
            names.withLock { $0.append(name) }
        }
        let stage = DataMonkCore.MigrationStage.custom(to: second, didMigrate: { try $0.migrate(["Monk": policy]) })
        try self.stage.open(second, stages: StagedMigration(from: first, [stage]))
        #expect(names.withLock { $0 } == ["Adso", "Friend"])
    }

    @Test func `the calls come in the order of the steps`() throws {
        try write()
        let calls = Mutex<[String]>([])
        try stage.open(Self.model(old: false, new: true), stages: stages { call in calls.withLock { $0.append(call) } })
        let steps = ["create", "relate", "validate"].flatMap { step in
            ["Monk", "Monk", "Nun", "Nun"].map { "\(step) \($0)" }
        }
        #expect(calls.withLock { $0 } == ["begin", "begin"] + steps + ["end", "end"])
    }

    @Test(arguments: [("forty", "Adso"), ("70000", "Adso"), ("41", "")])
    func `an object that cannot be made ends the migration, by its name`(age: String, name: String) throws {
        try write(age: age, name: name)
        let before = try stage.bytes
        let error = try #require(throws: MigrationError.self) {
            try stage.open(Self.model(old: false, new: true), stages: stages())
        }
        #expect(error.code == .failedStage && error.entityName == "Monk" && error.storeURL == stage.url)
        #expect(error.problems.map(\.kind) == [name.isEmpty ? .failedPolicy : .unconvertibleValue])
        #expect(error.problems.first?.propertyName == (name.isEmpty ? nil : "age"))
        #expect(error.message.contains(name.isEmpty ? "Monk/p1" : "Monk/p2") && !error.message.contains("forty"))
        #expect(try stage.bytes == before)
    }

    @Test func `ids of new objects last if they are obtained`() throws {
        final class Keeping: EntityMigrationPolicy {
            private var made: [AnyObjectID: AnyObjectID] = [:]

            func create(from source: ManagedObject, in context: ManagedObjectContext) throws {
                let person = try context.insert(context.entity(named: "Person"))
                try context.obtainPermanentIDs(for: [person])
                made[source.anyObjectID] = person.anyObjectID
            }

            func relate(_ source: ManagedObject, in context: ManagedObjectContext) throws {
                let id = try #require(made[source.anyObjectID])
                try context.existingObject(with: id).convert("name", from: source)
                context.delete(source)
            }
        }
        try write()
        let (both, new) = (try Self.model(old: true, new: true), try Self.model(old: false, new: true))
        let stages = StagedMigration(
            from: try Self.model(old: true, new: false),
            [
                .custom(to: both, didMigrate: { try $0.migrate(["Monk": Keeping(), "Nun": Keeping()]) }),
                .lightweight(to: new),
            ])
        try stage.open(new, stages: stages)
        let people = try stage.contents(new).objects.filter { $0.key.hasPrefix("Person/") }.values
        let names = people.compactMap { $0["name"] }.sorted()
        #expect(names == ["Adso", "Friend", "Friend", "Hildegard"].map { "string(\"\($0)\")" })
    }

    @Test func `an object has one policy`() throws {
        try write()
        let before = try stage.bytes
        let twice: DataMonkCore.MigrationStage = .custom(
            to: try Self.model(old: true, new: true),
            didMigrate: { try $0.migrate(["Monk": People(), "Monk": People()]) })
        let error = try #require(throws: MigrationError.self) {
            try stage.open(
                Self.model(old: true, new: true),
                stages: StagedMigration(from: Self.model(old: true, new: false), [twice]))
        }
        #expect(error.code == .failedStage)
        #expect((error.underlyingError as? MigrationError)?.code == .invalidMapping)
        #expect(try stage.bytes == before)
    }

    @Test func `values of the same type are copied, unless a conversion is given`() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Monk") {
                AttributeDescription("name", .string)
                RelationshipDescription("friend", to: "Monk")
            }
        }
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: stage.url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let (adso, other) = (try context.insert("Monk", ["name": "Adso"]), try context.insert("Monk"))
        try other.convert("name", from: adso)
        #expect(try other.value(forKey: "name") == "Adso")
        let short = ValueConversion { value, _ in value == "Adso" ? "A" : nil }
        try other.convert("name", from: adso, by: short)
        #expect(try other.value(forKey: "name") == "A")
        #expect(throws: MigrationError.self) { try adso.convert("name", from: other, by: short) }
        for key in ["friend", "nam"] { #expect(throws: FetchError.self) { try adso.convert(key, from: other) } }
        context.endTurn()
        try stack.close()
    }

    /// A store that the code opens fails; the application's own store is left where it is.
    @Test func `errors of another store are none of the versions of this one`() throws {
        try write()
        let before = try stage.bytes
        let opening: DataMonkCore.MigrationStage = .custom(
            to: try Self.model(old: true, new: true),
            didMigrate: { _ in throw MigrationError(.notInferable, problems: [], storeURL: URL(filePath: "/other")) })
        let stack = Stack(model: try Self.model(old: true, new: true))
        let error = try #require(throws: MigrationError.self) {
            try stack.addDatabaseStore(
                fileURL: stage.url, stages: StagedMigration(from: Self.model(old: true, new: false), [opening]),
                resetOnFailure: true)
        }
        #expect(error.code == .failedStage && error.storeURL == stage.url)
        #expect(try stage.bytes == before)
    }

    @Test func `each of many objects is passed once, and new ones are not`() throws {
        struct Doubling: EntityMigrationPolicy {
            let seen: @Sendable (ManagedValue) -> Void

            func create(from source: ManagedObject, in context: ManagedObjectContext) throws {
                seen(try source.value(forKey: "name"))
                try context.insert(source.entity).convert("name", from: source)
                if try source.value(forKey: "name") == "7" { context.delete(source) }
            }

            func relate(_ source: ManagedObject, in context: ManagedObjectContext) throws { seen("related") }
        }
        let model = try ManagedObjectModel { EntityDescription("Monk") { AttributeDescription("name", .string) } }
        let stack = Stack(model: model)
        try stack.addDatabaseStore(fileURL: stage.url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        try context.execute(
            BatchInsertRequest(entityName: "Monk", objects: (0..<1_100).map { ["name": .string("\($0)")] }))
        let seen = Mutex<[ManagedValue: Int]>([:])
        try context.migrate(["Monk": Doubling(seen: { value in seen.withLock { $0[value, default: 0] += 1 } })])
        let counts = seen.withLock { $0 }
        #expect(counts["related"] == 1_099 && counts.count == 1_101)
        #expect(counts.allSatisfy { $0.key == "related" || $0.value == 1 })
        #expect(try context.count(FetchRequest(entityName: "Monk")) == 2_199)
        #expect(throws: FetchError.self) { try context.migrate(["Monc": Doubling(seen: { _ in })]) }
        context.endTurn()
        try stack.close()
    }
}

extension ManagedObject {
    /// The destination of a to-one.
    fileprivate func one(_ name: String) -> ManagedObject? {
        entity.relationship(named: name).flatMap { property(at: $0.slot) }
    }
}
