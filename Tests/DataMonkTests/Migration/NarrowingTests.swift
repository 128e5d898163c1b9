import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Relationships that come to have room for fewer links: where the data fits, they are migrated, and else refused with a
/// count.
@Suite struct `Narrowing relationships` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    private func model(_ owner: [RelationshipDescription], _ item: [RelationshipDescription]) throws
        -> ManagedObjectModel
    {
        try ManagedObjectModel {
            EntityDescription("Owner") { owner.map { .relationship($0) } }
            EntityDescription("Item") { item.map { .relationship($0) } }
            EntityDescription("Jewel", superentityName: "Item", properties: [])
        }
    }

    private static func one(_ name: String, to entity: String, _ inverse: String? = nil) -> RelationshipDescription {
        RelationshipDescription(name, to: entity, inverse: inverse)
    }

    private static func many(
        _ name: String, to entity: String, _ inverse: String? = nil, ordered: Bool = false
    ) -> RelationshipDescription {
        RelationshipDescription(name, to: entity, inverse: inverse, isToMany: true, isOrdered: ordered)
    }

    /// Two owners and three items, the last a jewel.
    private func write(_ model: ManagedObjectModel, _ links: [[Int]], _ key: String) throws {
        try stage.write(model) { context in
            let owners = [try context.insert("Owner"), try context.insert("Owner")]
            let items = [try context.insert("Item"), try context.insert("Item"), try context.insert("Jewel")]
            for (owner, links) in zip(owners, links) { try owner.setObjects(links.map { items[$0] }, forKey: key) }
        }
    }

    private static let oneToMany = ([many("items", to: "Item", "owner")], [one("owner", to: "Owner", "items")])
    private static let ordered = (
        [many("items", to: "Item", "owner", ordered: true)], [one("owner", to: "Owner", "items")]
    )
    private static let manyToMany = (
        [many("items", to: "Item", "owners")], [many("owners", to: "Owner", "items")]
    )

    // MARK: Data that fits

    @Test func `a to-many inverse gives way to a new to-one`() throws {
        try write(model(Self.oneToMany.0, Self.oneToMany.1), [[0], [2]], "items")
        let new = try model([Self.one("item", to: "Item", "owner")], [Self.one("owner", to: "Owner", "item")])
        let found = try stage.migrate(to: new, discarding: [])
        #expect(found["Owner/1"] == ["item": "Item/1"] && found["Owner/2"] == ["item": "Jewel/3"])
        #expect(found["Item/1"] == ["owner": "Owner/1"] && found["Item/2"] == ["owner": ""])
        #expect(found["Jewel/3"] == ["owner": "Owner/2"])
    }

    @Test func `without an object nothing stands in the way`() throws {
        try stage.write(try model(Self.oneToMany.0, Self.oneToMany.1)) { _ in }
        let new = try model([Self.one("item", to: "Item", "owner")], [Self.one("owner", to: "Owner", "item")])
        #expect(try stage.migrate(to: new, discarding: []).objects.isEmpty)
    }

    @Test func `a to-many becomes a to-one, whatever its inverse`() throws {
        let kinds = [
            (Self.oneToMany, [Self.one("owner", to: "Owner", "items")]),
            (Self.manyToMany, [Self.many("owners", to: "Owner", "items")]),
            (([Self.many("items", to: "Item")], []), []),
        ]
        for (old, item) in kinds {
            let stage = try `Narrowing relationships`()
            try stage.write(stage.model(old.0, old.1), [[2], [0]], "items")
            let inverse = item.first?.name
            let new = try stage.model([Self.one("items", to: "Item", inverse)], item)
            let found = try stage.stage.migrate(to: new, discarding: [])
            #expect(found["Owner/1"] == ["items": "Jewel/3"] && found["Owner/2"] == ["items": "Item/1"])
            if let inverse { #expect(found["Jewel/3"][inverse] == "Owner/1" && found["Item/2"][inverse] != "Owner/1") }
        }
    }

    @Test func `a many-to-many gets an owner for each object, and keeps its order`() throws {
        let old = try model(
            [Self.many("items", to: "Item", "owners", ordered: true)], [Self.many("owners", to: "Owner", "items")])
        try write(old, [[2, 0], [1]], "items")
        let new = try model(
            [Self.many("items", to: "Item", "owners", ordered: true)], [Self.one("owners", to: "Owner", "items")])
        let found = try stage.migrate(to: new, discarding: [])
        #expect(found["Owner/1"] == ["items": "Jewel/3 Item/1"] && found["Owner/2"] == ["items": "Item/2"])
    }

    @Test func `a to-many loses the inverse that had room for many`() throws {
        try write(model(Self.manyToMany.0, Self.manyToMany.1), [[0, 1], [2]], "items")
        let new = try model([Self.many("items", to: "Item")], [])
        let found = try stage.migrate(to: new, discarding: [])
        #expect(found["Owner/1"] == ["items": "Item/1 Item/2"] && found["Owner/2"] == ["items": "Jewel/3"])
    }

    // MARK: Data that does not fit

    private func refusal(_ new: ManagedObjectModel, _ key: String) throws -> Int? {
        let error = try stage.refusal(new, discarding: [])
        #expect(error.code == .wouldDiscard && error.problems.map(\.kind) == [.discardedLinks])
        #expect(error.problems.first?.propertyName == key)
        return error.problems.first?.count
    }

    @Test func `links without room are counted, and go where they may`() throws {
        try write(model(Self.oneToMany.0, Self.oneToMany.1), [[2, 1, 0], []], "items")
        let new = try model([Self.one("item", to: "Item", "owner")], [Self.one("owner", to: "Owner", "item")])
        #expect(try refusal(new, "owner") == 2)
        let found = try stage.migrate(to: new, discarding: .property("Owner", "items"))
        #expect(found["Owner/1"] == ["item": "Item/1"] && found["Item/1"] == ["owner": "Owner/1"])
        #expect(found["Item/2"] == ["owner": ""] && found["Jewel/3"] == ["owner": ""])
    }

    @Test func `the first in an order stays`() throws {
        try write(model(Self.ordered.0, Self.ordered.1), [[2, 1, 0], []], "items")
        let new = try model([Self.one("items", to: "Item", "owner")], [Self.one("owner", to: "Owner", "items")])
        #expect(try refusal(new, "items") == 2)
        let found = try stage.migrate(to: new, discarding: .everything)
        #expect(found["Owner/1"] == ["items": "Jewel/3"] && found["Item/1"] == ["owner": ""])
    }

    @Test func `each object keeps one owner`() throws {
        try write(model(Self.manyToMany.0, Self.manyToMany.1), [[0, 1], [1, 2]], "items")
        let new = try model([Self.many("items", to: "Item", "owners")], [Self.one("owners", to: "Owner", "items")])
        #expect(try refusal(new, "owners") == 1)
        let found = try stage.migrate(to: new, discarding: .property("Item", "owners"))
        #expect(found["Owner/1"] == ["items": "Item/1 Item/2"] && found["Owner/2"] == ["items": "Jewel/3"])
    }

    @Test func `one that is its own inverse is not inferred`() throws {
        func people(_ friends: RelationshipDescription) throws -> ManagedObjectModel {
            try ManagedObjectModel { EntityDescription("Person") { friends } }
        }
        try stage.write(try people(Self.many("friends", to: "Person", "friends"))) { try $0.insert("Person") }
        let error = try stage.refusal(people(Self.one("friends", to: "Person", "friends")))
        #expect(error.code == .notInferable && error.problems.map(\.kind) == [.changedCardinality])
    }

    // MARK: Any links

    /// The pairs that one side of the relationship gives.
    private func pairs(_ dump: GraphDump, _ entities: [String], _ key: String) -> [[String]] {
        dump.objects.filter { object in entities.contains { object.key.hasPrefix($0 + "/") } }
            .flatMap { object, values in
                (values[key] ?? "").split(separator: " ").map { [object, String($0)] }
            }
    }

    @Test func `what is counted is what is missing afterwards, and both sides agree`() throws {
        let seed: UInt64 = 1
        print("Narrowing, seed \(seed)")
        var random = SeededGenerator(seed: seed)
        for round in 0..<24 {
            let stage = try `Narrowing relationships`()
            let isShared = round % 3 == 0
            let isOrdered = Bool.random(using: &random)
            let items = Self.many("items", to: "Item", "owners", ordered: isOrdered)
            let old = try stage.model(
                [items],
                [isShared ? Self.many("owners", to: "Owner", "items") : Self.one("owners", to: "Owner", "items")])
            try stage.stage.write(old) { context in
                let owners = try (0..<5).map { _ in try context.insert("Owner") }
                let objects = try (0..<9).map { try context.insert($0.isMultiple(of: 3) ? "Jewel" : "Item") }
                for owner in owners {
                    let chosen = objects.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random))
                    try owner.setObjects(Array(chosen), forKey: "items")
                }
            }
            let (toOne, hasOneOwner) = [(true, true), (true, !isShared), (false, true)][
                round % 3 == 0 ? round % 2 * 2 : 0]
            let new = try stage.model(
                [toOne ? Self.one("items", to: "Item", "owners") : items],
                [hasOneOwner ? Self.one("owners", to: "Owner", "items") : Self.many("owners", to: "Owner", "items")])
            let before = try pairs(stage.stage.contents(old), ["Owner"], "items")
            let stack = Stack(model: new)
            var lost = 0
            do {
                try stack.addDatabaseStore(fileURL: stage.stage.url, synchronous: .normal)
                try stack.close()
            } catch let error as MigrationError {
                #expect(error.problems.map(\.kind) == [.discardedLinks])
                lost = error.problems.first?.count ?? 0
            }
            let found = try stage.stage.migrate(to: new, discarding: [.everything, .laterVersions])
            let after = pairs(found, ["Owner"], "items")
            let back = pairs(found, ["Item", "Jewel"], "owners").map { [$0[1], $0[0]] }
            #expect(after.count == before.count - lost && after.allSatisfy(before.contains))
            #expect(Set(after) == Set(back) && after.count == back.count)
            if toOne { #expect(Set(after.map { $0[0] }).count == after.count) }
            if hasOneOwner { #expect(Set(after.map { $0[1] }).count == after.count) }
        }
    }

    // MARK: Order

    @Test func `an order that goes is told, if objects had one`() throws {
        func told(_ links: [[Int]], _ discarding: DiscardableData) throws -> [MigrationError] {
            let stage = try `Narrowing relationships`()
            try stage.write(stage.model(Self.ordered.0, Self.ordered.1), links, "items")
            let stack = Stack(model: try stage.model(Self.oneToMany.0, Self.oneToMany.1))
            let reported = Locked<[MigrationError]>([])
            stack.onError { error in reported.withLock { $0 += [error as? MigrationError].compactMap(\.self) } }
            try stack.addDatabaseStore(fileURL: stage.stage.url, discarding: discarding, synchronous: .normal)
            try stack.close()
            return reported.withLock { $0 }
        }
        let errors = try told([[2, 0], [1]], [])
        #expect(errors.map(\.code) == [.discarded] && errors.first?.problems.map(\.kind) == [.discardedOrder])
        #expect(errors.first?.problems.first?.count == 1 && errors.first?.propertyName == "items")
        #expect(try told([[2], [1]], []).isEmpty)
        #expect(try told([[2, 0], [1]], .property("Owner", "items")).isEmpty)
    }
}
