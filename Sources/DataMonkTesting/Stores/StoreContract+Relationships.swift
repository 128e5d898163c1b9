import DataMonkCore

extension StoreContract {
    static let relationshipRules: [Rule] = [
        Rule("a one-to-many is read from both sides", oneToManyFromBothSides),
        Rule("an object that moves to another owner leaves the first one", moveBetweenOwners),
        Rule("a one-to-one is read from both sides", oneToOneFromBothSides),
        Rule("a to-one without an inverse is read", toOneWithoutInverse),
        Rule("an ordered to-many keeps its order", orderedToManyKeepsItsOrder),
        Rule("properties can have the names that a store might use itself", namesOfPropertiesAreFree),
        Rule("objects added to an unread ordered to-many are appended", additionStandsAtTheEnd),
        Rule("a to-many without an inverse is read", toManyWithoutInverse),
        Rule("a relationship to several entities returns objects of the right entity", relationshipIntoATree),
    ]

    @Sendable private static func oneToManyFromBothSides(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let person = try stage.entity("Person")
        let parent = try context.insert(person, named: "parent")
        for name in ["a", "b"] { try context.insert(person, named: name).setDestination("parent", to: parent) }
        try context.save()

        let reading = stage.newContext()
        try expectEqual(reading.object("Person", named: "parent").names("children"), ["a", "b"], "children")
        try expectEqual(reading.object("Person", named: "a").destination("parent")?.name, "parent", "parent")

        try reading.object("Person", named: "parent").setDestinations(
            "children", to: [reading.object("Person", named: "b")])
        try reading.save()
        let again = stage.newContext()
        try expectEqual(again.object("Person", named: "parent").names("children"), ["b"], "children after a removal")
        try expect(again.object("Person", named: "a").destination("parent") == nil, "The removed child has no parent")
    }

    @Sendable private static func moveBetweenOwners(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let person = try stage.entity("Person")
        let (first, second) = (try context.insert(person, named: "first"), try context.insert(person, named: "second"))
        let child = try context.insert(person, named: "child")
        try child.setDestination("parent", to: first)
        try context.save()
        try child.setDestination("parent", to: second)
        try context.save()
        let reading = stage.newContext()
        try expectEqual(reading.object("Person", named: "first").names("children"), [], "children of the first owner")
        try expectEqual(
            reading.object("Person", named: "second").names("children"), ["child"], "children of the second")
    }

    @Sendable private static func oneToOneFromBothSides(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let person = try stage.entity("Person")
        let people = try ["a", "b", "c"].map { try context.insert(person, named: $0) }
        try people[0].setDestination("spouse", to: people[1])
        try context.save()
        // c takes b away from a.
        try people[2].setDestination("spouse", to: people[1])
        try context.save()
        let reading = stage.newContext()
        try expectEqual(reading.object("Person", named: "b").destination("spouse")?.name, "c", "spouse of b")
        try expectEqual(reading.object("Person", named: "c").destination("spouse")?.name, "b", "spouse of c")
        try expect(reading.object("Person", named: "a").destination("spouse") == nil, "a no longer has a spouse")
    }

    @Sendable private static func toOneWithoutInverse(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let fan = try context.insert(stage.entity("Person"), named: "fan")
        try fan.setDestination("idol", to: context.insert(stage.entity("Person"), named: "idol"))
        try context.save()
        try expectEqual(
            stage.newContext().object("Person", named: "fan").destination("idol")?.name, "idol",
            "a to-one without an inverse")
    }

    // MARK: To-many

    private static func makeTeam(in stage: ContractStage, names: [String]) throws {
        let context = stage.newContext()
        let team = try context.insert(stage.entity("Team"), named: "team")
        try team.setDestinations(
            "players", to: names.map { try context.insert(stage.entity("Player"), named: $0) })
        try context.save()
    }

