import DataMonkCore

extension StoreContract {
    static let conflictRules: [Rule] = [
        Rule("an update of an older version reports the stored row", staleUpdateReportsTheStoredRow),
        Rule("a deletion of an older version reports the stored row", staleDeletionReportsTheStoredRow),
        Rule("a change of a deleted object reports that it is gone", changeOfADeletedObjectReportsNoRow),
        Rule("every stale object of a save is reported", everyStaleObjectIsReported),
        Rule("who never read an object deletes whatever is there", deletionWithoutBaseTakesAnyVersion),
        Rule("a value that must be unique is refused the second time", uniqueValueIsRefused),
        Rule("a group of values that must be unique is refused the second time", uniqueGroupIsRefused),
        Rule("nil is not a value that must be unique", nilIsNotUnique),
        Rule("a unique value moves from a deleted object to a new one", uniqueValueMoves),
    ]

    @Sendable private static func staleUpdateReportsTheStoredRow(_ stage: ContractStage) throws {
        let first = try stage.commitObject("Person", ["name": "base"])
        try stage.commit { _ in
            var changes = ChangeSet()
            changes.updated = [stage.update(of: first.key, from: first.row, ["name": "theirs"])]
            return changes
        }
        let conflicts = try stage.commit { transaction in
            var changes = ChangeSet()
            changes.inserted = [try stage.insertion("Person", ["name": "new"], in: transaction)]
            changes.updated = [stage.update(of: first.key, from: first.row, ["name": "mine"])]
            return changes
        }
        try expectEqual(conflicts.map(\.key), [first.key], "conflicting objects")
        try expectEqual(conflicts[0].row?.version, 2, "the stored version")
        try expectEqual(stage.value("name", of: conflicts[0].row, "Person"), "theirs", "the stored row's name")
        try expectEqual(stage.read { try stage.count("Person", $0) }, 1, "count after the conflict")
    }

    @Sendable private static func staleDeletionReportsTheStoredRow(_ stage: ContractStage) throws {
        let first = try stage.commitObject("Person")
        try stage.commit { _ in
            var changes = ChangeSet()
            changes.updated = [stage.update(of: first.key, from: first.row, ["age": 1])]
            return changes
        }
        let conflicts = try stage.commit { _ in
            var changes = ChangeSet()
            changes.deleted = [.init(key: first.key, base: first.row)]
            return changes
        }
        try expectEqual(conflicts.map(\.row?.version), [2], "the stored version")
        try expectEqual(stage.read { try stage.count("Person", $0) }, 1, "count after the conflict")
    }

    @Sendable private static func changeOfADeletedObjectReportsNoRow(_ stage: ContractStage) throws {
        let first = try stage.commitObject("Person")
        let deletion = ChangeSet.Deletion(key: first.key, base: first.row)
        try stage.commit { _ in
            var changes = ChangeSet()
            changes.deleted = [deletion]
            return changes
        }
        for isUpdate in [true, false] {
            let conflicts = try stage.commit { _ in
                var changes = ChangeSet()
                if isUpdate { changes.updated = [stage.update(of: first.key, from: first.row, ["age": 1])] }
                if !isUpdate { changes.deleted = [deletion] }
                return changes
            }
            try expectEqual(conflicts.map(\.key), [first.key], "conflicting objects")
            try expect(conflicts[0].row == nil, "A deleted object has no stored row")
        }
    }

    @Sendable private static func everyStaleObjectIsReported(_ stage: ContractStage) throws {
        let objects = try (0..<3).map { _ in try stage.commitObject("Person") }
        let update = { (age: ManagedValue) in
            var changes = ChangeSet()
            changes.updated = objects.dropLast().map { stage.update(of: $0.key, from: $0.row, ["age": age]) }
            return changes
        }
        try stage.commit { _ in update(1) }
        let conflicts = try stage.commit { _ in
            var changes = update(2)
            changes.updated.append(stage.update(of: objects[2].key, from: objects[2].row, ["age": 2]))
            return changes
        }
        try expectEqual(Set(conflicts.map(\.key)), Set(objects.dropLast().map(\.key)), "conflicting objects")
    }

    @Sendable private static func deletionWithoutBaseTakesAnyVersion(_ stage: ContractStage) throws {
        let first = try stage.commitObject("Person")
        try stage.commit { _ in
            var changes = ChangeSet()
            changes.updated = [stage.update(of: first.key, from: first.row, ["age": 1])]
            return changes
        }
        let conflicts = try stage.commit { _ in
            var changes = ChangeSet()
            changes.deleted = [.init(key: first.key, base: nil)]
            return changes
        }
        try expectEqual(conflicts.count, 0, "conflicts")
        try expectEqual(stage.read { try stage.count("Person", $0) }, 0, "count")
    }

    // MARK: Uniqueness

    private static func refusesAccount(_ stage: ContractStage, _ values: [String: ManagedValue]) throws {
        do {
            _ = try stage.commitObject("Account", values)
        } catch let error as StoreError {
            try expectEqual(error.code, .constraintViolation, "the error's code")
            return
        }
        throw StoreContractViolation(description: "A second object with \(values.keys.sorted()) was not refused")
    }

    @Sendable private static func uniqueValueIsRefused(_ stage: ContractStage) throws {
        _ = try stage.commitObject("Account", ["email": "a@b"])
        try refusesAccount(stage, ["email": "a@b"])
        try expectEqual(stage.read { try stage.count("Account", $0) }, 1, "count after the refusal")
        _ = try stage.commitObject("Account", ["email": "b@b"])
    }

    @Sendable private static func uniqueGroupIsRefused(_ stage: ContractStage) throws {
        _ = try stage.commitObject("Account", ["first": "Wei", "last": "Li"])
        _ = try stage.commitObject("Account", ["first": "Wei", "last": "Chen"])
        try refusesAccount(stage, ["first": "Wei", "last": "Li"])
    }

    @Sendable private static func nilIsNotUnique(_ stage: ContractStage) throws {
        for _ in 0..<2 { _ = try stage.commitObject("Account", ["first": "Wei"]) }
        try expectEqual(stage.read { try stage.count("Account", $0) }, 2, "count")
    }

    @Sendable private static func uniqueValueMoves(_ stage: ContractStage) throws {
        let old = try stage.commitObject("Account", ["email": "a@b"])
        try stage.commit { transaction in
            var changes = ChangeSet()
            changes.deleted = [.init(key: old.key, base: old.row)]
            changes.inserted = [try stage.insertion("Account", ["email": "a@b"], in: transaction)]
            return changes
        }
        try expectEqual(stage.read { try stage.count("Account", $0) }, 1, "count")
    }
}
