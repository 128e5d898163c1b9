import DataMonkCore

extension StoreContract {
    static let conflictRules: [Rule] = [
        Rule("an update of an older version reports the stored row", staleUpdateReportsTheStoredRow),
        Rule("a deletion of an older version reports the stored row", staleDeletionReportsTheStoredRow),
        Rule("a change of a deleted object reports that it was deleted", changeOfADeletedObjectReportsNoRow),
        Rule("every stale object of a save is reported", everyStaleObjectIsReported),
        Rule("an object that was never read is deleted whatever its version is", deletionWithoutBaseTakesAnyVersion),
        Rule("a duplicate unique value is reported with the object that has it", uniqueValueIsRefused),
        Rule("a duplicate group of unique values is reported", uniqueGroupIsRefused),
        Rule("an update to another object's unique value is reported", uniqueValueOfAnUpdateIsRefused),
        Rule("a unique value shared by two new objects is reported for the second", uniqueValueWithinOneSave),
        Rule("objects can exchange unique values in one save", uniqueValuesGoRound),
        Rule("objects can exchange a part of their groups of unique values", partsOfUniqueGroupsGoRound),
        Rule("unique text is compared by its bytes", textIsUniqueByItsBytes),
        Rule("nil is never a duplicate unique value", nilIsNotUnique),
        Rule("a new object can get the unique value of a deleted one", uniqueValueMoves),
    ]

    @Sendable private static func staleUpdateReportsTheStoredRow(_ stage: ContractStage) throws {
        let first = try stage.commitObject("Person", values: ["name": "base"])
        try stage.commitUpdate(of: first, ["name": "theirs"])
        let conflicts = try stage.commit { changes, transaction in
            changes.inserted = [try stage.insertion(of: "Person", values: ["name": "new"], in: transaction)]
            changes.updated = [stage.update(of: first, ["name": "mine"])]
        }
        try expectEqual(conflicts.map(\.key), [first.key], "conflicting objects")
        try expectEqual(conflicts[0].row?.version, 2, "the stored version")
        try expectEqual(
            stage.value("name", of: conflicts[0].row, entityName: "Person"), "theirs", "the stored row's name")
        try expectEqual(stage.read { try stage.count(of: "Person", in: $0) }, 1, "count after the conflict")
    }

    @Sendable private static func staleDeletionReportsTheStoredRow(_ stage: ContractStage) throws {
        let first = try stage.commitObject("Person")
        try stage.commitUpdate(of: first, ["age": 1])
        let conflicts = try stage.commitDeletion(of: first)
        try expectEqual(conflicts.map(\.row?.version), [2], "the stored version")
        try expectEqual(stage.read { try stage.count(of: "Person", in: $0) }, 1, "count after the conflict")
    }

    @Sendable private static func changeOfADeletedObjectReportsNoRow(_ stage: ContractStage) throws {
        let first = try stage.commitObject("Person")
        try stage.commitDeletion(of: first)
        for change in [{ try stage.commitUpdate(of: first, ["age": 1]) }, { try stage.commitDeletion(of: first) }] {
            let conflicts = try change()
            try expectEqual(conflicts.map(\.key), [first.key], "conflicting objects")
            try expect(conflicts[0].row == nil, "A deleted object has no stored row")
        }
    }

    @Sendable private static func everyStaleObjectIsReported(_ stage: ContractStage) throws {
        let objects = try (0..<3).map { _ in try stage.commitObject("Person") }
        for object in objects.dropLast() { try stage.commitUpdate(of: object, ["age": 1]) }
        let conflicts = try stage.commit { changes, _ in
            changes.updated = objects.map { stage.update(of: $0, ["age": 2]) }
        }
        try expectEqual(Set(conflicts.map(\.key)), Set(objects.dropLast().map(\.key)), "conflicting objects")
    }

    @Sendable private static func deletionWithoutBaseTakesAnyVersion(_ stage: ContractStage) throws {
        let first = try stage.commitObject("Person")
        try stage.commitUpdate(of: first, ["age": 1])
        let conflicts = try stage.commit { changes, _ in
            changes.deleted = [.init(key: first.key, base: nil)]
        }
        try expectEqual(conflicts.count, 0, "conflicts")
        try expectEqual(stage.read { try stage.count(of: "Person", in: $0) }, 0, "count")
    }

    // MARK: Uniqueness

    /// Commits an account that the store must refuse because of the values of `holder`.
    private static func refusesAccount(
        _ stage: ContractStage, values: [String: ManagedValue], constraint: [String], of holder: ObjectKey
    ) throws {
        let conflicts = try stage.commit { changes, transaction in
            changes.inserted = [try stage.insertion(of: "Account", values: values, in: transaction)]
        }
        try expectEqual(conflicts.map { $0.duplicate?.constraint }, [constraint], "the violated constraint")
        try expectEqual(conflicts[0].duplicate?.holder, holder, "the object with the values")
        try expectEqual(conflicts[0].duplicate?.row?.version, 1, "the version of the stored row")
    }

    @Sendable private static func uniqueValueIsRefused(_ stage: ContractStage) throws {
        let first = try stage.commitObject("Account", values: ["email": "a@b"])
        try refusesAccount(stage, values: ["email": "a@b"], constraint: ["email"], of: first.key)
        try expectEqual(stage.read { try stage.count(of: "Account", in: $0) }, 1, "count after the refusal")
        _ = try stage.commitObject("Account", values: ["email": "b@b"])
    }

