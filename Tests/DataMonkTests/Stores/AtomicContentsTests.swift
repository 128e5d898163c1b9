import DataMonk
import Foundation
import Testing

/// What a store of one's own may answer wrongly.
@Suite struct `What an atomic store loads` {
    private struct Fixed: AtomicStore {
        let objects: [AtomicObject]
        var lastID: Int64 = 0
        var typeName: String { "Fixed" }

        func load(model: ManagedObjectModel) throws -> AtomicContents? {
            AtomicContents(lastID: lastID, objects: objects)
        }

        func save(_ contents: AtomicContents, model: ManagedObjectModel) throws { throw CocoaError(.fileWriteUnknown) }
    }

    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Thing", isAbstract: true) { AttributeDescription("mark", .string) }
            EntityDescription("Team", superentityName: "Thing") {
                AttributeDescription("name", .string, isOptional: false, defaultValue: "")
                RelationshipDescription("players", to: "Player", inverse: "team", isToMany: true, isOrdered: true)
                RelationshipDescription("guests", to: "Player", isToMany: true)
            }
            EntityDescription("Player") {
                AttributeDescription("age", .integer16)
                RelationshipDescription("team", to: "Team")
                RelationshipDescription("friend", to: "Player", inverse: "friend")
            }
        }
    }

    private static func stack(_ objects: [AtomicObject], lastID: Int64 = 0) async throws -> Stack {
        let stack = Stack(model: try model())
        try await stack.addStore(.custom(Fixed(objects: objects, lastID: lastID)))
        return stack
    }

    private static func team(_ id: Int64 = 1, players: [Int64] = [], guests: [Int64] = []) -> AtomicObject {
        var destinations = ["players": players, "guests": guests]
        for (name, ids) in destinations where ids.isEmpty { destinations[name] = nil }
        return AtomicObject(entityName: "Team", id: id, values: ["name": "A"], destinations: destinations)
    }

    private static func player(_ id: Int64, _ destinations: [String: [Int64]] = [:]) -> AtomicObject {
        AtomicObject(entityName: "Player", id: id, destinations: destinations)
    }

    @Test func `is what contexts see`() async throws {
        let stack = try await Self.stack(
            [
                Self.player(1 << 45, ["team": [7]]), Self.team(7, players: [1 << 45, 3], guests: [3]),
                Self.player(3, ["team": [7], "friend": [3]]),
            ], lastID: 1 << 45)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let team = try #require(try context.fetch(FetchRequest(entityName: "Team")).first)
        let players = try team.objects(forKey: "players").map { $0.objectID.uri.lastPathComponent }
        #expect(players == ["p\(1 << 45 as Int64)", "p3"])
        #expect(try team.objects(forKey: "guests").count == 1)
        #expect(try context.fetch(FetchRequest(entityName: "Player")).count == 2)
        try team.setValue("B", forKey: "name")
        let failure = #expect(throws: StoreError.self) { try context.save() }
        #expect(failure?.code == .saveFailed && failure?.underlyingError is CocoaError)
        #expect(context.hasChanges)
        try stack.close()
    }

    private static let faults: [(String, [AtomicObject])] = [
        ("Did you mean", [AtomicObject(entityName: "Player", id: 1, values: ["agge": 1])]),
        ("unknown", [AtomicObject(entityName: "Plyer", id: 1)]),
        ("abstract", [AtomicObject(entityName: "Thing", id: 1)]),
        ("a String", [AtomicObject(entityName: "Player", id: 1, values: ["age": "old"])]),
        ("within its range", [AtomicObject(entityName: "Player", id: 1, values: ["age": 70_000])]),
        ("requires", [AtomicObject(entityName: "Team", id: 1)]),
        ("below 1", [Self.player(0)]),
        ("below 1", [Self.player(-4)]),
        ("another object has", [Self.player(1), Self.team(1)]),
        ("2^46", [Self.player(1 << 50)]),
        ("not there", [Self.player(1, ["team": [2]])]),
        ("lead back", [Self.team(1, players: [2]), Self.player(2)]),
        ("lead back", [Self.team(1), Self.player(2, ["team": [1]])]),
        ("lead back", [Self.player(1, ["friend": [2]]), Self.player(2)]),
        ("at most one", [Self.team(1, players: [3]), Self.team(2), Self.player(3, ["team": [1, 2]])]),
        ("twice", [Self.team(1, guests: [2, 2]), Self.player(2)]),
        ("not of Player", [Self.team(1, guests: [2]), Self.team(2)]),
        ("to one only", [Self.team(1, guests: [3]), Self.team(2, guests: [3]), Self.player(3)]),
        ("not stored", [Self.player(1, ["something quite different": [1]])]),
    ]

    @Test(arguments: faults.indices) func `is refused by name if it cannot be`(number: Int) async throws {
        let (words, objects) = Self.faults[number]
        let refusal = try #require(
            await #expect(throws: StoreError.self) { _ = try await Self.stack(objects) })
        #expect(refusal.code == .corrupt)
        #expect(refusal.message.contains(words) || words == "unknown", "\(refusal)")
    }
}
