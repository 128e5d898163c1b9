#if Macros
    import DataMonk
    import Testing

    /// Increments over values that others have stored meanwhile, and that leave no sum.
    @Suite struct `Refused increments` {
        /// An account whose increment by ten meets the largest number there is.
        private static func refused(
            _ treasury: Treasury, _ policy: MergePolicy = .error
        ) throws -> (ManagedObjectContext, Treasury.Account) {
            let context = treasury.newContext(policy)
            let account = try treasury.account(in: context)
            try account.grow("small", 10)
            try treasury.commit { $0.small = .max }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .numberTooLarge && account.small == .max)
            return (context, account)
        }

        @Test(arguments: StoreKind.allCases)
        func `a refused increment holds up every save until the attribute is set`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let (context, account) = try Self.refused(treasury)
            let again = try #require(throws: SaveError.self) { try context.save() }
            #expect(again.code == .numberTooLarge && again.validationProblems.first?.key == "small")
            account.small = 7
            try context.save()
            #expect(try treasury.stored().small == 7)
        }

        @Test(arguments: StoreKind.allCases)
        func `a refused increment goes onto a value that takes it`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let (context, account) = try Self.refused(treasury)
            try treasury.commit { $0.small = 5 }
            try context.refresh(account, mergeChanges: true)
            #expect(account.small == 15)
            try context.save()
            #expect(try treasury.stored().small == 15)
        }

        @Test(arguments: StoreKind.allCases)
        func `the next amounts decide whether there is a sum`(kind: StoreKind) throws {
            let treasury = try Treasury(kind)
            let (context, account) = try Self.refused(treasury)
            let error = try #require(throws: FetchError.self) { try account.grow("small", -5) }
            #expect(error.code == .numberOutOfRange)
            try account.grow("small", -15)
            #expect(account.small == Int16.max - 5)
            try context.save()
            #expect(try treasury.stored().small == Int16.max - 5)
        }

        @Test(arguments: StoreKind.allCases)
        func `no policy sets what an increment would have come to`(kind: StoreKind) throws {
            for policy in [MergePolicy.overwrite, .mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump] {
                let treasury = try Treasury(kind)
                let context = treasury.newContext(policy)
                let account = try treasury.account(in: context)
                try account.grow("small", 10)
                account.note = "mine"
                try treasury.commit { $0.small = .max }
                let error = try #require(throws: SaveError.self, "\(policy)") { try context.save() }
                #expect(error.code == .numberTooLarge && account.small == .max, "\(policy)")
                #expect(throws: SaveError.self, "\(policy)") { try context.save() }
                #expect(try treasury.stored().small == .max && treasury.stored().note == nil, "\(policy)")
            }
        }
    }
#endif
