#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// Failed reads in updates, drafts and reads.
    @Suite struct `An update that could not read a value` {
        private let stack: Stack
        private let store: FaultInjectingStore
        private let monkID: ObjectID<Office.Employee>
        private let writer: PersistentStoreCoordinator

        init() throws {
            writer = PersistentStoreCoordinator(model: try Office.model.get())
            let memory = InMemoryStore(directory: writer.directory, index: 0)
            try writer.add(memory)
            let writing = ManagedObjectContext(coordinator: writer)
            let monk = try writing.employee("Monk")
            monk.age = 40
            monk.department = try writing.department("kitchen")
            try writing.save()
            stack = Stack(model: try Office.model.get())
            store = FaultInjectingStore(memory)
            try stack.coordinator.add(store)
            monkID = ObjectID(try #require(stack.objectID(forURI: monk.objectID.uri)))
        }

        private func age() throws -> Int {
            try #require(try ManagedObjectContext(coordinator: writer).all(Office.Employee.self).first).age
        }

        /// The employee as a fault whose row cannot be read the next time.
        private static func fault(
            of id: ObjectID<Office.Employee>, in context: ManagedObjectContext, _ store: FaultInjectingStore
        ) throws -> Office.Employee {
            let monk = try #require(try context.existingObject(with: id.erased) as? Office.Employee)
            context.stalenessInterval = .zero
            try context.refresh(monk, mergeChanges: false)
            context.endTurn()
            store.fail(.read)
            return monk
        }

        @Test func `does not commit, and does after a rollback`() async throws {
            let (store, monkID) = (store, monkID)
            try await Context(stack: stack).update { update in
                let graph = try #require(try update.use(monkID).managedObjectContext)
                let monk = try Self.fault(of: monkID, in: graph, store)
                monk.age += 100
                let error = #expect(throws: SaveError.self) { try update.commit() }
                #expect(error?.code == .unreadValues)
                update.rollback()
                monk.age += 100
                try update.commit()
            }
            #expect(try age() == 140)
        }

        @Test func `commits what it has if told to disregard it`() async throws {
            let (store, monkID) = (store, monkID)
            try await Context(stack: stack).update { update in
                let graph = try #require(try update.use(monkID).managedObjectContext)
                let monk = try Self.fault(of: monkID, in: graph, store)
                _ = monk.name
                monk.age = 7
                #expect(throws: SaveError.self) { try update.commit() }
                update.disregardFailedReads()
                try update.commit()
            }
            #expect(try age() == 7)
        }

        @Test(.timeLimit(.minutes(60))) func `ends after a write to what it has deleted, with an error`() async throws {
            let monkID = monkID
            try await Context(stack: stack, mergePolicy: .mergeByPropertyObjectTrump).update { update in
                let monk = try update.use(monkID)
                try update.delete(monk)
                try update.commit()
                monk.age = 8
                #expect(!update.hasChanges)
                let error = #expect(throws: SaveError.self) { try update.commit() }
                #expect(error?.code == .unreadValues)
                update.rollback()
            }
        }

        @Test func `which only reads throws at its end`() async throws {
            let context = try Context(stack: stack)
            let (store, monkID) = (store, monkID)
            let error = await #expect(throws: FetchError.self) {
                try await context.read { reader in
                    let graph = try #require(try reader.use(monkID).managedObjectContext)
                    return try Self.fault(of: monkID, in: graph, store).age
                }
            }
            #expect(error?.code == .unreadValues && error?.underlyingError is StoreError)
            let age = try await context.read { reader in try reader.use(monkID).age }
            #expect(age == 40)
        }

        @MainActor @Test func `as a draft does not commit, and does after a rollback`() async throws {
            let world = try MainContext(stack: stack)
            let draft = world.draft()
            let monk = try Self.fault(of: monkID, in: draft.managedObjectContext, store)
            monk.age += 100
            let error = await #expect(throws: SaveError.self) { try await draft.commit() }
            #expect(error?.code == .unreadValues && draft.hasChanges)
            draft.rollback()
            monk.age += 100
            try await draft.commit()
            #expect(try age() == 140)
        }

        @MainActor @Test func `as a draft commits if told to disregard it`() async throws {
            let world = try MainContext(stack: stack)
            let draft = world.draft()
            let monk = try Self.fault(of: monkID, in: draft.managedObjectContext, store)
            _ = monk.name
            monk.age = 7
            await #expect(throws: SaveError.self) { try await draft.commit() }
            draft.disregardFailedReads()
            try await draft.commit()
            #expect(try age() == 7)
        }

        @MainActor @Test(.timeLimit(.minutes(60)))
        func `as a draft ends after a write to what it has deleted, with an error`() async throws {
            let world = try MainContext(stack: stack)
            let draft = world.draft()
            let monk = try draft.use(monkID)
            try draft.delete(monk)
            try await draft.commit()
            monk.age = 8
            await #expect(throws: SaveError.self) { try await draft.commit() }
            #expect(throws: FetchError.self) { try draft.delete(monk) }
            draft.undo()
            #expect(monk.managedObjectContext === draft.managedObjectContext)
            draft.rollback()
        }
    }
#endif
