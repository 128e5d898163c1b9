#if Macros
    import DataMonk
    import Testing

    /// Increments on their way through parents and drafts.
    @Suite struct `Increments in families` {
        @Test(arguments: StoreKind.allCases)
        func `a child's increment goes onto its parent's value, and the parent's onto the store's`(kind: StoreKind)
            throws
        {
            let treasury = try Treasury(kind)
            let parent = treasury.newContext()
            let child = ManagedObjectContext(parent: parent)
            let (above, below) = (try treasury.account(in: parent), try treasury.account(in: child))
            try below.grow("balance", 1)
            try above.grow("balance", 10)
            try child.save()
            #expect(above.balance == 11 && below.balance == 11)
            try treasury.commit { $0.balance = 100 }
            try parent.save()
            #expect(try above.balance == 111 && treasury.stored().balance == 111)
        }

        @Test func `over a value that the parent has set the sum is set`() throws {
            let treasury = try Treasury()
            let parent = treasury.newContext()
            let child = ManagedObjectContext(parent: parent)
            let (above, below) = (try treasury.account(in: parent), try treasury.account(in: child))
            above.balance = 5
            try below.grow("balance", 1)
            try child.save()
            #expect(above.balance == 6)
            try treasury.commit { $0.balance = 100 }
            #expect(throws: SaveError.self) { try parent.save() }
        }

        @Test func `a sum that the parent's value does not allow leaves both as they are`() throws {
            let treasury = try Treasury()
            let parent = treasury.newContext()
            let child = ManagedObjectContext(parent: parent)
            let (above, below) = (try treasury.account(in: parent), try treasury.account(in: child))
            try below.grow("small", 1)
            below.note = "mine"
            above.small = .max
            let error = try #require(throws: SaveError.self) { try child.save() }
            #expect(error.code == .mergeConflict && above.small == .max && above.note == nil)
        }

        @Test func `beside other changes of a child the parent meets the conflict`() throws {
            let treasury = try Treasury()
            let parent = treasury.newContext()
            let child = ManagedObjectContext(parent: parent)
            let (above, below) = (try treasury.account(in: parent), try treasury.account(in: child))
            try below.grow("balance", 1)
            below.note = "mine"
            try treasury.commit { $0.balance = 100 }
            parent.mergeCommits()
            #expect(above.balance == 100)
            try child.save()
            let error = try #require(throws: SaveError.self) { try parent.save() }
            #expect(error.code == .mergeConflict)
            parent.mergePolicy = .mergeByPropertyObjectTrump
            try parent.save()
            #expect(try treasury.stored().balance == 101 && treasury.stored().note == "mine")
        }

        @Test(arguments: StoreKind.allCases) @MainActor
        func `a draft increments what is stored when it is committed`(kind: StoreKind) async throws {
            let treasury = try Treasury(kind)
            let world = try MainContext(stack: treasury.stack, mergePolicy: .error)
            let draft = world.draft()
            let account = try draft.use(treasury.id)
            try draft.increment(\.balance, by: 1, of: account)
            #expect(account.balance == 1 && !account.hasConflict)
            try treasury.commit { $0.balance = 40 }
            try await draft.commit()
            #expect(try account.balance == 41 && world.use(treasury.id).balance == 41)
            try draft.increment(\.balance, by: 1, of: account)
            try treasury.commit { $0.balance = 60 }
            try await draft.commit()
            #expect(try world.use(treasury.id).balance == 61)
        }

        @Test @MainActor func `a commit that fails gives a draft its increments back`() async throws {
            let treasury = try Treasury()
            let world = try MainContext(stack: treasury.stack, mergePolicy: .error)
            let draft = world.draft()
            let account = try draft.use(treasury.id)
            let branch = try #require(account.branch)
            try draft.increment(\.balance, by: 1, of: account)
            let newcomer = try draft.create(Treasury.Account.self)
            newcomer.branch = branch
            let seated = treasury.newContext()
            try seated.insert(Treasury.Account.self).seat = 1
            try seated.save()
            newcomer.seat = 1
            await #expect(throws: SaveError.self) { try await draft.commit() }
            #expect(account.balance == 1 && account.hasChanges)
            try draft.increment(\.balance, by: 10, of: account)
            newcomer.seat = 2
            try treasury.commit { $0.balance = 40 }
            try await draft.commit()
            #expect(try treasury.stored().balance == 51)
        }

        @Test func `undo of an increment is the opposite increment`() throws {
            let treasury = try Treasury()
            let context = treasury.newContext()
            context.undoManager = ContextUndoManager()
            let account = try treasury.account(in: context)
            try account.grow("balance", 1)
            context.processPendingChanges()
            try account.grow("balance", 10)
            context.undo()
            #expect(account.balance == 1)
            context.redo()
            context.undo()
            try treasury.commit { $0.balance = 40 }
            try context.save()
            #expect(account.balance == 41)
            // Past the save: what others have added stays.
            context.undo()
            #expect(account.balance == 40)
            try treasury.commit { $0.balance = 50 }
            try context.save()
            #expect(try treasury.stored().balance == 49)
            context.redo()
            try context.save()
            #expect(try treasury.stored().balance == 50)
        }

        @Test func `undo of the only increment leaves nothing to save`() throws {
            let treasury = try Treasury()
            let context = treasury.newContext()
            context.undoManager = ContextUndoManager()
            let account = try treasury.account(in: context)
            try account.grow("balance", 1)
            context.undo()
            #expect(account.balance == 0 && !account.hasChanges)
            context.redo()
            try treasury.commit { $0.balance = 40 }
            try context.save()
            #expect(account.balance == 41)
        }

        @Test func `undo of a value that was set over an increment brings the increment back`() throws {
            let treasury = try Treasury()
            let context = treasury.newContext()
            context.undoManager = ContextUndoManager()
            let account = try treasury.account(in: context)
            try account.grow("balance", 1)
            context.processPendingChanges()
            account.balance = 7
            context.undo()
            try treasury.commit { $0.balance = 40 }
            try context.save()
            #expect(account.balance == 41)
        }
    }
#endif
