import DataMonkCore

extension StoreContract {
    static let transactionRules: [Rule] = [
        Rule("a reader keeps its snapshot while a transaction commits", readerKeepsItsSnapshot),
        Rule("a transaction is invisible until it commits", transactionIsInvisibleUntilItCommits),
        Rule("a transaction that is rolled back changes nothing", rollBackLeavesNothing),
        Rule("rolling back a savepoint undoes only its own changes", savepointTakesItsOwnChanges),
        Rule("a released savepoint keeps its changes", releasedSavepointStays),
        Rule("primary keys are consecutive", primaryKeysAreConsecutive),
        Rule("the primary key of a deleted object is never reused", primaryKeysAreNeverUsedAgain),
        Rule("an inheritance tree shares its primary keys", primaryKeysRunThroughATree),
        Rule("the key of another entity finds no object", keyOfAnotherEntityFindsNothing),
        Rule("a transaction finds objects by what it has changed in others", transactionFindsByItsChanges),
        Rule("a closed store throws an error", closedStoreThrows),
    ]

    @Sendable private static func readerKeepsItsSnapshot(_ stage: ContractStage) throws {
        let first = try stage.commitObject("Person", values: ["name": "old"])
        let reader = try stage.store.openReader()
        try stage.commit { changes, transaction in
            changes.updated = [stage.update(of: first, ["name": "new"])]
            changes.inserted = [try stage.insertion(of: "Person", in: transaction)]
        }
        try expectEqual(stage.count(of: "Person", in: reader), 1, "count in the old snapshot")
        try expectEqual(
            stage.value("name", of: stage.row(of: first.key, in: reader), entityName: "Person"), "old",
            "name in the old snapshot")
        try expectEqual(reader.version(of: first.key), 1, "version in the old snapshot")
        try expectEqual(
            reader.lastPrimaryKey(of: stage.entity("Person")), first.key.primaryKey,
            "last primary key in the old snapshot")
        reader.end()
        try stage.read { reader in
            try expectEqual(stage.count(of: "Person", in: reader), 2, "count in a new snapshot")
            try expectEqual(
                stage.value("name", of: stage.row(of: first.key, in: reader), entityName: "Person"), "new",
                "name in a new snapshot")
            try expectEqual(reader.version(of: first.key), 2, "version in a new snapshot")
            try expectEqual(
                reader.lastPrimaryKey(of: stage.entity("Person")), first.key.primaryKey + 1,
                "last primary key in a new snapshot")
        }
    }

    @Sendable private static func transactionIsInvisibleUntilItCommits(_ stage: ContractStage) throws {
        let transaction = try stage.store.beginTransaction()
        try stage.write("Person", in: transaction)
        let during = try stage.store.openReader()
        try expectEqual(stage.count(of: "Person", in: during), 0, "count while the transaction is open")
        try transaction.commit()
        transaction.end()
        try expectEqual(stage.count(of: "Person", in: during), 0, "count in a snapshot opened before COMMIT")
        during.end()
        try expectEqual(stage.read { try stage.count(of: "Person", in: $0) }, 1, "count after COMMIT")
    }

    @Sendable private static func rollBackLeavesNothing(_ stage: ContractStage) throws {
        let transaction = try stage.store.beginTransaction()
        try stage.write("Person", in: transaction)
        transaction.rollBack()
        transaction.end()
        try expectEqual(stage.read { try stage.count(of: "Person", in: $0) }, 0, "count after a rollback")
        _ = try stage.commitObject("Person")
        try expectEqual(stage.read { try stage.count(of: "Person", in: $0) }, 1, "count after the next commit")
    }

    @Sendable private static func savepointTakesItsOwnChanges(_ stage: ContractStage) throws {
        let transaction = try stage.store.beginTransaction()
        for name in ["first", "undone", "third"] {
            try transaction.beginSavepoint()
            try stage.write("Team", values: ["name": .string(name)], in: transaction)
            if name == "undone" { try transaction.rollBackToSavepoint() } else { try transaction.releaseSavepoint() }
            try expect(transaction.isStanding, "the transaction is still open after a savepoint")
        }
        try transaction.commit()
        transaction.end()
        let names = try stage.newContext().fetch(FetchRequest(entityName: "Team")).map(\.name)
        try expectEqual(names.sorted(), ["first", "third"], "what remains")
    }

