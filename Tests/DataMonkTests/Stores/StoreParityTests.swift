#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// What must be so whatever keeps the rows.
    @Suite struct `In memory as in a file` {
        // MARK: Life cycle

        @Test(arguments: StoreKind.allCases)
        func `reset forgets every object and says so to observers`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let monk = try context.employee("Monk")
            try context.save()
            monk.age = 18
            let novice = try context.employee("Novice")
            var told: [Set<ManagedObject>] = []
            let observation = context.observeChanges { changes in
                if changes.isEverything { told.append(Set(changes.invalidated)) }
            }
            context.reset()
            #expect(told == [[monk, novice]])
            #expect(context.registeredObjects.isEmpty && !context.hasChanges)
            #expect(try context.all(Office.Employee.self).map(\.age) == [0])
            _ = observation
        }

        @Test(arguments: StoreKind.allCases)
        func `deleting an object that was never saved just removes it`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let monk = try context.employee("Monk")
            context.delete(monk)
            #expect(!context.hasChanges && context.deletedObjects.isEmpty && context.insertedObjects.isEmpty)
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).isEmpty)
        }

        // MARK: Saving

        @Test(arguments: StoreKind.allCases)
        func `willSave runs for deletions, and primitive setters bring about no other round`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let (kept, gone) = (try context.insert(Office.Diary.self), try context.insert(Office.Diary.self))
            try context.save()
            (kept.events, gone.events) = ([], [])
            kept.atWillSave = { diary in
                // Reason for try?: what is stored afterwards shows whether it worked.
                try? diary.setPrimitiveValue(.string("\(diary.events.count)"), forKey: "title")
            }
            kept.text = "changed"
            context.delete(gone)
            try context.save()
            #expect(kept.events == ["willSave", "didSave"])
            #expect(gone.events == ["prepareForDeletion", "willSave deleted", "didSave"])
            #expect(try office.newContext().own(kept).title == "1")
        }

        @Test(arguments: StoreKind.allCases)
        func `a save that the store refuses leaves every change pending, and the corrected one succeeds`(
            kind: StoreKind
        ) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let (monk, abbot) = (try context.employee("Monk"), try context.employee("Abbot"))
            let badge = try context.insert(Office.Badge.self)
            badge.code = "1"
            try context.save()
            monk.age = 18
            context.delete(abbot)
            let second = try context.insert(Office.Badge.self)
            second.code = "1"
            #expect(throws: SaveError.self) { try context.save() }
            #expect(monk.isUpdated && abbot.isDeleted && second.isInserted && second.anyObjectID.isTemporaryID)
            second.code = "2"
            try context.save()
            let reader = office.newContext()
            #expect(try reader.all(Office.Employee.self).map(\.age) == [18])
            #expect(try reader.count(FetchRequest(entityName: "Badge")) == 2)
        }

        @Test(arguments: StoreKind.allCases)
        func `an object that never settles in willSave is named, and can be saved once it does`(kind: StoreKind) throws
        {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let diary = try context.insert(Office.Diary.self)
            diary.atWillSave = { $0.text += "x" }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .willSaveDoesNotSettle && error.objectID == diary.anyObjectID)
            diary.atWillSave = nil
            try context.save()
            #expect(try office.newContext().all(Office.Diary.self).count == 1)
        }

        // MARK: Faults

        @Test(arguments: StoreKind.allCases, [true, false])
        func `a fault whose row is gone never traps`(kind: StoreKind, countsAsDeleted: Bool) throws {
            let office = try OfficeStack(kind)
            let writing = office.newContext()
            let monk = try writing.employee("Monk")
            try writing.save()
            let context = office.newContext(followsCommits: false)
            context.shouldDeleteInaccessibleFaults = countsAsDeleted
            context.stalenessInterval = .zero
            let own = try context.own(monk)
            try context.refresh(own, mergeChanges: false)
            context.endTurn()
            writing.delete(monk)
            try writing.save()
            #expect(own.name == "" && own.age == 0 && own.note == nil)
            if countsAsDeleted {
                #expect(own.isDeleted && office.errors.withLock { $0.isEmpty })
            } else {
                #expect(!office.errors.withLock { $0.isEmpty })
                #expect(throws: FetchError.self) { try own.value(forKey: "name") }
            }
            #expect(throws: FetchError.self) { try own.fault() }
        }

        @Test func `a draft's object whose context is gone has no conflict`() throws {
            let office = try OfficeStack()
            var context: ManagedObjectContext? = ManagedObjectContext(coordinator: office.stack.coordinator)
            let monk = try #require(try context?.employee("Monk"))
            try context?.save()
            monk.age = 18
            context = nil
            #expect(!monk.hasConflict && monk.changedValuesForCurrentEvent().isEmpty)
            #expect(throws: FetchError.self) { try monk.objectIDs(forRelationshipNamed: "friends") }
            #expect(throws: FetchError.self) { try monk.committedValues(forKeys: ["friends"]) }
            #expect(try monk.hasFault(forRelationshipNamed: "friends"))
        }

        // MARK: Merge policies

        @Test(arguments: StoreKind.allCases)
        func `object trump writes the contested key and keeps the store's others`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let (first, second) = (office.newContext(), office.newContext(.mergeByPropertyObjectTrump))
            let theirs = try first.employee("Monk")
            try first.save()
            let mine = try second.own(theirs)
            (mine.name, theirs.name, theirs.age) = ("mine", "theirs", 7)
            try first.save()
            try second.save()
            let stored = try office.newContext().own(mine)
            #expect(stored.name == "mine" && stored.age == 7 && mine.age == 7)
        }

        // MARK: Validation

        @Test(arguments: StoreKind.allCases)
        func `nullify into a mandatory inverse is 1570, of the object that is left`(kind: StoreKind) throws {
            let registry = try RegistryStack(kind)
            let context = registry.newContext()
            let (customer, order) = (
                try context.insert(Registry.Customer.self), try context.insert(Registry.Order.self)
            )
            order.customer = customer
            try context.save()
            context.delete(customer)
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code.rawValue == 1570)
            #expect(error.validationProblems.map(\.key) == ["customer"])
            #expect(error.validationProblems.map(\.objectID) == [order.anyObjectID])
            context.delete(order)
            try context.save()
            #expect(try registry.newContext().count(FetchRequest(entityName: "Customer")) == 0)
        }

        @Test(arguments: StoreKind.allCases)
        func `deny inside a cascade denies the whole, and cascades in a circle end`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let company = try context.insert(Office.Company.self)
            company.departments = [try context.department("kitchen")]
            let project = try context.insert(Office.Project.self)
            project.department = company.departments[0]
            let (first, second) = (try context.insert(Office.Step.self), try context.insert(Office.Step.self))
            (first.next, second.next) = (second, first)
            try context.save()
            context.delete(company)
            #expect(try #require(throws: SaveError.self) { try context.save() }.code.rawValue == 1600)
            context.rollback()
            context.delete(first)
            try context.save()
            let reader = office.newContext()
            #expect(try reader.count(FetchRequest(entityName: "Step")) == 0)
            #expect(try reader.count(FetchRequest(entityName: "Company")) == 1)
        }

        // MARK: Undo

        @Test(arguments: StoreKind.allCases)
        func `a step is one processed event, and rollback and reset clear the steps`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let monk = try context.employee("Monk")
            try context.save()
            let undo = ContextUndoManager()
            context.undoManager = undo
            (monk.age, monk.note) = (18, "tall")
            context.processPendingChanges()
            monk.age = 19
            context.undo()
            #expect(monk.age == 18 && monk.note == "tall")
            context.undo()
            #expect(monk.age == 0 && monk.note == nil && !undo.canUndo && undo.canRedo)
            context.redo()
            context.rollback()
            #expect(!undo.canUndo && !undo.canRedo)
            monk.age = 1
            context.processPendingChanges()
            context.reset()
            #expect(!undo.canUndo && !undo.canRedo)
        }

        // MARK: Fetching

        @Test(arguments: StoreKind.allCases)
        func `limit and offset are exact over unsaved changes, and counts are of their members`(kind: StoreKind) throws
        {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            var saved: [Office.Employee] = []
            for name in ["a", "c", "e", "g"] { saved.append(try context.employee(name)) }
            try context.save()
            context.delete(saved[0])
            saved[3].name = "b"
            for name in ["d", "f"] { _ = try context.employee(name) }
            var request = FetchRequest(entityName: "Employee")
            request.sortTerms = [SortTerm("name")]
            (request.fetchOffset, request.fetchLimit) = (1, 3)
            #expect(try context.fetch(request).compactMap { ($0 as? Office.Employee)?.name } == ["c", "d", "e"])
            #expect(try context.count(request) == 3)
            request.fetchOffset = 4
            #expect(try context.fetch(request).compactMap { ($0 as? Office.Employee)?.name } == ["f"])
            #expect(try context.count(request) == 1)
        }

        // MARK: Relationships

        @Test func `a link between two files is refused by name, and nothing is written`() throws {
            let folder = try TemporaryFolder()
            let model = try ManagedObjectModel(configurations: ["private": ["Note"], "shared": ["Paper"]]) {
                EntityDescription("Note") { RelationshipDescription("paper", to: "Paper") }
                EntityDescription("Paper") { AttributeDescription("name", .string) }
            }
            let stack = Stack(model: model)
            for name in ["private", "shared"] {
                try stack.addDatabaseStore(
                    fileURL: folder.file("\(name).sqlite"), configuration: name, synchronous: .normal)
            }
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let note = try context.insert("Note")
            try note.setValue(.object(try context.insert("Paper").anyObjectID), forKey: "paper")
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .linkBetweenStores && error.message.contains("Note.paper"))
            let reader = ManagedObjectContext(coordinator: stack.coordinator)
            #expect(try reader.count(FetchRequest(entityName: "Note")) == 0)
            #expect(try reader.count(FetchRequest(entityName: "Paper")) == 0)
        }
    }
#endif
