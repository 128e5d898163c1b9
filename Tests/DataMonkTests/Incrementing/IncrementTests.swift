#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Increments: changes like any other, which grow what the store holds when they are written.
    @Suite struct Increments {
        // MARK: Meeting others

        @Test(arguments: StoreKind.allCases)
        func `an increment goes onto what others have stored, and comes back`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            try account.grow("balance", 1)
            #expect(account.balance == 1 && account.hasChanges)
            try treasury.commit { account in
                account.balance = 40
                account.note = "theirs"
            }
            try context.save()
            #expect(account.balance == 41 && account.note == "theirs" && !account.hasChanges)
            #expect(try treasury.stored().balance == 41 && treasury.stored().note == "theirs")
        }

        @Test(arguments: StoreKind.allCases)
        func `a context that follows nothing increments what is stored`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let context = treasury.newContext(followsCommits: false)
            let account = try treasury.account(in: context)
            try treasury.commit { $0.balance = 40 }
            try account.grow("balance", 1)
            #expect(account.balance == 1)
            try context.save()
            #expect(try account.balance == 41 && treasury.stored().balance == 41)
        }

        @Test(arguments: StoreKind.allCases)
        func `several increments of an attribute add up`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            try account.grow("balance", 5)
            try treasury.commit { $0.balance = 40 }
            try account.grow("balance", -2)
            #expect(account.balance == 3)
            try context.save()
            #expect(account.balance == 43)
        }

        @Test(arguments: StoreKind.allCases)
        func `a decrement after an increment leaves nothing to save`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            try account.grow("balance", 5)
            try account.grow("balance", -5)
            try treasury.commit { $0.balance = 40 }
            try context.save()
            #expect(try treasury.stored().balance == 40)
            context.mergeCommits()
            #expect(account.balance == 40 && !account.hasChanges)
        }

        @Test(arguments: StoreKind.allCases)
        func `beside other changes the policy decides about those, and the sum goes onto the stored value`(
            kind: StoreKind
        ) throws {
            let expected: [(MergePolicy, String?, Int)] = [
                (.mergeByPropertyObjectTrump, "mine", 41), (.mergeByPropertyStoreTrump, "theirs", 41),
                (.overwrite, "mine", 41), (.rollback, "theirs", 40),
            ]
            for (policy, note, balance) in expected {
                let treasury = try Treasury(kind)
                let context = treasury.newContext(policy)
                let account = try treasury.account(in: context)
                try account.grow("balance", 1)
                account.note = "mine"
                try treasury.commit { account in
                    account.balance = 40
                    account.note = "theirs"
                }
                try context.save()
                #expect(account.note == note && account.balance == balance, "\(policy)")
                #expect(try treasury.stored().note == note && treasury.stored().balance == balance, "\(policy)")
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `beside other changes the policy error throws`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            try account.grow("balance", 1)
            account.note = "mine"
            try treasury.commit { $0.balance = 40 }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .mergeConflict && account.balance == 1)
            try context.refresh(account, mergeChanges: true)
            #expect(account.balance == 41 && account.note == "mine")
            try context.save()
            #expect(try treasury.stored().balance == 41)
        }

        @Test(arguments: StoreKind.allCases)
        func `what is set after an increment is set, and what is set before it is too`(kind: StoreKind) throws {
            for setsFirst in [true, false] {
                let treasury = try Treasury(kind)
                let context = treasury.newContext()
                let account = try treasury.account(in: context)
                if setsFirst { account.balance = 9 }
                try account.grow("balance", 1)
                if !setsFirst { account.balance = 10 }
                try treasury.commit { $0.balance = 40 }
                let error = try #require(throws: SaveError.self) { try context.save() }
                #expect(error.code == .mergeConflict)
                context.mergePolicy = .mergeByPropertyObjectTrump
                try context.save()
                #expect(try treasury.stored().balance == 10)
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `an increment of what others have deleted is a conflict`(kind: StoreKind) throws {
            for policy in [MergePolicy.error, .mergeByPropertyObjectTrump] {
                let treasury = try Treasury(kind)
                let context = treasury.newContext(policy)
                let account = try treasury.account(in: context)
                try account.grow("balance", 1)
                let other = treasury.newContext()
                other.delete(try treasury.account(in: other))
                try other.save()
                if policy == .error {
                    let error = try #require(throws: SaveError.self) { try context.save() }
                    #expect(error.code == .mergeConflict)
                } else {
                    try context.save()
                    #expect(account.isDeleted)
                }
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `increments of one row in grouped commits all count`(kind: StoreKind) async throws {
            let treasury = try Treasury(kind)
            let context = try Context(stack: treasury.stack)
            let id = treasury.id
            try treasury.commit { $0.points = 0 }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<64 {
                    group.addTask {
                        try await context.update { update in
                            try update.increment(\.balance, by: 1, of: id)
                            try update.increment(\.points, by: 2, of: id)
                            try update.commit()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try treasury.stored().balance == 64 && treasury.stored().points == 128)
        }

        // MARK: Numbers

        @Test(arguments: StoreKind.allCases)
        func `numbers of every kind grow`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            try treasury.commit { account in
                (account.small, account.medium, account.ratio, account.share, account.points) = (10, 10, 0.5, 0.25, 1)
                account.money = Decimal(string: "0.1") ?? 0
            }
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            try account.grow("small", 1)
            try account.grow("medium", -1)
            try account.incrementValue(forKey: "ratio", by: .double(0.25))
            try account.incrementValue(forKey: "share", by: .double(0.5))
            try account.incrementValue(forKey: "money", by: .decimal(Decimal(string: "0.2") ?? 0))
            try account.grow("points", 1)
            try account.grow("spare", 1)
            try account.grow("passing", 3)
            try treasury.commit { account in
                (account.small, account.medium, account.ratio, account.share, account.points) = (20, 20, 1, 1, 5)
                account.money = 1
            }
            try context.save()
            for account in [account, try treasury.stored()] {
                #expect(account.small == 21 && account.medium == 19 && account.ratio == 1.25 && account.share == 1.5)
                #expect(account.money == Decimal(string: "1.2") && account.points == 6 && account.spare == 8)
            }
            #expect(account.passing == 3)
        }

        @Test func `an attribute without a value begins at its default, or throws`() throws {
            let treasury = try Treasury()
            try treasury.commit { $0.spare = nil }
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            let error = try #require(throws: FetchError.self) { try account.grow("points", 1) }
            #expect(error.code == .noValueToIncrement)
            #expect(error.keyPath == "points")
            #expect(!account.hasChanges)
            try account.grow("spare", 1)
            #expect(account.spare == 8)
            try context.save()
            #expect(try treasury.stored().spare == 8)
        }

        @Test(arguments: StoreKind.allCases)
        func `a value that others have taken away throws at the save`(kind: StoreKind) throws {
            let treasury = try Treasury(kind) { $0.points = 1 }
            let context = treasury.newContext(.mergeByPropertyObjectTrump)
            let account = try treasury.account(in: context)
            try account.grow("points", 1)
            try treasury.commit { $0.points = nil }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .numberTooLarge && error.message.contains("points"))
            context.rollback()
            #expect(try treasury.stored().points == nil)
        }

        @Test func `what does not fit its type is refused at once`() throws {
            let treasury = try Treasury { account in
                (account.small, account.balance, account.ratio) = (.max, .max, .greatestFiniteMagnitude)
            }
            let account = try treasury.stored()
            for key in ["small", "balance"] {
                let error = try #require(throws: FetchError.self) { try account.grow(key, 1) }
                #expect(error.code == .numberOutOfRange && error.keyPath == key)
            }
            #expect(throws: FetchError.self) {
                try account.incrementValue(forKey: "ratio", by: .double(.greatestFiniteMagnitude))
            }
            #expect(throws: FetchError.self) { try account.incrementValue(forKey: "ratio", by: .double(.nan)) }
            #expect(throws: FetchError.self) { try account.incrementValue(forKey: "balance", by: .double(0.5)) }
            #expect(throws: FetchError.self) { try account.grow("name", 1) }
            #expect(throws: FetchError.self) { try account.grow("shown", 1) }
            #expect(throws: FetchError.self) { try account.grow("branch", 1) }
            #expect(throws: FetchError.self) { try account.grow("balanse", 1) }
            #expect(!account.hasChanges)
        }

        @Test(arguments: StoreKind.allCases)
        func `an overflow over what others have stored throws at the save`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            try account.grow("small", 1)
            try account.grow("balance", -2)
            try treasury.commit { account in
                account.small = .max
                account.balance = .min + 1
            }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect([.numberTooLarge, .numberTooSmall].contains(error.code))
            #expect(try treasury.stored().small == .max && treasury.stored().balance == .min + 1)
            context.rollback()
            try account.grow("small", -1)
            try context.save()
            #expect(try treasury.stored().small == .max - 1)
        }

        @Test(arguments: StoreKind.allCases)
        func `the model's bounds are checked on the sum`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            try account.grow("stock", 51)
            let local = try #require(throws: SaveError.self) { try context.save() }
            #expect(local.code == .numberTooLarge)
            context.rollback()
            try account.grow("stock", -20)
            try treasury.commit { $0.stock = 10 }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .numberTooSmall && error.validationProblems.first?.key == "stock")
            #expect(try treasury.stored().stock == 10)
            // What is stored then allows it.
            try treasury.commit { $0.stock = 20 }
            try context.refresh(account, mergeChanges: true)
            try context.save()
            #expect(try account.stock == 0 && treasury.stored().stock == 0)
        }

        @Test(arguments: StoreKind.allCases)
        func `a sum that must be unique meets the object that has it`(kind: StoreKind) throws {
            let treasury = try Treasury(kind) { $0.seat = 1 }
            let other = treasury.newContext()
            try other.insert(Treasury.Account.self).seat = 3
            try other.save()
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            try account.grow("seat", 1)
            try treasury.commit { $0.seat = 2 }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .constraintConflict)
            #expect(try treasury.stored().seat == 2)
        }

        // MARK: Like any other change

        @Test(arguments: StoreKind.allCases)
        func `what is derived from a sum is derived from the stored one`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            try account.grow("balance", 1)
            try treasury.commit { $0.balance = 40 }
            try context.save()
            #expect(account.shown == 41 && account.branch?.total == 41)
            #expect(try treasury.stored().shown == 41 && treasury.stored().branch?.total == 41)
        }

        @Test func `fetches see the sum, and others do not`() throws {
            let treasury = try Treasury()
            let context = treasury.newContext()
            try treasury.account(in: context).grow("balance", 5)
            var request = FetchRequest(entityName: "TreasuryAccount")
            request.condition = .compare("balance", .equal, .int(5))
            #expect(try context.count(request) == 1 && treasury.newContext().count(request) == 0)
        }

        @Test(arguments: StoreKind.allCases)
        func `the history names what was incremented`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            try account.grow("balance", 1)
            try treasury.commit { $0.note = "theirs" }
            try context.save()
            let change = try #require(try treasury.stack.history().last?.changes.first)
            #expect(change.changedObjectID == treasury.id.erased)
            #expect(change.updatedProperties?.contains("balance") == true)
            #expect(change.updatedProperties?.contains("note") == false)
        }

        @Test func `a new object's value grows as it is`() throws {
            let treasury = try Treasury()
            let context = treasury.newContext()
            let account = try context.insert(Treasury.Account.self)
            account.balance = 3
            try account.grow("balance", 4)
            try context.save()
            #expect(account.balance == 7)
        }

        @Test func `an object that goes with the next commit cannot be incremented`() throws {
            let treasury = try Treasury()
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            context.delete(account)
            let pending = try #require(throws: FetchError.self) { try account.grow("balance", 1) }
            try context.save()
            let gone = try #require(throws: FetchError.self) { try account.grow("balance", 1) }
            #expect(pending.code == .objectIsDeleted && gone.code == .objectIsDeleted)
        }

        @Test func `only an increment is no conflict of the object`() throws {
            let treasury = try Treasury()
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            try account.grow("balance", 1)
            try treasury.commit { $0.balance = 40 }
            context.mergeCommits()
            #expect(!account.hasConflict)
            account.note = "mine"
            #expect(account.hasConflict)
        }

        @Test(arguments: StoreKind.allCases)
        func `a failed save leaves the increment`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let context = treasury.newContext()
            let account = try treasury.account(in: context)
            try account.grow("balance", 1)
            let invalid = try context.insert(Treasury.Account.self)
            invalid.stock = 1_000
            #expect(throws: SaveError.self) { try context.save() }
            try treasury.commit { $0.balance = 40 }
            invalid.stock = 1
            try context.save()
            #expect(account.balance == 41)
        }
    }
#endif
