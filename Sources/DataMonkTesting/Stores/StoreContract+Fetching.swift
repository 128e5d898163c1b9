import DataMonkCore

extension StoreContract {
    static let fetchingRules: [Rule] = [
        Rule("a count equals the number of fetched objects, also with limits and offsets", countsEqualFetches),
        Rule("keys come in the order of the fetch", keysComeInOrder),
        Rule("a fetch of an entity has the objects of its sub-entities, unless it says otherwise", subentitiesTakePart),
        Rule("attributes of a sub-entity are its own", attributesOfSubentities),
        Rule("rows are returned for those keys that exist", rowsOfSomeKeys),
        Rule("a key that was never assigned has no row", unknownKeyHasNoRow),
        Rule("a condition over a relationship tests the related objects", conditionsOverRelationships),
    ]

    /// Creates ten people with the ages 0, 0, 1, 1, …; the even ones have a parent.
    private static func makePeople(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let entity = try stage.entity("Person")
        var previous: ManagedObject?
        for number in 0..<10 {
            let person = try context.insert(entity, named: "p\(number)")
            try person.setValue(.int(Int64(number / 2)), forKey: "age")
            if number % 2 == 0 { try person.setDestination("parent", to: previous) }
            previous = person
        }
        try context.save()
    }

    @Sendable private static func countsEqualFetches(_ stage: ContractStage) throws {
        try makePeople(stage)
        let conditions: [Condition?] = [
            nil, .compare("age", .greaterThanOrEqual, 2), .compare("parent", .equal, nil),
            .compare("name", .like, "*3"),
            .compare("children.age", .equal, 1, modifier: .any), .compare("age", .isIn, [0, 4, 9]), .constant(false),
        ]
        for condition in conditions {
            for (limit, offset) in [(0, 0), (3, 0), (3, 2), (0, 4), (100, 9), (1, 50)] {
                var request = FetchRequest(entityName: "Person", condition: condition)
                request.fetchLimit = limit
                request.fetchOffset = offset
                let context = stage.newContext()
                let fetched = try context.fetch(request).count
                try expectEqual(context.count(request), fetched, "count with limit \(limit), offset \(offset)")
                try expectEqual(context.objectIDs(request).count, fetched, "ids with limit \(limit), offset \(offset)")
            }
        }
    }

    @Sendable private static func keysComeInOrder(_ stage: ContractStage) throws {
        try makePeople(stage)
        var request = FetchRequest(entityName: "Person")
        request.sortTerms = [SortTerm("age", ascending: false), SortTerm("name")]
        let context = stage.newContext()
        let names = try context.fetch(request).map(\.name)
        try expectEqual(names, ["p8", "p9", "p6", "p7", "p4", "p5", "p2", "p3", "p0", "p1"], "order")
        let ids = try stage.newContext().objectIDs(request)
        try expectEqual(ids, context.fetch(request).map(\.anyObjectID), "order of the ids")
    }

    @Sendable private static func subentitiesTakePart(_ stage: ContractStage) throws {
        let context = stage.newContext()
        for entity in ["Dog", "Cat", "Kitten"] { _ = try context.insert(stage.entity(entity), named: entity) }
        try context.save()
        let expected: [(String, Bool, [String])] = [
            ("Animal", true, ["Cat", "Dog", "Kitten"]), ("Animal", false, []), ("Cat", true, ["Cat", "Kitten"]),
            ("Cat", false, ["Cat"]), ("Kitten", true, ["Kitten"]), ("Dog", true, ["Dog"]),
        ]
        for (entity, withSubentities, names) in expected {
            var request = FetchRequest(entityName: entity)
            request.includesSubentities = withSubentities
            let reading = stage.newContext()
            let found = try reading.fetch(request)
            try expectEqual(found.map(\.entity.name).sorted(), names, "\(entity), sub-entities: \(withSubentities)")
            try expectEqual(found.map(\.name).sorted(), names, "\(entity)'s names")
            try expectEqual(reading.count(request), names.count, "count of \(entity)")
        }
    }

    @Sendable private static func attributesOfSubentities(_ stage: ContractStage) throws {
        let context = stage.newContext()
        for (entity, key, value) in [("Dog", "barks", 3), ("Cat", "lives", 9), ("Kitten", "weeks", 6)] {
            let animal = try context.insert(stage.entity(entity), named: entity)
            try animal.setValue(.int(Int64(value)), forKey: key)
        }
        try context.save()
        let reading = stage.newContext()
        let animals = try reading.fetch(FetchRequest(entityName: "Animal"))
        for animal in animals {
            let key = ["Dog": "barks", "Cat": "lives", "Kitten": "weeks"][animal.entity.name] ?? ""
            let value: ManagedValue = ["Dog": 3, "Cat": 9, "Kitten": 6][animal.entity.name] ?? nil
            try expectEqual(animal.value(forKey: key), value, "\(animal.entity.name).\(key)")
        }
        let kitten = try reading.object("Kitten", named: "Kitten")
        try expectEqual(kitten.value(forKey: "lives"), .null, "what a kitten inherits")
    }

    @Sendable private static func rowsOfSomeKeys(_ stage: ContractStage) throws {
        let people = try (0..<3).map { try stage.commitObject("Person", values: ["name": .string("p\($0)")]) }
        let team = try stage.commitObject("Team", values: ["name": "team"])
        try stage.commitDeletion(of: people[1])
        let directory = stage.coordinator.directory
        let keys = [people[2].key, people[1].key, team.key, people[0].key]
        let found = try stage.newContext().objects(with: keys.map { AnyObjectID(key: $0, directory: directory) })
        try expectEqual(found.map(\.name), ["p2", "team", "p0"], "objects of some ids")
    }

    @Sendable private static func unknownKeyHasNoRow(_ stage: ContractStage) throws {
        let key = ObjectKey(store: 0, entity: try stage.entity("Person").index, primaryKey: 77)
        try stage.read { reader in
            try expect(stage.row(of: key, in: reader) == nil, "A key that was never assigned has a row")
            try expect(reader.version(of: key) == nil, "A key that was never assigned has a version")
        }
    }

    @Sendable private static func conditionsOverRelationships(_ stage: ContractStage) throws {
        try makePeople(stage)
        let expected: [(Condition, [String])] = [
            (.compare("parent.age", .equal, 1), ["p4"]),
            (.compare("parent.name", .beginsWith, "p"), ["p2", "p4", "p6", "p8"]),
            (.compare("children.name", .equal, "p2", modifier: .any), ["p1"]),
            (.compare("children.@count", .greaterThan, 0), ["p1", "p3", "p5", "p7"]),
        ]
        for (condition, names) in expected {
            let found = try stage.newContext().fetch(FetchRequest(entityName: "Person", condition: condition))
            try expectEqual(found.map(\.name).sorted(), names, "\(condition)")
        }
    }
}
