import DataMonkCore

extension StoreContract {
    static let linkRules: [Rule] = [
        Rule("a many-to-many is read from both sides, whichever one was set", manyToManyFromBothSides),
        Rule("a many-to-many of an entity with itself is read from both sides", reflexiveManyToMany),
        Rule("an ordered many-to-many keeps its order", orderedManyToManyKeepsItsOrder),
        Rule("a deletion removes the object's links", deletionRemovesLinks),
        Rule("links that two saves add are both kept", linksOfTwoSavesBothStay),
        Rule("adding an existing link or removing a missing one is no error", repeatedLinksAreNoError),
    ]

    private static func makeArticle(in context: ManagedObjectContext, stage: ContractStage) throws -> ManagedObject {
        let article = try context.insert(stage.entity("Article"), named: "article")
        try article.setDestinations(
            "tags", to: ["x", "y"].map { try context.insert(stage.entity("Tag"), named: $0) })
        try article.setDestinations(
            "authors", to: ["q", "p"].map { try context.insert(stage.entity("Author"), named: $0) })
        try context.save()
        return article
    }

    @Sendable private static func manyToManyFromBothSides(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let article = try makeArticle(in: context, stage: stage)
        let tag = try context.insert(stage.entity("Tag"), named: "z")
        try tag.setDestinations("articles", to: [article])
        try context.object("Tag", named: "y").setDestinations("articles", to: [])
        try context.save()
        let reading = stage.newContext()
        try expectEqual(reading.object("Article", named: "article").names("tags"), ["x", "z"], "tags")
        try expectEqual(reading.object("Tag", named: "z").names("articles"), ["article"], "articles of z")
        try expectEqual(reading.object("Tag", named: "x").names("articles"), ["article"], "articles of x")
        try expectEqual(reading.object("Tag", named: "y").names("articles"), [], "articles of y")
    }

    @Sendable private static func reflexiveManyToMany(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let people = try ["a", "b", "c"].map { try context.insert(stage.entity("Person"), named: $0) }
        try people[0].setDestinations("friends", to: [people[1], people[2], people[0]])
        try context.save()
        let reading = stage.newContext()
        try expectEqual(reading.object("Person", named: "a").names("friends"), ["a", "b", "c"], "friends of a")
        try expectEqual(reading.object("Person", named: "b").names("friends"), ["a"], "friends of b")
        try reading.object("Person", named: "b").setDestinations("friends", to: [])
        try reading.save()
        try expectEqual(
            stage.newContext().object("Person", named: "a").names("friends"), ["a", "c"], "friends of a, without b")
    }

    @Sendable private static func orderedManyToManyKeepsItsOrder(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let article = try makeArticle(in: context, stage: stage)
        try expectEqual(
            stage.newContext().object("Article", named: "article").names("authors"), ["q", "p"], "order of insertion")
        try article.setDestinations(
            "authors",
            to: [context.insert(stage.entity("Author"), named: "r")] + article.destinations("authors").reversed()
        )
        try context.save()
        let reading = stage.newContext()
        try expectEqual(reading.object("Article", named: "article").names("authors"), ["r", "p", "q"], "order")
        try expectEqual(reading.object("Author", named: "r").names("articles"), ["article"], "the other side")
    }

    @Sendable private static func deletionRemovesLinks(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let article = try makeArticle(in: context, stage: stage)
        let other = try context.insert(stage.entity("Article"), named: "other")
        try other.setDestinations("tags", to: article.destinations("tags"))
        try context.save()
        let deleting = stage.newContext()
        deleting.delete(try deleting.object("Article", named: "article"))
        deleting.delete(try deleting.object("Tag", named: "y"))
        try deleting.save()
        let reading = stage.newContext()
        try expectEqual(reading.object("Tag", named: "x").names("articles"), ["other"], "articles of x")
        try expectEqual(reading.object("Article", named: "other").names("tags"), ["x"], "tags of the other article")
        try expectEqual(reading.object("Author", named: "p").names("articles"), [], "articles of the author")
    }

    @Sendable private static func linksOfTwoSavesBothStay(_ stage: ContractStage) throws {
        let article = try makeArticle(in: stage.newContext(), stage: stage).anyObjectID
        let (first, second) = (stage.newContext(), stage.newContext())
        for (context, name) in [(first, "one"), (second, "two")] {
            let tags = try context.existingObject(with: article).destinations("tags")
            let tag = try context.insert(stage.entity("Tag"), named: name)
            try context.existingObject(with: article).setDestinations("tags", to: tags + [tag])
        }
        try first.save()
        try second.save()
        try expectEqual(
            stage.newContext().object("Article", named: "article").names("tags"), ["one", "two", "x", "y"], "tags")
    }

    @Sendable private static func repeatedLinksAreNoError(_ stage: ContractStage) throws {
        let article = try makeArticle(in: stage.newContext(), stage: stage).anyObjectID
        for isAddition in [false, true] {
            // Both see the earlier state and change it in the same way.
            let contexts = [stage.newContext(), stage.newContext()]
            for context in contexts {
                let tag = try context.object("Tag", named: "x")
                try context.existingObject(with: article).setDestinations(
                    "tags",
                    to: isAddition ? [tag, context.object("Tag", named: "y")] : [context.object("Tag", named: "y")])
            }
            for context in contexts { try context.save() }
            try expectEqual(
                stage.newContext().object("Article", named: "article").names("tags"), isAddition ? ["x", "y"] : ["y"],
                "tags")
        }
    }
}
