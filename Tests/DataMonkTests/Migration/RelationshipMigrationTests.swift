import DataMonk
import DataMonkSQLite
import Testing

/// One change of a relationship at a time.
@Suite struct `Migrating relationships` {
    private let stage: MigrationStage

    init() throws { stage = try MigrationStage() }

    private func model(
        _ owner: [RelationshipDescription], _ item: [RelationshipDescription], modifier: String? = nil
    ) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Owner", versionHashModifier: modifier) {
                AttributeDescription("name", .string)
                owner.map { .relationship($0) }
            }
            EntityDescription("Item") { item.map { .relationship($0) } }
        }
    }

    /// Two owners, three items; the first owner has the third and the first item, the second one the second.
    private func write(_ model: ManagedObjectModel, _ key: String) throws {
        try stage.write(model) { context in
            let owners = [try context.insert("Owner"), try context.insert("Owner")]
            let items = try (0..<3).map { _ in try context.insert("Item") }
            try owners[0].setObjects([items[2], items[0]], forKey: key)
            try owners[1].setObjects([items[1]], forKey: key)
        }
    }

    /// What each owner has under a key.
    private func migrate(to model: ManagedObjectModel, _ key: String) throws -> [String?] {
        let contents = try stage.migrate(to: model)
        return ["Owner/1", "Owner/2"].map { contents[$0][key] }
    }

    private static func items(
        _ name: String = "items", inverse: String? = "owner", ordered: Bool = false, was: String? = nil
    ) -> RelationshipDescription {
        RelationshipDescription(
            name, to: "Item", inverse: inverse, isToMany: true, isOrdered: ordered, renamingIdentifier: was)
    }

    private static func owner(_ name: String = "owner", was: String? = nil) -> RelationshipDescription {
        RelationshipDescription(name, to: "Owner", inverse: "items", renamingIdentifier: was)
    }

    private static func owners(was: String? = nil) -> RelationshipDescription {
        RelationshipDescription("owners", to: "Owner", inverse: "items", isToMany: true, renamingIdentifier: was)
    }

    @Test func `new relationships of every kind are empty, and go again`() throws {
        try stage.write(try model([], [])) { context in
            try context.insert("Owner")
            try context.insert("Item")
        }
        let kinds: [([RelationshipDescription], [RelationshipDescription])] = [
            ([Self.items()], [Self.owner()]), ([Self.items(ordered: true)], [Self.owner()]),
            ([Self.items(inverse: nil)], []), ([Self.items(inverse: nil, ordered: true)], []),
            ([Self.items(inverse: "owners")], [Self.owners()]), ([], [RelationshipDescription("owner", to: "Owner")]),
            ([RelationshipDescription("items", to: "Item", inverse: "owner")], [Self.owner()]),
        ]
        for (owner, item) in kinds {
            let contents = try stage.migrate(to: model(owner, item))
            #expect(contents["Owner/1"]["items"] == (owner.isEmpty ? nil : ""))
            #expect(try stage.migrate(to: model([], []))["Owner/1"] == ["name": "null"])
        }
    }

    @Test func `a renamed pair keeps its links and their order`() throws {
        try write(model([Self.items(ordered: true)], [Self.owner()]), "items")
        let renamed = try model(
            [Self.items("things", inverse: "holder", ordered: true, was: "items")],
            [RelationshipDescription("holder", to: "Owner", inverse: "things", renamingIdentifier: "owner")])
        #expect(try migrate(to: renamed, "things") == ["Item/3 Item/1", "Item/2"])
    }

    @Test func `a renamed to-one alone is enough for the pair`() throws {
        try write(model([Self.items()], [Self.owner()]), "items")
        let renamed = try model(
            [Self.items("things", inverse: "holder")],
            [RelationshipDescription("holder", to: "Owner", inverse: "things", renamingIdentifier: "owner")])
        #expect(try migrate(to: renamed, "things") == ["Item/1 Item/3", "Item/2"])
    }

    @Test func `a renamed to-many alone is enough for the pair`() throws {
        try write(model([Self.items()], [Self.owner()]), "items")
        let renamed = try model(
            [Self.items("things", inverse: "holder", was: "items")],
            [RelationshipDescription("holder", to: "Owner", inverse: "things")])
        #expect(try migrate(to: renamed, "things") == ["Item/1 Item/3", "Item/2"])
    }

    @Test func `a to-many gets an order, by key, and loses it`() throws {
        try write(model([Self.items()], [Self.owner()]), "items")
        let ordered = try model([Self.items(ordered: true)], [Self.owner()])
        #expect(try migrate(to: ordered, "items") == ["Item/1 Item/3", "Item/2"])
        try stage.write(ordered) { context in
            let owner = try #require(try context.fetch(FetchRequest(entityName: "Owner")).first)
            let items = try owner.objects(forKey: "items")
            try owner.setObjects(items.reversed(), forKey: "items")
        }
        #expect(try stage.contents(ordered)["Owner/1"]["items"] == "Item/3 Item/1")
        #expect(try migrate(to: model([Self.items()], [Self.owner()]), "items") == ["Item/1 Item/3", "Item/2"])
    }

    @Test func `a many-to-many gets an order, and loses it`() throws {
        try write(model([Self.items(inverse: "owners")], [Self.owners()]), "items")
        let ordered = try model([Self.items(inverse: "owners", ordered: true)], [Self.owners()])
        #expect(try migrate(to: ordered, "items") == ["Item/1 Item/3", "Item/2"])
        let plain = try model([Self.items(inverse: "owners")], [Self.owners()])
        #expect(try migrate(to: plain, "items") == ["Item/1 Item/3", "Item/2"])
    }

    @Test func `a to-one becomes to-many, with the links and the order of its inverse`() throws {
        try write(model([Self.items(ordered: true)], [Self.owner()]), "items")
        let wide = try model([Self.items(inverse: "owners", ordered: true)], [Self.owners(was: "owner")])
        #expect(try migrate(to: wide, "items") == ["Item/3 Item/1", "Item/2"])
        #expect(try stage.contents(wide)["Item/2"]["owners"] == "Owner/2")
    }

    @Test func `a to-one without inverse becomes to-many with one`() throws {
        let narrow = try model([], [RelationshipDescription("owner", to: "Owner")])
        try stage.write(narrow) { context in
            let owner = try context.insert("Owner")
            for _ in 0..<2 { try context.insert("Item", ["owner": .object(owner.anyObjectID)]) }
            try context.insert("Item")
        }
        let wide = try model([Self.items(inverse: "owners")], [Self.owners(was: "owner")])
        #expect(try migrate(to: wide, "items")[0] == "Item/1 Item/2")
    }

    @Test func `a to-many without inverse gets one, to-one or to-many, and loses it`() throws {
        let alone = try model([Self.items(inverse: nil, ordered: true)], [])
        try write(alone, "items")
        let paired = try model([Self.items(ordered: true)], [Self.owner()])
        #expect(try migrate(to: paired, "items") == ["Item/3 Item/1", "Item/2"])
        #expect(try migrate(to: alone, "items") == ["Item/3 Item/1", "Item/2"])
        let wide = try model([Self.items(inverse: "owners", ordered: true)], [Self.owners()])
        #expect(try migrate(to: wide, "items") == ["Item/3 Item/1", "Item/2"])
    }

    @Test func `one side of a one-to-one becomes to-many`() throws {
        let single = RelationshipDescription("items", to: "Item", inverse: "owner")
        try stage.write(try model([single], [Self.owner()])) { context in
            let owner = try context.insert("Owner")
            try context.insert("Item", ["owner": .object(owner.anyObjectID)])
        }
        #expect(try migrate(to: model([Self.items()], [Self.owner()]), "items")[0] == "Item/1")
    }

    @Test func `a link may lead to more entities than before`() throws {
        func model(_ destination: String) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Animal", properties: [])
                EntityDescription("Dog", superentityName: "Animal", properties: [])
                EntityDescription("Person") { RelationshipDescription("pet", to: destination) }
            }
        }
        try stage.write(try model("Dog")) { context in
            let dog = try context.insert("Dog")
            try context.insert("Person", ["pet": .object(dog.anyObjectID)])
        }
        #expect(try stage.migrate(to: model("Animal"))["Person/1"] == ["pet": "Dog/1"])
        let error = try stage.refusal(model("Dog"))
        #expect(error.code == .notInferable && error.problems.map(\.kind) == [.changedDestination])
        #expect(error.entityName == "Person" && error.propertyName == "pet")
    }

    @Test func `a relationship becomes required where every object has it`() throws {
        let optional = try model([], [RelationshipDescription("owner", to: "Owner")])
        let required = try model([], [RelationshipDescription("owner", to: "Owner", isOptional: false)])
        try stage.write(optional) { context in
            let owner = try context.insert("Owner")
            try context.insert("Item", ["owner": .object(owner.anyObjectID)])
        }
        #expect(try stage.migrate(to: required)["Item/1"] == ["owner": "Owner/1"])
        try stage.migrate(to: optional).objects.isEmpty ? () : try stage.write(optional) { try $0.insert("Item") }
        let error = try stage.refusal(required)
        #expect(error.code == .constraintViolation && error.problems.map(\.kind) == [.missingLinks])
        #expect(error.entityName == "Item" && error.propertyName == "owner")
        #expect(error.problems.map(\.count) == [1] && error.message.contains("Item/p2"), "\(error)")
    }

    // MARK: Required links that are missing already

    private static func orders(hasGuests: Bool) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Order") { RelationshipDescription("customer", to: "Customer", isOptional: false) }
            EntityDescription("Customer") { AttributeDescription("name", .string) }
            if hasGuests { EntityDescription("Guest", superentityName: "Customer") {} }
        }
    }

    /// Two orders, of which the second one has no customer. The first one's is a guest or not.
    private func writeOrders(hasGuest: Bool) throws {
        try stage.write(try Self.orders(hasGuests: true)) { context in
            for name in hasGuest ? ["Guest", "Customer"] : ["Customer", "Customer"] {
                let customer = try context.insert(name)
                try context.insert("Order").setValue(.object(customer.anyObjectID), forKey: "customer")
            }
        }
        // Batch requests and other programs leave such objects.
        let connection = try SQLiteConnection(fileURL: stage.url, options: SQLiteOptions(access: .readWrite))
        try connection.execute("UPDATE ZORDER SET ZCUSTOMER = NULL WHERE Z_PK = 2")
        try connection.close()
    }

    @Test(arguments: [false, true])
    func `a required link that was missing before refuses nothing, one that goes does`(hasGuest: Bool) throws {
        try writeOrders(hasGuest: hasGuest)
        let before = try stage.bytes
        do {
            let contents = try stage.contents(try Self.orders(hasGuests: false), discarding: .entity("Guest"))
            #expect(
                !hasGuest && contents["Order/1"]["customer"] == "Customer/1" && contents["Order/2"]["customer"] == "")
        } catch let error as MigrationError {
            #expect(hasGuest && error.problems.map(\.kind) == [.lostLinks])
            #expect(try stage.bytes == before)
        }
    }

    @Test(arguments: [false, true])
    func `a plan shows the required links that go, and permission does not help`(hasGuest: Bool) async throws {
        try writeOrders(hasGuest: hasGuest)
        let (before, model) = (try stage.bytes, try Self.orders(hasGuests: false))
        let plan = try await Stack(model: model).migrationPlan(
            for: .database(fileURL: stage.url, discarding: .everything))
        #expect(try stage.bytes == before)
        #expect(plan.isComplete && plan.isRefused == hasGuest && plan.stages.count == 1)
        if !hasGuest { return #expect(plan.obstacles.isEmpty) }
        #expect(try stage.refusal(model, discarding: .everything).problems == plan.obstacles)
        let problem = try #require(plan.obstacles.first)
        #expect(problem.kind == .lostLinks && problem.count == 1 && "\(problem)".hasPrefix("Order.customer: "))
        #expect(problem.message.contains("Order/p1") && problem.message.contains("didMigrate"))
    }

    @Test func `a plan does not judge required links that code may fill in`() async throws {
        try writeOrders(hasGuest: true)
        let (first, last) = (try Self.orders(hasGuests: true), try Self.orders(hasGuests: false))
        let stages = StagedMigration(from: first, [.custom(to: last, didMigrate: { _ in })])
        let plan = try await Stack(model: last).migrationPlan(
            for: .database(fileURL: stage.url, stages: stages, discarding: .everything))
        #expect(!plan.isRefused && plan.obstacles.isEmpty && plan.discards.map(\.problem.count) == [1])
    }

    @Test(arguments: [(true, [2]), (true, [1]), (true, [1, 2]), (false, [])])
    func `code after a stage makes up for a lost link, not for another one`(hasGuest: Bool, filled: [Int]) throws {
        try writeOrders(hasGuest: hasGuest)
        let before = try stage.bytes
        let (first, last) = (try Self.orders(hasGuests: true), try Self.orders(hasGuests: false))
        let stages = StagedMigration(
            from: first,
            [
                .custom(
                    to: last,
                    didMigrate: { context in
                        let customer = try context.insert("Customer")
                        for order in try context.fetch(FetchRequest(entityName: "Order"))
                        where filled.contains(Int(order.anyObjectID.key.primaryKey)) {
                            try order.setValue(.object(customer.anyObjectID), forKey: "customer")
                        }
                        try context.save()
                    })
            ])
        do {
            try stage.open(last, stages: stages, discarding: .entity("Guest"))
            #expect(!hasGuest || filled.contains(1))
        } catch let error as MigrationError {
            #expect(hasGuest && !filled.contains(1) && error.problems.map(\.kind) == [.lostLinks], "\(error)")
            #expect(error.problems.map(\.count) == [1] && error.message.contains("Order/p1"), "\(error)")
            #expect(try stage.bytes == before)
        }
    }
}
