import DataMonkCore

extension StoreContract {
    static let batchRules: [Rule] = [
        Rule("a batch update sets constants and calculated values", batchUpdateSets),
        Rule("a batch update leaves sub-entities unchanged if they are excluded", batchUpdateLeavesSubentities),
        Rule("a batch update that duplicates a unique value changes nothing", batchUpdateIsOneStatement),
        Rule("a batch insert creates rows that are read like any other", batchInsertMakesRows),
        Rule("a batch insert of a duplicate unique value writes nothing", batchInsertRefusesDuplicates),
        Rule("a batch insert updates the objects with its unique values if it is asked to", batchInsertUpdates),
        Rule("a batch insert that matches two objects with one writes nothing", batchInsertRefusesTwoMatches),
        Rule("a batch deletion cascades, and nullifies to-one relationships", batchDeletionFollowsRules),
        Rule("a batch deletion removes links", batchDeletionTakesLinksOut),
        Rule("a batch request can have more keys than an SQL statement", batchOverManyKeys),
    ]

    private static func insert(
        _ name: String, objects: [[String: ManagedValue]], in stage: ContractStage
    ) throws -> [AnyObjectID] {
        var request = BatchInsertRequest(entityName: name, objects: objects)
        request.resultType = .objectIDs
        return try stage.newContext().execute(request).objectIDs ?? []
    }

    private static func values(_ key: String, of name: String, in stage: ContractStage) throws -> [ManagedValue] {
        var request = FetchRequest(entityName: name)
        request.resultType = .dictionaries
        request.propertiesToFetch = [.init(key)]
        request.sortTerms = [SortTerm(key)]
        return try stage.newContext().values(request).flatMap(\.self)
    }

    @Sendable private static func batchUpdateSets(_ stage: ContractStage) throws {
        let ids = try insert(
            "Person", objects: [["name": "a", "age": 1], ["name": "b", "age": 2], ["name": "c", "age": 3]], in: stage)
        var request = BatchUpdateRequest(
            entityName: "Person", condition: .compare("age", .greaterThan, 1),
            propertiesToUpdate: ["age": .keyPath("age") * 10 + .keyPath("age"), "name": "x"])
        request.resultType = .objectIDs
        let result = try stage.newContext().execute(request)
        try expectEqual(Set(result.objectIDs ?? []), Set(ids.dropFirst()), "the updated objects")
        try expectEqual(values("age", of: "Person", in: stage), [1, 22, 33], "ages")
        try expectEqual(values("name", of: "Person", in: stage), ["a", "x", "x"], "names")
        try stage.read { reader in
            try expectEqual(try ids.map { try reader.version(of: $0.key) }, [1, 2, 2], "versions")
        }
    }

    @Sendable private static func batchUpdateLeavesSubentities(_ stage: ContractStage) throws {
        _ = try insert("Cat", objects: [["name": "cat"]], in: stage)
        _ = try insert("Kitten", objects: [["name": "kitten"]], in: stage)
        var request = BatchUpdateRequest(entityName: "Cat", propertiesToUpdate: ["name": "tom"])
        request.includesSubentities = false
        try expectEqual(stage.newContext().execute(request).count, 1, "cats")
        try expectEqual(values("name", of: "Animal", in: stage), ["kitten", "tom"], "names")
        request.includesSubentities = true
        try expectEqual(stage.newContext().execute(request).count, 2, "cats and kittens")
        try expectEqual(values("name", of: "Animal", in: stage), ["tom", "tom"], "names")
    }

    @Sendable private static func batchUpdateIsOneStatement(_ stage: ContractStage) throws {
        _ = try insert("Account", objects: [["email": "a", "first": "1"], ["email": "b", "first": "2"]], in: stage)
        var refused: (any Error)?
        do {
            let request = BatchUpdateRequest(entityName: "Account", propertiesToUpdate: ["email": "c", "first": "3"])
            try stage.newContext().execute(request)
        } catch { refused = error }
        try expectEqual((refused as? SaveError)?.code, .constraintConflict, "the error of equal unique values")
        try expectEqual(values("email", of: "Account", in: stage), ["a", "b"], "emails")
        try expectEqual(values("first", of: "Account", in: stage), ["1", "2"], "first names")
    }

    @Sendable private static func batchInsertMakesRows(_ stage: ContractStage) throws {
        let parent = try insert("Person", objects: [["name": "parent"]], in: stage)[0]
        let ids = try insert("Person", objects: [["name": "child", "parent": .object(parent)], ["age": 7]], in: stage)
        let context = stage.newContext()
        let child = try context.existingObject(with: ids[0])
        try expectEqual(child.value(forKey: "name"), "child", "a given value")
        try expectEqual(child.value(forKey: "age"), 0, "a default")
        try expectEqual(child.value(forKey: "parent"), .object(parent), "a to-one")
        let children = try context.existingObject(with: parent).objects(forKey: "children")
        try expectEqual(children.map(\.anyObjectID), [ids[0]], "the other side")
        try expectEqual(context.existingObject(with: ids[1]).value(forKey: "name"), "", "another default")
    }

