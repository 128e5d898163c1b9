import DataMonkCore

extension StoreContract {
    static let referenceRules: [Rule] = [
        Rule("referrers of deleted objects are returned after the deletion", referrersAreToldAfterTheDeletion),
        Rule("the other side of a one-to-one is returned after the deletion", partnersAreToldAfterTheDeletion),
        Rule("links are returned before the deletion, and are removed with it", linksAreToldBeforeTheDeletion),
        Rule("a to-one of a one-to-many has no referrers", toOnesHaveNoReferrers),
        Rule("a reference to what another save has deleted is a conflict", referenceToDeletedIsAConflict),
        Rule("a link to what another save has deleted is a conflict", linkToDeletedIsAConflict),
        Rule("a deletion nullifies references that another save has added", deletionNullsNewcomers),
    ]

    /// Creates Ann, who is a parent and married, and has a friend.
    private static func makeFamily(_ stage: ContractStage) throws -> ManagedObject {
        let context = stage.newContext()
        let ann = try context.insert(stage.entity("Person"), named: "ann")
        for name in ["child", "second child"] {
            try context.insert(stage.entity("Person"), named: name).setDestination("parent", to: ann)
        }
        try ann.setDestination("spouse", to: context.insert(stage.entity("Person"), named: "spouse"))
        try ann.setDestinations("friends", to: [context.insert(stage.entity("Person"), named: "friend")])
        try context.save()
        return ann
    }

    /// Returns the referrers of an object before and after it is deleted, in the same transaction.
    private static func referrers(
        of object: ManagedObject, by name: String, _ stage: ContractStage
    ) throws -> (before: [StoredLink], after: [StoredLink]) {
        guard let relationship = object.entity.relationship(named: name) else { return ([], []) }
        let transaction = try stage.store.beginTransaction()
        defer {
            transaction.rollBack()
            transaction.end()
        }
        let before = try transaction.links(of: relationship, from: [object.key])
        try transaction.delete([object.key])
        return (before, try transaction.links(of: relationship, from: [object.key]))
    }

    private static func names(of links: [StoredLink], in stage: ContractStage) throws -> [String] {
        let context = stage.newContext()
        return try links.map { link in
            try context.existingObject(with: AnyObjectID(key: link.destination, directory: stage.coordinator.directory))
                .name
        }.sorted()
    }

    @Sendable private static func referrersAreToldAfterTheDeletion(_ stage: ContractStage) throws {
        let ann = try makeFamily(stage)
        let links = try referrers(of: ann, by: "children", stage)
        try expectEqual(names(of: links.before, in: stage), ["child", "second child"], "children")
        try expectEqual(names(of: links.after, in: stage), ["child", "second child"], "children of the deleted object")
        try expect(links.after.allSatisfy { $0.owner == ann.key }, "The owner is returned")
    }

    @Sendable private static func partnersAreToldAfterTheDeletion(_ stage: ContractStage) throws {
        let links = try referrers(of: makeFamily(stage), by: "spouse", stage)
        try expectEqual(names(of: links.after, in: stage), ["spouse"], "the spouse of the deleted object")
    }

    @Sendable private static func linksAreToldBeforeTheDeletion(_ stage: ContractStage) throws {
        let links = try referrers(of: makeFamily(stage), by: "friends", stage)
        try expectEqual(names(of: links.before, in: stage), ["friend"], "friends")
        try expectEqual(names(of: links.after, in: stage), [], "friends of the deleted object")
    }

    @Sendable private static func toOnesHaveNoReferrers(_ stage: ContractStage) throws {
        let ann = try makeFamily(stage)
        for name in ["parent", "idol"] {
            let links = try referrers(of: ann, by: name, stage)
            try expect(links.before.isEmpty && links.after.isEmpty, "\(name) has no referrers")
        }
    }

    private static func saveError(_ context: ManagedObjectContext) -> SaveError? {
        do {
            try context.save()
            return nil
        } catch {
            return error as? SaveError
        }
    }

    @Sendable private static func referenceToDeletedIsAConflict(_ stage: ContractStage) throws {
        let ann = try makeFamily(stage).anyObjectID
        for name in ["parent", "idol"] {
            let (first, second) = (stage.newContext(), stage.newContext())
            let person = try first.insert(stage.entity("Person"), named: "late")
            let target = try first.insert(stage.entity("Person"), named: "target")
            try first.save()
            try person.setDestination(name, to: target)
            second.delete(try second.existingObject(with: target.anyObjectID))
            try second.save()
            let error = saveError(first)
            try expectEqual(error?.code, .mergeConflict, "the error")
            try expectEqual(error?.conflicts.first?.relationship, name, "the relationship")
        }
        _ = try stage.newContext().existingObject(with: ann)
    }

    @Sendable private static func linkToDeletedIsAConflict(_ stage: ContractStage) throws {
        let (first, second) = (stage.newContext(), stage.newContext())
        let article = try first.insert(stage.entity("Article"), named: "article")
        let tag = try first.insert(stage.entity("Tag"), named: "tag")
        try first.save()
        try article.setDestinations("tags", to: [tag])
        second.delete(try second.existingObject(with: tag.anyObjectID))
        try second.save()
        try expectEqual(saveError(first)?.conflicts.first?.relationship, "tags", "the relationship")
    }

    @Sendable private static func deletionNullsNewcomers(_ stage: ContractStage) throws {
        let ann = try makeFamily(stage).anyObjectID
        let (first, second) = (stage.newContext(.mergeByPropertyObjectTrump), stage.newContext())
        first.delete(try first.existingObject(with: ann))
        first.processPendingChanges()
        let late = try second.insert(stage.entity("Person"), named: "late")
        try late.setDestination("parent", to: second.existingObject(with: ann))
        try second.save()
        try first.save()
        let stored = try stage.newContext().existingObject(with: late.anyObjectID)
        try expect(stored.destination("parent") == nil, "The new reference is nullified")
    }
}