    @Sendable private static func orderedToManyKeepsItsOrder(_ stage: ContractStage) throws {
        try makeTeam(in: stage, names: ["c", "a", "b"])
        let context = stage.newContext()
        let team = try context.object("Team", named: "team")
        try expectEqual(team.names("players"), ["c", "a", "b"], "order of insertion")
        try team.setDestinations("players", to: team.destinations("players").reversed())
        try context.save()
        try expectEqual(
            stage.newContext().object("Team", named: "team").names("players"), ["b", "a", "c"], "order after a reversal"
        )
        var players = try team.destinations("players")
        players.remove(at: 1)
        players.insert(try context.insert(stage.entity("Player"), named: "new"), at: 0)
        try team.setDestinations("players", to: players)
        try context.save()
        try expectEqual(
            stage.newContext().object("Team", named: "team").names("players"), ["new", "b", "c"],
            "order after an insertion at the start")
    }

    @Sendable private static func namesOfPropertiesAreFree(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let place = try context.insert(stage.entity("Place"), named: "place")
        let visits = try ["a", "b"].map { try context.insert(stage.entity("Visit"), named: $0) }
        for name in ["visits", "elements"] { try place.setDestinations(name, to: visits) }
        try context.save()
        let names = ["c0", "c1", "c2", "changes", "target"]
        for (number, name) in names.enumerated() { try visits[0].setValue(.int(Int64(number)), forKey: name) }
        for name in ["visits", "elements"] { try place.setDestinations(name, to: visits.reversed()) }
        try context.save()
        let reading = stage.newContext()
        let found = try reading.object("Place", named: "place")
        try expectEqual(found.names("visits"), ["b", "a"], "visits")
        try expectEqual(found.names("elements"), ["b", "a"], "elements")
        let visit = try reading.object("Visit", named: "a")
        try expectEqual(try names.map { try visit.value(forKey: $0) }, [0, 1, 2, 3, 4], "values")
    }

    @Sendable private static func additionStandsAtTheEnd(_ stage: ContractStage) throws {
        try makeTeam(in: stage, names: ["z", "y"])
        let context = stage.newContext()
        let team = try context.object("Team", named: "team")
        for name in ["b", "a"] {
            try context.insert(stage.entity("Player"), named: name).setDestination("team", to: team)
        }
        try context.save()
        try expectEqual(
            stage.newContext().object("Team", named: "team").names("players"), ["z", "y", "b", "a"], "order")
    }

    @Sendable private static func toManyWithoutInverse(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let team = try context.insert(stage.entity("Team"), named: "team")
        let visitors = try ["a", "b"].map { try context.insert(stage.entity("Player"), named: $0) }
        try team.setDestinations("visitors", to: visitors)
        try context.save()
        try expectEqual(
            stage.newContext().object("Team", named: "team").names("visitors"), ["a", "b"], "visitors")
        try team.setDestinations("visitors", to: [visitors[1]])
        try context.save()
        try expectEqual(
            stage.newContext().object("Team", named: "team").names("visitors"), ["b"], "visitors after a removal")
    }

    @Sendable private static func relationshipIntoATree(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let dog = try context.insert(stage.entity("Dog"), named: "dog")
        for (entity, name) in [("Kitten", "kitten"), ("Dog", "other"), ("Cat", "cat")] {
            try context.insert(stage.entity(entity), named: name).setDestination("enemy", to: dog)
        }
        try dog.setDestination("enemy", to: context.object("Animal", named: "kitten"))
        try context.save()
        let reading = stage.newContext()
        let read = try reading.object("Animal", named: "dog")
        try expectEqual(read.entity.name, "Dog", "entity")
        try expectEqual(read.destination("enemy")?.entity.name, "Kitten", "entity of a to-one's object")
        let enemies = try read.destinations("enemies").map { "\($0.entity.name) \($0.name)" }.sorted()
        try expectEqual(enemies, ["Cat cat", "Dog other", "Kitten kitten"], "objects of a to-many")
    }
}