    @Sendable private static func batchInsertRefusesDuplicates(_ stage: ContractStage) throws {
        _ = try insert("Account", objects: [["email": "a"]], in: stage)
        var refused: (any Error)?
        do { _ = try insert("Account", objects: [["email": "b"], ["email": "a"]], in: stage) } catch { refused = error }
        try expectEqual((refused as? SaveError)?.code, .constraintConflict, "the error of equal unique values")
        try expectEqual(values("email", of: "Account", in: stage), ["a"], "emails")
    }

    private static func upsert(
        _ objects: [[String: ManagedValue]], in stage: ContractStage
    ) throws -> BatchResult.Upsert {
        var request = BatchInsertRequest(entityName: "Account", objects: objects)
        request.duplicates = .updated
        request.resultType = .objectIDs
        return try stage.newContext().execute(request).upsert ?? BatchResult.Upsert()
    }

    @Sendable private static func batchInsertUpdates(_ stage: ContractStage) throws {
        let stored = try insert(
            "Account", objects: [["email": "a", "first": "1"], ["email": "b", "first": "2"]], in: stage)
        // Two for one stored object, two for one new one, one that is as it was.
        let objects: [[String: ManagedValue]] = [
            ["email": "a", "first": "3"], ["email": "c", "first": "4"], ["email": "c", "last": "x"],
            ["email": "a", "last": "y"], ["email": "b", "first": "2"],
        ]
        let result = try upsert(objects, in: stage)
        try expectEqual(result.insertedIDs?.count, 1, "inserted")
        try expectEqual(result.updatedIDs, [stored[0]], "updated")
        try expectEqual(result.unchangedCount, 1, "unchanged")
        try expectEqual(values("email", of: "Account", in: stage), ["a", "b", "c"], "emails")
        try expectEqual(values("first", of: "Account", in: stage), ["2", "3", "4"], "first names")
        try expectEqual(values("last", of: "Account", in: stage).suffix(2), ["x", "y"], "last names")
        try stage.read { reader in
            try expectEqual(try stored.map { try reader.version(of: $0.key) }, [2, 1], "versions")
        }
        try expectEqual(upsert(objects, in: stage).unchangedCount, 3, "unchanged the second time")
    }

    @Sendable private static func batchInsertRefusesTwoMatches(_ stage: ContractStage) throws {
        _ = try insert(
            "Account",
            objects: [["email": "a", "first": "1", "last": "1"], ["email": "b", "first": "2", "last": "2"]],
            in: stage)
        var refused: (any Error)?
        do {
            _ = try upsert([["email": "c"], ["email": "a", "first": "2", "last": "2"]], in: stage)
        } catch { refused = error }
        try expectEqual((refused as? SaveError)?.code, .constraintConflict, "the error of two matches")
        try expectEqual(values("email", of: "Account", in: stage), ["a", "b"], "emails")
    }

    @Sendable private static func batchDeletionFollowsRules(_ stage: ContractStage) throws {
        let parent = try insert("Person", objects: [["name": "parent"]], in: stage)[0]
        let child = try insert("Person", objects: [["name": "child", "parent": .object(parent)]], in: stage)[0]
        let result = try stage.newContext().execute(BatchDeleteRequest(objectIDs: [parent]))
        try expectEqual(result.count, 1, "deleted")
        let object = try stage.newContext().existingObject(with: child)
        try expectEqual(object.value(forKey: "parent"), .null, "the to-one that led to it")
        try stage.read { try expectEqual($0.version(of: child.key), 2, "the version of what led to it") }
    }

    @Sendable private static func batchDeletionTakesLinksOut(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let article = try context.insert(stage.entity("Article"))
        let tag = try context.insert(stage.entity("Tag"))
        try article.setObjects([tag], forKey: "tags")
        try context.save()
        try stage.newContext().execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Tag")))
        let left = try stage.newContext().existingObject(with: article.anyObjectID)
        try expectEqual(left.objects(forKey: "tags").count, 0, "links")
    }

    @Sendable private static func batchOverManyKeys(_ stage: ContractStage) throws {
        var number = 0
        var request = BatchInsertRequest(entityName: "Player") { values in
            number += 1
            values["name"] = .string("\(number)")
            return number > 11_000
        }
        request.resultType = .objectIDs
        let ids = try stage.newContext().execute(request).objectIDs ?? []
        try expectEqual(ids.count, 11_000, "inserted")
        try expectEqual(Set(ids).count, 11_000, "different keys")
        try expectEqual(stage.newContext().execute(BatchDeleteRequest(objectIDs: ids)).count, 11_000, "deleted")
        try stage.read { try expectEqual(stage.count(of: "Player", in: $0), 0, "left") }
    }
}