    @Sendable private static func uniqueGroupIsRefused(_ stage: ContractStage) throws {
        let first = try stage.commitObject("Account", values: ["first": "Wei", "last": "Li"])
        _ = try stage.commitObject("Account", values: ["first": "Wei", "last": "Chen"])
        try refusesAccount(
            stage, values: ["first": "Wei", "last": "Li"], constraint: ["first", "last"], of: first.key)
    }

    @Sendable private static func uniqueValueOfAnUpdateIsRefused(_ stage: ContractStage) throws {
        let first = try stage.commitObject("Account", values: ["email": "a@b"])
        let second = try stage.commitObject("Account", values: ["email": "b@b"])
        let conflicts = try stage.commitUpdate(of: second, ["email": "a@b"])
        try expectEqual(conflicts.map(\.key), [second.key], "the refused object")
        try expectEqual(conflicts.map { $0.duplicate?.holder }, [first.key], "the object with the value")
    }

    @Sendable private static func uniqueValueWithinOneSave(_ stage: ContractStage) throws {
        var keys: [ObjectKey] = []
        let conflicts = try stage.commit { changes, transaction in
            changes.inserted = try (0..<2).map { _ in
                try stage.insertion(of: "Account", values: ["email": "a@b"], in: transaction)
            }
            keys = changes.inserted.map(\.key)
        }
        try expectEqual(conflicts.map(\.key), [keys[1]], "the refused object")
        try expectEqual(conflicts.map { $0.duplicate?.holder }, [keys[0]], "the object with the value")
        try expect(conflicts[0].duplicate?.row == nil, "What the same save writes has no stored row")
    }

    @Sendable private static func uniqueValuesGoRound(_ stage: ContractStage) throws {
        let objects = try ["a", "b", "c"].map { try stage.commitObject("Account", values: ["email": .string($0)]) }
        let conflicts = try stage.commit { changes, _ in
            changes.updated = zip(objects, ["b", "c", "a"]).map { object, email in
                stage.update(of: object, ["email": .string(email)])
            }
        }
        try expectEqual(conflicts.count, 0, "conflicts")
        let emails = try stage.read { reader in
            try objects.map { object in
                var arena = RowArena()
                return try stage.value("email", of: try reader.row(of: object.key, in: &arena), entityName: "Account")
            }
        }
        try expectEqual(emails, ["b", "c", "a"], "emails")
    }

    @Sendable private static func partsOfUniqueGroupsGoRound(_ stage: ContractStage) throws {
        let context = stage.newContext()
        let row = try context.insert(stage.entity("Row"), named: "row")
        let seats = try ["a", "b"].map { try context.insert(stage.entity("Seat"), named: $0) }
        for (number, seat) in seats.enumerated() {
            try seat.setValue(.string(seat.name), forKey: "letter")
            try seat.setValue("north", forKey: "block")
            try seat.setValue(.int(Int64(number)), forKey: "number")
            try seat.setDestination("row", to: row)
        }
        try context.save()
        func expectSeats(_ expected: [[ManagedValue]], _ what: String) throws {
            let reading = stage.newContext()
            for (name, values) in zip(["a", "b"], expected) {
                let seat = try reading.object("Seat", named: name)
                let found = try ["letter", "block", "number"].map { try seat.value(forKey: $0) }
                try expectEqual(found, values, "values of \(name) after an exchange of \(what)")
                try expectEqual(seat.destination("row")?.name, "row", "row of \(name) after an exchange of \(what)")
            }
        }
        for (seat, letter) in zip(seats, ["b", "a"]) { try seat.setValue(.string(letter), forKey: "letter") }
        try context.save()
        try expectSeats([["b", "north", 0], ["a", "north", 1]], "letters")
        for (seat, number) in zip(seats, [1, 0]) { try seat.setValue(.int(Int64(number)), forKey: "number") }
        try context.save()
        try expectSeats([["b", "north", 1], ["a", "north", 0]], "numbers")
    }

    @Sendable private static func textIsUniqueByItsBytes(_ stage: ContractStage) throws {
        for email in ["\u{E9}", "e\u{301}"] { _ = try stage.commitObject("Account", values: ["email": .string(email)]) }
        try expectEqual(stage.read { try stage.count(of: "Account", in: $0) }, 2, "count")
    }

    @Sendable private static func nilIsNotUnique(_ stage: ContractStage) throws {
        for _ in 0..<2 { _ = try stage.commitObject("Account", values: ["first": "Wei"]) }
        try expectEqual(stage.read { try stage.count(of: "Account", in: $0) }, 2, "count")
    }

    @Sendable private static func uniqueValueMoves(_ stage: ContractStage) throws {
        let old = try stage.commitObject("Account", values: ["email": "a@b"])
        try stage.commit { changes, transaction in
            changes.deleted = [.init(key: old.key, base: old.row)]
            changes.inserted = [try stage.insertion(of: "Account", values: ["email": "a@b"], in: transaction)]
        }
        try expectEqual(stage.read { try stage.count(of: "Account", in: $0) }, 1, "count")
    }
}