    @Sendable private static func releasedSavepointStays(_ stage: ContractStage) throws {
        let transaction = try stage.store.beginTransaction()
        try transaction.beginSavepoint()
        try stage.write("Team", in: transaction)
        try transaction.releaseSavepoint()
        try transaction.commit()
        transaction.end()
        try expectEqual(stage.read { try stage.count(of: "Team", in: $0) }, 1, "count")
    }

    @Sendable private static func primaryKeysAreConsecutive(_ stage: ContractStage) throws {
        let transaction = try stage.store.beginTransaction()
        let entity = try stage.entity("Person")
        let first = try transaction.reservePrimaryKeys(3, for: entity)
        try expect(first > 0, "the very first primary key is above 0")
        try expectEqual(transaction.reservePrimaryKeys(2, for: entity), first + 3, "the first key of the next block")
        // A store may number the objects of each tree, or all of them.
        let other = try transaction.reservePrimaryKeys(1, for: stage.entity("Team"))
        try expect([first, first + 5].contains(other), "the first key of another entity is \(other)")
        transaction.rollBack()
        transaction.end()
    }

    @Sendable private static func primaryKeysAreNeverUsedAgain(_ stage: ContractStage) throws {
        let first = try stage.commitObject("Person")
        let last = try stage.commitObject("Person")
        try stage.commit { changes, _ in
            changes.deleted = [.init(key: last.key, base: last.row), .init(key: first.key, base: first.row)]
        }
        let next = try stage.commitObject("Person")
        try expectEqual(
            next.key.primaryKey, last.key.primaryKey + 1, "the primary key after the deletion of the last object")
        try expectEqual(
            stage.read { try $0.lastPrimaryKey(of: stage.entity("Person")) }, next.key.primaryKey, "last primary key")
    }

    @Sendable private static func primaryKeysRunThroughATree(_ stage: ContractStage) throws {
        let dog = try stage.commitObject("Dog")
        let cat = try stage.commitObject("Cat")
        let kitten = try stage.commitObject("Kitten")
        let first = dog.key.primaryKey
        try expectEqual([cat, kitten].map(\.key.primaryKey), [first + 1, first + 2], "primary keys of one tree")
        try expectEqual(
            stage.read { try $0.lastPrimaryKey(of: stage.entity("Dog")) }, first + 2, "last primary key of the tree")
    }

    @Sendable private static func keyOfAnotherEntityFindsNothing(_ stage: ContractStage) throws {
        let dog = try stage.commitObject("Dog")
        for name in ["Cat", "Person"] {
            let key = ObjectKey(store: 0, entity: try stage.entity(name).index, primaryKey: dog.key.primaryKey)
            let row = try stage.read { try stage.row(of: key, in: $0) }
            try expect(row == nil, "the row of a Dog was found by the key of a \(name)")
            try stage.commit { _, transaction in
                try expectEqual(transaction.present([key, dog.key]), [dog.key], "objects that are present")
            }
        }
    }

    @Sendable private static func transactionFindsByItsChanges(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let person = try stage.entity("Person")
        let idol = try context.insert(person, named: "idol")
        let fan = try context.insert(person, named: "fan")
        try fan.setDestination("idol", to: idol)
        try context.save()
        guard let row = try stage.read({ try stage.row(of: idol.anyObjectID.key, in: $0) }) else {
            throw StoreContractViolation(description: "An object that was saved has no row")
        }
        let saved = ChangeSet.ObjectChange(key: idol.anyObjectID.key, row: row, base: nil, changed: SlotSet())
        let request = FetchRequest(entityName: "Person", condition: .compare("idol.name", .equal, "other"))
        let fetch = try ResolvedFetch(request, model: stage.coordinator.model)
        try stage.commit { _, transaction in
            try expectEqual(transaction.keys(fetch), [], "objects before the change")
            var earlier = ChangeSet()
            earlier.updated = [stage.update(of: saved, ["name": "other"])]
            _ = try transaction.write(earlier)
            try expectEqual(transaction.keys(fetch), [fan.anyObjectID.key], "objects after the change of another one")
        }
    }

    @Sendable private static func closedStoreThrows(_ stage: ContractStage) throws {
        try stage.store.close()
        do {
            _ = try stage.store.openReader()
            throw StoreContractViolation(description: "A closed store opened a reader")
        } catch is StoreError {}
        do {
            _ = try stage.store.beginTransaction()
            throw StoreContractViolation(description: "A closed store began a transaction")
        } catch is StoreError {}
    }
}
