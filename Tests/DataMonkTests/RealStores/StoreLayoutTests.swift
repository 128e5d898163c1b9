import DataMonk
import Foundation
import Testing

/// Stores whose tables are not as a new one's: migrated in place, made by the first frameworks, renamed.
@Suite struct `A store of an unusual layout` {
    private static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Animal", isAbstract: true, properties: [])
            // Two columns of one name: the second is numbered.
            EntityDescription(
                "Cat", superentityName: "Animal", properties: [.attribute(AttributeDescription("account", .string))])
            EntityDescription(
                "Dog", superentityName: "Animal", properties: [.attribute(AttributeDescription("account", .string))])
            EntityDescription("Person") {
                AttributeDescription("name", .string)
                RelationshipDescription("pet", to: "Animal")
                RelationshipDescription("friends", to: "Person", inverse: "friends", isToMany: true)
                RelationshipDescription("idols", to: "Person", inverse: "fans", isToMany: true, isOrdered: true)
                RelationshipDescription("fans", to: "Person", isToMany: true, isOrdered: true)
            }
            // Without inverses: the keys are in the table of persons.
            EntityDescription("Club") {
                RelationshipDescription("guests", to: "Person", isToMany: true)
                RelationshipDescription("members", to: "Person", isToMany: true, isOrdered: true)
            }
        }
    }

    private let folder: TemporaryFolder
    private var url: URL { folder.file("store.sqlite") }

    init() throws { folder = try TemporaryFolder() }

    private func open() throws -> (Stack, ManagedObjectContext) {
        let stack = Stack(model: try Self.model.get())
        try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
        return (stack, ManagedObjectContext(coordinator: stack.coordinator))
    }

    /// A store with objects in every relationship.
    private func makeStore() throws {
        let (stack, context) = try open()
        func insert(_ name: String) throws -> ManagedObject {
            try context.insert(try #require(stack.model.entitiesByName[name]))
        }
        let people = try (1...4).map { number in
            let person = try insert("Person")
            try person.setValue(.string("person \(number)"), forKey: "name")
            return person
        }
        for (name, owner) in zip(["Cat", "Dog"], people) {
            let animal = try insert(name)
            try animal.setValue(.string("account of a \(name)"), forKey: "account")
            try owner.setValue(.object(animal.anyObjectID), forKey: "pet")
        }
        try people[0].set("friends", to: [people[1], people[2]])
        try people[0].set("idols", to: [people[3], people[1], people[2]])
        let club = try insert("Club")
        try club.set("guests", to: [people[0], people[1]])
        try club.set("members", to: [people[2], people[0], people[3]])
        try context.save()
        try stack.close()
    }

    /// What the store holds, to compare before and after its tables are changed.
    private func contents() throws -> [String: [String]] {
        let (stack, context) = try open()
        defer { context.endTurn() }
        var contents: [String: [String]] = [:]
        for root in ["Animal", "Person", "Club"] {
            for object in try context.fetch(FetchRequest(entityName: root)) {
                for property in object.entity.properties {
                    let names: [String] =
                        switch property {
                        case .attribute(let attribute): ["\(try object.value(forKey: attribute.name))"]
                        case .relationship(let relationship):
                            object.related(relationship).map(\.anyObjectID.uri.lastPathComponent)
                        }
                    contents["\(object.anyObjectID.uri.path).\(property.name)"] = names
                }
            }
        }
        try stack.close()
        return contents
    }

    private func run(_ statements: [String]) throws -> [[String]] {
        try StoreCopy.rows(url, statements.joined(separator: ";"))
    }

    /// Statements that make every table anew, its columns from the last to the first, a stray one among them.
    private func turningColumns() throws -> [String] {
        try run([
            "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name LIKE 'Z%' AND name NOT LIKE 'Z\\_M%' ESCAPE '\\'"
        ])
        .flatMap { row -> [String] in
            let name = row[0]
            let columns = try run(["SELECT name, type, pk FROM pragma_table_info('\(name)')"])
            let names = columns.map { "\"\($0[0])\"" }
            let definitions = columns.reversed().map { "\"\($0[0])\" \($0[1])" } + ["\"ZSTRAY\" BLOB"]
            let keys = columns.filter { $0[2] != "0" }.map { "\"\($0[0])\"" }
            return [
                "ALTER TABLE \(name) RENAME TO OLD",
                "CREATE TABLE \"\(name)\" (\(definitions.joined(separator: ", ")), PRIMARY KEY (\(keys.joined(separator: ", "))))",
                "INSERT INTO \"\(name)\" (\(names.joined(separator: ", "))) SELECT \(names.joined(separator: ", ")) FROM OLD",
                "DROP TABLE OLD",
            ]
        }
    }

    @Test func `has its columns in any order, and strange ones beside them`() throws {
        try makeStore()
        let before = try contents()
        _ = try run(try turningColumns())
        #expect(try contents() == before)
        try expectEdits()
    }

    @Test func `has no model in it, the journal of the first frameworks, and old names of entities`() throws {
        try makeStore()
        let before = try contents()
        _ = try run([
            "PRAGMA journal_mode = DELETE", "DROP TABLE Z_MODELCACHE",
            "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Feline' WHERE Z_NAME = 'Cat'",
        ])
        #expect(try contents() == before)
        try expectEdits()
        #expect(try run(["SELECT count(*) FROM Z_PRIMARYKEY WHERE Z_NAME = 'Feline'"]) == [["1"]])
    }

    @Test func `has an old name that is another entity's by now`() throws {
        try makeStore()
        let before = try contents()
        _ = try run(["UPDATE Z_PRIMARYKEY SET Z_NAME = 'Dog' WHERE Z_NAME = 'Cat'"])
        #expect(try contents() == before)
    }

    @Test func `has two entities with each other's numbers, and is refused`() throws {
        try makeStore()
        _ = try run([
            "UPDATE Z_PRIMARYKEY SET Z_NAME = CASE Z_NAME WHEN 'Cat' THEN 'Dog' ELSE 'Cat' END WHERE Z_NAME IN ('Cat', 'Dog')"
        ])
        let error = #expect(throws: StoreError.self) { _ = try open() }
        #expect(error?.code == .corrupt && error?.message.contains("Dog") == true)
    }

    @Test func `has order keys with gaps, equal ones, and none`() throws {
        try makeStore()
        _ = try run(["UPDATE ZPERSON SET Z_FOK_4MEMBERS = Z_FOK_4MEMBERS * 7 + 3"])
        let (stack, context) = try open()
        let club = try #require(try context.fetch(FetchRequest(entityName: "Club")).first)
        #expect(
            try club.related("members").map { try $0.value(forKey: "name") } == ["person 3", "person 1", "person 4"])
        let person = try context.insert(try #require(stack.model.entitiesByName["Person"]))
        try club.set("members", to: try club.related("members") + [person])
        try context.save()
        try stack.close()
        let (other, reader) = try open()
        let found = try #require(try reader.fetch(FetchRequest(entityName: "Club")).first)
        #expect(try found.related("members").count == 4)
        #expect(try found.related("members").last?.anyObjectID.uri == person.anyObjectID.uri)
        reader.endTurn()
        try other.close()
    }

    /// Changes one object of each kind, and expects a fresh stack to find it.
    private func expectEdits() throws {
        let (stack, context) = try open()
        let dog = try #require(try context.fetch(FetchRequest(entityName: "Dog")).first)
        try dog.setValue("changed", forKey: "account")
        let people = try context.fetch(FetchRequest(entityName: "Person"))
        try people[3].setValue(.object(dog.anyObjectID), forKey: "pet")
        try people[0].set("idols", to: [people[2], people[3]])
        let club = try #require(try context.fetch(FetchRequest(entityName: "Club")).first)
        try club.set("guests", to: [people[3]])
        context.delete(people[1])
        try context.save()
        try stack.close()
        let (fresh, reader) = try open()
        defer { reader.endTurn() }
        let found = try #require(try reader.fetch(FetchRequest(entityName: "Dog")).first)
        #expect(try found.value(forKey: "account") == "changed")
        let left = try reader.fetch(FetchRequest(entityName: "Person"))
        #expect(try left.map { try $0.value(forKey: "name") } == ["person 1", "person 3", "person 4"])
        #expect(try left[0].related("idols") == [left[1], left[2]] && left[0].related("friends") == [left[1]])
        #expect(try left[2].value(forKey: "pet") == .object(found.anyObjectID))
        let places = try #require(try reader.fetch(FetchRequest(entityName: "Club")).first)
        #expect(try places.related("guests") == [left[2]] && places.related("members") == [left[1], left[0], left[2]])
        try fresh.close()
        #expect(try run(["PRAGMA integrity_check"]) == [["ok"]])
    }
}

extension ManagedObject {
    fileprivate func related(_ name: String) throws -> [ManagedObject] {
        related(try #require(entity.relationship(named: name)))
    }

    fileprivate func related(_ relationship: Entity.Relationship) -> [ManagedObject] {
        if !relationship.isToMany {
            let object: ManagedObject? = property(at: relationship.slot)
            return object.map { [$0] } ?? []
        }
        if relationship.isOrdered { return property(at: relationship.slot) }
        let members: Set<ManagedObject> = property(at: relationship.slot)
        return members.sorted { $0.anyObjectID.uri.path < $1.anyObjectID.uri.path }
    }

    fileprivate func set(_ name: String, to objects: [ManagedObject]) throws {
        let relationship = try #require(entity.relationship(named: name))
        if relationship.isOrdered {
            setProperty(objects, at: relationship.slot)
        } else {
            setProperty(Set(objects), at: relationship.slot)
        }
    }
}
