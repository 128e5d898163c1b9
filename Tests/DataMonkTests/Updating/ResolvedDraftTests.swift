#if Macros
    import DataMonk
    import Testing

    /// Drafts whose commits meet conflicts, which are resolved against them.
    @Suite @MainActor struct `Resolved conflicts of a draft` {
        private let registry: RegistryStack
        private let stored: Registry.Customer

        init() throws {
            registry = try RegistryStack()
            let context = registry.newContext()
            stored = try context.insert(Registry.Customer.self)
            (stored.email, stored.note) = ("a@b", "stored")
            try context.save()
        }

        private func makeDraft(
            _ policy: MergePolicy = .mergeByPropertyObjectTrump
        ) throws -> (world: MainContext, draft: Draft) {
            let world = try MainContext(stack: registry.stack, mergePolicy: policy)
            return (world, world.draft())
        }

        /// Others change the stored customer, which the main context shows.
        private func change(_ body: (Registry.Customer) -> Void, in world: MainContext) throws {
            let other = registry.newContext()
            body(try #require(try other.existingObject(with: stored.anyObjectID) as? Registry.Customer))
            try other.save()
            _ = try world.count(Registry.Customer.self)
        }

        private func read() throws -> [Registry.Customer] {
            try registry.newContext().fetch(FetchRequest(entityName: "Customer"))
                .compactMap { $0 as? Registry.Customer }
        }

        @Test func `a new object that was merged into the stored one has left the draft, and its id leads there`()
            async throws
        {
            let (world, draft) = try makeDraft()
            let mine = try draft.create(Registry.Customer.self)
            (mine.email, mine.last) = ("a@b", "Lovelace")
            let former = mine.objectID
            let order = try draft.create(Registry.Order.self)
            order.customer = mine
            try await draft.commit()
            #expect(mine.isDeleted && mine.anyObjectID == stored.anyObjectID)
            #expect(try world.use(mine.objectID).last == "Lovelace")
            #expect(try draft.use(former).note == "stored")
            #expect(order.customer?.anyObjectID == stored.anyObjectID && !draft.hasChanges)
            try draft.managedObjectContext.checkInvariants()
        }

        @Test func `a later edit of a new object that was merged is refused by the next commit`() async throws {
            let (_, draft) = try makeDraft()
            let mine = try draft.create(Registry.Customer.self)
            mine.email = "a@b"
            try await draft.commit()
            mine.note = "mine"
            let error = await #expect(throws: SaveError.self) { try await draft.commit() }
            #expect(error?.code == .unreadValues)
            draft.rollback()
            let order = try draft.create(Registry.Order.self)
            order.customer = try draft.use(stored.objectID)
            order.customer = mine
            let second = await #expect(throws: SaveError.self) { try await draft.commit() }
            #expect(second?.code == .unreadValues)
            #expect(try read().map(\.note) == ["stored"])
        }

        @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback], [true, false])
        func `an object shows the store's values once its own were rejected`(policy: MergePolicy, alone: Bool)
            async throws
        {
            let (world, draft) = try makeDraft(policy)
            let own = try draft.use(stored.objectID)
            own.note = "mine"
            let new = try alone ? nil : draft.create(Registry.Customer.self)
            try change({ $0.note = "theirs" }, in: world)
            #expect(own.hasConflict)
            try await draft.commit()
            #expect(own.note == "theirs" && !own.hasChanges && !own.hasConflict)
            #expect(new?.objectID.isTemporaryID != true)
            own.last = "Lovelace"
            try await draft.commit()
            #expect(try read().contains { $0.note == "theirs" && $0.last == "Lovelace" })
        }

        @Test func `an object whose deletion was rejected is in the draft again`() async throws {
            let (_, draft) = try makeDraft(.mergeByPropertyStoreTrump)
            let other = registry.newContext()
            let order = try other.insert(Registry.Order.self)
            order.customer = try other.existingObject(with: stored.anyObjectID) as? Registry.Customer
            try other.save()
            let own = try draft.use(order.objectID)
            let owner = try #require(own.customer)
            #expect(owner.orders == [own])
            try draft.delete(own)
            order.number = 5
            try other.save()
            try await draft.commit()
            #expect(owner.orders.map(\.number) == [5])
            #expect(try draft.use(order.objectID).number == 5 && !draft.hasChanges)
            try draft.managedObjectContext.checkInvariants()
        }

        @Test func `an undone deletion of an object that was merged makes a new one beside the remaining one`() throws {
            let parent = registry.newContext()
            parent.mergePolicy = .mergeByPropertyObjectTrump
            let child = ManagedObjectContext(parent: parent, automaticallyMergesChangesFromParent: true)
            child.undoManager = ContextUndoManager()
            let mine = try child.insert(Registry.Customer.self)
            (mine.email, mine.note) = ("a@b", "mine")
            try child.save()
            child.delete(mine)
            child.processPendingChanges()
            try parent.save()
            child.undo()
            try child.checkInvariants()
            let remaining = try child.existingObject(with: stored.anyObjectID)
            #expect(remaining !== mine && mine.anyObjectID.isTemporaryID && mine.note == "mine")
            child.rollback()
            #expect(try child.existingObject(with: stored.anyObjectID) === remaining)
            try child.checkInvariants()
        }

        @Test func `an undone change of a reference to an object that was merged leads to the remaining one`()
            async throws
        {
            let (_, draft) = try makeDraft()
            let (order, mine) = (try draft.create(Registry.Order.self), try draft.create(Registry.Customer.self))
            let other = try draft.create(Registry.Customer.self)
            (mine.email, other.email, order.customer) = ("a@b", "c@d", mine)
            draft.managedObjectContext.processPendingChanges()
            order.customer = other
            draft.managedObjectContext.processPendingChanges()
            try await draft.commit()
            draft.undo()
            #expect(order.customer?.anyObjectID == stored.anyObjectID)
            try draft.managedObjectContext.checkInvariants()
        }

        @Test func `a new object that was withdrawn has left the draft`() async throws {
            let (_, draft) = try makeDraft(.rollback)
            let order = try draft.create(Registry.Order.self)
            order.customer = try draft.use(stored.objectID)
            let other = registry.newContext()
            other.delete(try other.existingObject(with: stored.anyObjectID))
            try other.save()
            try await draft.commit()
            #expect(order.isDeleted && !draft.hasChanges)
            order.number = 1
            let error = await #expect(throws: SaveError.self) { try await draft.commit() }
            #expect(error?.code == .unreadValues)
        }
    }
#endif
