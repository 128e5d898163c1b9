#if Macros
    import DataMonk
    import Testing

    /// Increments beside other changes of an object, whose conflict a closure decides.
    @Suite struct `Increments under a custom policy` {
        @Test(arguments: StoreKind.allCases)
        func `a sum that a custom policy passes on stays an increment`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let context = treasury.newContext(
                .custom { conflict in
                    var values = conflict.changedValues
                    #expect(values["balance"] == .int(1))
                    values["note"] = nil
                    return .values(values)
                })
            let account = try treasury.account(in: context)
            try account.grow("balance", 1)
            account.note = "mine"
            account.name = "mine"
            try treasury.commit { account in
                account.balance = 40
                account.note = "theirs"
            }
            try context.save()
            for account in [account, try treasury.stored()] {
                #expect(account.balance == 41 && account.note == "theirs" && account.name == "mine")
            }
        }

        @Test(arguments: StoreKind.allCases)
        func `another value of a custom policy is set, and none discards the increment`(kind: StoreKind) throws {
            for (value, expected) in [(ManagedValue.int(7), 7), (nil, 40)] {
                let treasury = try Treasury(kind)
                let context = treasury.newContext(
                    .custom { _ in .values(value.isNull ? ["name": .string("ours")] : ["balance": value]) })
                let account = try treasury.account(in: context)
                try account.grow("balance", 1)
                account.note = "mine"
                try treasury.commit { $0.balance = 40 }
                try context.save()
                #expect(try account.balance == expected && treasury.stored().balance == expected)
            }
        }
    }
#endif
