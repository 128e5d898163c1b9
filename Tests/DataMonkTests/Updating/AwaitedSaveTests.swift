#if Macros
    import DataMonk
    import Testing

    /// The save with which a draft's contexts wait for their commit, and what happens before it continues.
    @Suite struct `The awaited save of a draft` {
        /// The contexts of a draft, and the one beneath it that displays the data.
        private struct Contexts {
            let office: OfficeStack
            let root: ManagedObjectContext
            let outbox: ManagedObjectContext
            let desk: ManagedObjectContext
            var all: [ManagedObjectContext] { [root, outbox, desk] }

            init(rootFollows: Bool = true) throws {
                office = try OfficeStack()
                root = ManagedObjectContext(
                    coordinator: office.stack.coordinator, followsCommits: rootFollows, isReadOnly: true)
                outbox = ManagedObjectContext(parent: root, automaticallyMergesChangesFromParent: true)
                desk = ManagedObjectContext(parent: outbox, automaticallyMergesChangesFromParent: true)
            }

            /// Commits what was changed on the desk, and calls a block once it is in the store, before the save continues.
            func commit(meanwhile body: () throws -> Void) async throws {
                try desk.save()
                let coordinator = office.stack.coordinator
                try await outbox.save { changes, origin in
                    let result = try coordinator.commit(changes, from: origin)
                    try body()
                    return result
                }
            }
        }

        private let draft: Contexts
        private let monk: Office.Employee
        private let farmer: Office.Employee

        init() throws {
            draft = try Contexts()
            let context = draft.office.newContext()
            (monk, farmer) = (try context.employee("Monk"), try context.employee("Farmer"))
            try context.save()
        }

        @Test(arguments: [true, false])
        func `leaves a new object once in each context`(rootFollows: Bool) async throws {
            let draft = try Contexts(rootFollows: rootFollows)
            var request = FetchRequest(entityName: "Employee")
            request.sortTerms = [SortTerm("name")]
            let list = try FetchedResultsController<Office.Employee>(context: draft.desk, request: request)
            try list.performFetch()
            let abbot = try draft.desk.employee("Abbot")
            draft.desk.processPendingChanges()
            try await draft.commit {
                draft.root.mergeCommits()
                #expect(list.fetchedObjects == [abbot] && !abbot.anyObjectID.isTemporaryID)
                #expect(try draft.desk.all(Office.Employee.self) == [abbot])
                for context in draft.all { try context.checkInvariants() }
            }
            draft.root.mergeCommits()
            #expect(list.fetchedObjects == [abbot] && !draft.desk.hasChanges)
            for context in draft.all { try context.checkInvariants() }
        }

        @Test func `shows what others have committed on top of it`() async throws {
            let (own, gone) = (try draft.desk.own(monk), try draft.desk.own(farmer))
            (own.name, gone.name) = ("Abbot", "Guest")
            try await draft.commit {
                let other = draft.office.newContext()
                try other.own(monk).age = 40
                other.delete(try other.own(farmer))
                try other.save()
                draft.root.mergeCommits()
            }
            draft.outbox.reset()
            #expect(own.name == "Abbot" && own.age == 40 && gone.isDeleted && !draft.desk.hasChanges)
            // Without a conflict.
            own.note = "mine"
            try await draft.commit {}
            #expect(try draft.office.newContext().all(Office.Employee.self).map(\.note) == ["mine"])
            for context in draft.all { try context.checkInvariants() }
        }

        @Test func `shows what others have committed on top of it when the notices are gone`() async throws {
            let own = try draft.desk.own(monk)
            own.name = "Abbot"
            let count = CommitNotices.capacity + 1
            try await draft.commit {
                let other = draft.office.newContext()
                let theirs = try other.own(monk)
                for age in 1...count {
                    theirs.age = age
                    try other.save()
                }
                draft.root.mergeCommits()
                // It is read again, from the row that waits.
                #expect(own.name == "Abbot")
            }
            draft.outbox.reset()
            #expect(own.name == "Abbot" && own.age == count)
        }

        @Test(arguments: [true, false])
        func `leaves a new member once in a to-many that is read meanwhile`(rootFollows: Bool) async throws {
            let draft = try Contexts(rootFollows: rootFollows)
            let context = draft.office.newContext()
            let stored = try context.department("Garden")
            try context.save()
            let department = try draft.desk.own(stored)
            let abbot = try draft.desk.employee("Abbot")
            abbot.department = department
            try await draft.commit {
                let members = try department.objects(forKey: "employees")
                // A context that does not follow commits reads the newest state.
                #expect(members.contains(abbot) && (members.count == 1 || !rootFollows))
            }
            #expect(department.employees == [abbot] && abbot.department === department)
            #expect(try draft.desk.all(Office.Employee.self) == [abbot])
            for context in draft.all { try context.checkInvariants() }
        }

        @Test func `keeps what a fetch that meets the commit looks for`() async throws {
            let department = try draft.desk.department("Garden")
            let abbot = try draft.desk.employee("Abbot")
            abbot.department = department
            try await draft.commit {
                let condition = Condition.compare("department", .equal, .object(department.anyObjectID))
                let request = FetchRequest(entityName: "Employee", condition: condition)
                let found = try draft.desk.fetch(request)
                #expect(found == [abbot])
            }
        }

        @Test func `of a parent does not hide an edit of a new object in a child`() throws {
            let parent = draft.office.newContext()
            let child = ManagedObjectContext(parent: parent, automaticallyMergesChangesFromParent: true)
            let abbot = try child.employee("Abbot")
            try child.save()
            var told: [ManagedObject] = []
            let observation = child.observeChanges { changes in told += changes.updated }
            abbot.age = 40
            let notice = parent.observeSaves { notice in
                // The child's event ends with the notice of the insertion.
                if case .didSave = notice { child.processPendingChanges() }
            }
            try parent.save()
            #expect(told == [abbot])
            withExtendedLifetime((observation, notice)) {}
        }

        @Test func `without waiting tells the observers of the root`() throws {
            let shown = try draft.root.own(monk)
            var told: [ManagedObject] = []
            let observation = draft.root.observeChanges { told += $0.updated }
            try draft.outbox.own(monk).name = "Abbot"
            try draft.outbox.save()
            #expect(told == [shown] && shown.name == "Abbot")
            _ = observation
        }

        @Test func `leaves edits made meanwhile a step of their own if it fails`() async throws {
            draft.desk.undoManager = ContextUndoManager()
            let own = try draft.desk.own(monk)
            own.name = "Abbot"
            try draft.desk.save()
            do {
                try await draft.outbox.save { _, _ in
                    own.age = 40
                    throw StoreError(.readFailed, "This failure was injected by a test.")
                }
            } catch is StoreError {
                draft.desk.takeBack()
            }
            #expect(own.name == "Abbot" && own.age == 40)
            draft.desk.undo()
            #expect(own.name == "Abbot" && own.age == 0)
            draft.desk.undo()
            #expect(own.name == "Monk" && !draft.desk.hasChanges)
            draft.desk.redo()
            draft.desk.redo()
            #expect(own.name == "Abbot" && own.age == 40)
            for context in draft.all { try context.checkInvariants() }
        }
    }
#endif
