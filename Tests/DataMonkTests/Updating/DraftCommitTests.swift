#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// The state of a draft and of its main context around a commit.
    @Suite @MainActor struct `Commits of a draft` {
        private let office: OfficeStack

        init() throws {
            office = try OfficeStack(.file)
            let context = office.newContext()
            for name in ["Monk", "Farmer"] { _ = try context.employee(name) }
            try context.save()
        }

        /// Commits a draft, and calls a block when the commit is in the store and the draft has not been told.
        private func commit(_ draft: Draft, meanwhile body: () throws -> Void) async throws {
            let release = DispatchSemaphore(value: 0)
            let arrived = Meeting()
            let observers = office.stack.coordinator.commitObservers
            // Called by the writing thread, after the main context was told.
            let token = observers.add { changes in
                if changes.isEmpty { return }
                arrived.open()
                release.wait()
            }
            let commit = Task {
                // Also if it fails before.
                defer { arrived.open() }
                try await draft.commit()
            }
            await arrived.wait()
            let result = Result { try body() }
            observers.remove(token)
            release.signal()
            try await commit.value
            try result.get()
        }

        private func stored() throws -> [String] {
            try office.newContext().all(Office.Employee.self).map(\.name).sorted()
        }

        @Test(arguments: [UpdateTarget.mainContext, .rootContext(autoMerge: false)])
        func `a new object is in the draft once while its commit arrives`(target: UpdateTarget) async throws {
            let world = try MainContext(stack: office.stack, updateTarget: target)
            let draft = world.draft()
            var request = FetchRequest(entityName: "Employee", condition: .compare("age", .equal, 40))
            request.sortTerms = [SortTerm("name")]
            let list = try FetchedResultsController<Office.Employee>(
                context: draft.managedObjectContext, request: request)
            try list.performFetch()
            let abbot = try draft.create(Office.Employee.self)
            (abbot.name, abbot.age) = ("Abbot", 40)
            draft.managedObjectContext.processPendingChanges()
            try await commit(draft) {
                #expect(try world.count(Office.Employee.self) == 3)
                world.managedObjectContext.mergeCommits()
                #expect(try draft.count(Office.Employee.self) == 3)
                #expect(list.fetchedObjects == [abbot])
                try draft.managedObjectContext.checkInvariants()
            }
            #expect(list.fetchedObjects == [abbot] && !draft.hasChanges)
            #expect(try world.use(abbot).name == "Abbot")
            try draft.managedObjectContext.checkInvariants()
        }

        /// The notices of commits are kept up to 64 MiB.
        @Test func `a new object of a large commit is in the draft's lists once`() async throws {
            let world = try MainContext(stack: office.stack)
            let draft = world.draft()
            var request = FetchRequest(entityName: "Employee")
            request.sortTerms = [SortTerm("name")]
            let list = try FetchedResultsController<Office.Employee>(
                context: draft.managedObjectContext, request: request)
            try list.performFetch()
            let abbot = try draft.create(Office.Employee.self)
            (abbot.name, abbot.note) = ("Abbot", String(repeating: "x", count: 65 << 20))
            draft.managedObjectContext.processPendingChanges()
            try await commit(draft) {
                world.managedObjectContext.mergeCommits()
                draft.managedObjectContext.processPendingChanges()
            }
            draft.managedObjectContext.processPendingChanges()
            let found = list.fetchedObjects ?? []
            #expect(found.map(\.name) == ["Abbot", "Farmer", "Monk"] && found.first == abbot)
            try draft.managedObjectContext.checkInvariants()
        }

        @Test(arguments: [UpdateTarget.rootContext(autoMerge: false), .persistentStore])
        func `the first read of a family may come while a commit of a draft arrives`(target: UpdateTarget) async throws
        {
            let world = try MainContext(stack: office.stack, updateTarget: target)
            let draft = world.draft()
            let abbot = try draft.create(Office.Employee.self)
            abbot.name = "Abbot"
            try await commit(draft) {
                let found = try draft.fetchAll(Office.Employee.self, %"name" == "Abbot")
                #expect(found == [abbot])
            }
            let found = try draft.fetchAll(Office.Employee.self, %"name" == "Abbot")
            #expect(found == [abbot] && !draft.hasChanges)
            #expect(try world.count(Office.Employee.self) == 3)
            try draft.managedObjectContext.checkInvariants()
        }

        @Test(arguments: [UpdateTarget.rootContext(autoMerge: false), .persistentStore])
        func `a main context that does not follow commits shows those of its drafts`(target: UpdateTarget) async throws
        {
            let world = try MainContext(stack: office.stack, updateTarget: target)
            let shown = try world.fetch(Office.Employee.self, %"name" == "Monk")
            let other = try world.fetch(Office.Employee.self, %"name" == "Farmer")
            let draft = world.draft()
            let own = try draft.use(shown)
            own.name = "Abbot"
            let context = office.newContext()
            try context.own(other).name = "Knight"
            try context.save()
            try await draft.commit()
            #expect(shown.name == "Abbot" && other.name == "Farmer")
            draft.undo()
            #expect(own.name == "Monk" && draft.hasChanges)
            try await draft.commit()
            #expect(shown.name == "Monk" && !draft.hasChanges)
            #expect(try stored() == ["Knight", "Monk"])
            try draft.managedObjectContext.checkInvariants()
        }

        @Test func `a commit does not meet a conflict again that a failed one has resolved`() async throws {
            let stack = Stack(model: try Office.model.get())
            let store = FaultInjectingStore(InMemoryStore(directory: stack.coordinator.directory, index: 0))
            try stack.coordinator.add(store)
            try stack.commit { try $0.create(Office.Employee.self).note = "first" }
            let world = try MainContext(
                stack: stack, updateTarget: .persistentStore, mergePolicy: .mergeByPropertyStoreTrump)
            let shown = try world.fetch(Office.Employee.self)
            let draft = world.draft()
            let own = try draft.use(shown)
            (own.note, own.age) = ("mine", 40)
            try stack.commit { try $0.fetch(Office.Employee.self).note = "theirs" }
            store.fail(.commit)
            await #expect(throws: StoreError.self) { try await draft.commit() }
            #expect(own.note == "theirs" && own.age == 40 && shown.note == "first")
            own.note = "mine again"
            try await draft.commit()
            #expect(shown.note == "mine again" && shown.age == 40 && own.note == "mine again")
        }

        @Test func `edits after a failed commit are told, and undone one by one`() async throws {
            let world = try MainContext(stack: office.stack, mergePolicy: .error)
            let draft = world.draft()
            let own = try draft.fetch(Office.Employee.self, %"name" == "Monk")
            own.name = "Abbot"
            let context = office.newContext()
            try context.own(own).age = 40
            try context.save()
            await #expect(throws: SaveError.self) { try await draft.commit() }
            var told: [ManagedObject] = []
            let observation = draft.managedObjectContext.observeChanges { told += $0.updated }
            own.name = "Prior"
            draft.managedObjectContext.processPendingChanges()
            #expect(told == [own])
            draft.undo()
            #expect(own.name == "Abbot" && draft.undoManager?.canRedo == true)
            draft.redo()
            #expect(own.name == "Prior")
            draft.undo()
            draft.undo()
            #expect(own.name == "Monk" && !draft.hasChanges)
            try draft.managedObjectContext.checkInvariants()
            _ = observation
        }
    }
#endif
