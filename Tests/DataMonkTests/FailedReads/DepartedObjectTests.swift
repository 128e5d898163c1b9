#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// Objects that have left their context: their deletion was saved, or the context was reset.
    @Suite struct `An object that has left its context` {
        private func code(_ body: () throws -> Void) throws -> FetchError.Code {
            try #require(throws: FetchError.self) { try body() }.code
        }

        @Test(
            .timeLimit(.minutes(60)), arguments: StoreKind.allCases, [MergePolicy.error, .mergeByPropertyObjectTrump])
        func `drops what is set after its deletion was saved, and the next save says so`(
            kind: StoreKind, policy: MergePolicy
        ) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext(policy)
            let monk = try context.employee("Monk")
            try context.save()
            context.delete(monk)
            try context.save()
            monk.age = 3
            #expect(monk.age == 0 && monk.name == "Monk" && !context.hasChanges)
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .unreadValues && error.objectID == monk.anyObjectID)
            #expect(error.failedAccesses.map(\.kind) == [.write])
            #expect(error.failedAccesses.map(\.propertyName) == ["age"])
            #expect((error.failedAccesses[0].cause as? FetchError)?.code == .objectIsDeleted)
            context.rollback()
            try context.save()
        }

        @Test(arguments: StoreKind.allCases)
        func `is one that a cascade took along, too`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let monk = try context.employee("Monk")
            let badge = try context.insert(Office.Badge.self)
            monk.badge = badge
            try context.save()
            context.delete(monk)
            try context.save()
            badge.code = "late"
            #expect(throws: SaveError.self) { try context.save() }
            #expect(badge.code == nil)
        }

        @Test func `throws where calls can throw`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let (monk, other) = (try context.employee("Monk"), try context.employee("Other"))
            let kitchen = try context.department("kitchen")
            try context.save()
            context.delete(monk)
            try context.save()
            #expect(try code { try monk.setValue(.int(1), forKey: "age") } == .objectIsDeleted)
            #expect(try code { try monk.setPrimitiveValue(.int(1), forKey: "age") } == .objectIsDeleted)
            #expect(try code { try monk.setObjects([other], forKey: "friends") } == .objectIsDeleted)
            #expect(try code { try kitchen.setObjects([monk], forKey: "employees") } == .objectIsDeleted)
            #expect(try code { try context.refresh(monk, mergeChanges: true) } == .objectIsDeleted)
            #expect(try code { try context.assign(monk) } == .objectIsDeleted)
            #expect(try code { try other.setValue(.object(monk.anyObjectID), forKey: "manager") } == .objectNotFound)
            #expect(context.failedAccesses.isEmpty && !context.hasChanges)
        }

        @Test func `keeps its changes if it is refreshed after others have deleted it`() throws {
            let office = try OfficeStack()
            let (context, other) = (office.newContext(), office.newContext())
            let monk = try context.employee("Monk")
            try context.save()
            other.delete(try other.own(monk))
            monk.age = 3
            try other.save()
            #expect(try code { try context.refresh(monk, mergeChanges: true) } == .objectNotFound)
            #expect(monk.age == 3 && context.hasChanges)
            #expect(throws: SaveError.self) { try context.save() }
        }

        @Test func `is related to nothing`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let (monk, other) = (try context.employee("Monk"), try context.employee("Other"))
            let kitchen = try context.department("kitchen")
            try context.save()
            context.delete(monk)
            try context.save()
            monk.department = kitchen
            other.mentor = monk
            kitchen.employees = [monk, other]
            kitchen.add(monk, to: \.guests)
            other.friends.insert(monk)
            #expect(
                context.failedAccesses.map(\.propertyName) == [
                    "department", "mentor", "employees", "guests", "friends",
                ])
            #expect(other.mentor == nil && kitchen.employees.isEmpty && kitchen.guests.isEmpty && other.friends.isEmpty)
            #expect(!context.hasChanges)
        }

        @Test func `leaves a relationship without an inverse that it was in`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let (monk, kitchen) = (try context.employee("Monk"), try context.department("kitchen"))
            kitchen.guests = [monk]
            try context.save()
            context.delete(monk)
            try context.save()
            kitchen.guests = []
            try context.save()
            #expect(kitchen.guests.isEmpty)
        }

        @Test func `can be read, and has no context`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let monk = try context.employee("Monk")
            let kitchen = try context.department("kitchen")
            monk.department = kitchen
            try context.save()
            context.delete(monk)
            #expect(monk.managedObjectContext === context)
            try context.save()
            #expect(monk.managedObjectContext == nil)
            #expect(monk.name == "Monk" && monk.department === kitchen && monk.friends.isEmpty)
            #expect(context.failedAccesses.isEmpty)
        }

        @Test func `is deleted again without a word by the engine, and with an error by updates`() async throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let monk = try context.employee("Monk")
            try context.save()
            context.delete(monk)
            try context.save()
            context.delete(monk)
            try context.save()
            try await Context(stack: office.stack).update { update in
                let (first, second) = (try update.create(Office.Skill.self), try update.create(Office.Skill.self))
                try update.commit()
                try update.delete(first)
                try update.commit()
                let error = #expect(throws: FetchError.self) { try update.delete([second, first]) }
                #expect(error?.code == .objectIsDeleted && !update.hasChanges)
            }
        }

        @Test func `of a rolled back insertion drops what is set as well`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let monk = try context.employee("Monk")
            context.rollback()
            monk.age = 3
            #expect(monk.age == 0)
            #expect(throws: SaveError.self) { try context.save() }
        }

        @Test(.timeLimit(.minutes(60)), arguments: StoreKind.allCases)
        func `held over a reset leaves its row to the object that is fetched`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let old = try context.employee("Monk")
            try context.save()
            context.reset()
            let new = try #require(try context.all(Office.Employee.self).first)
            #expect(old !== new && old.name == "Monk" && old.managedObjectContext == nil)
            #expect(context.failedAccesses.isEmpty)
            old.age = 9
            new.note = "new"
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect((error.failedAccesses.first?.cause as? FetchError)?.code == .objectIsInvalidated)
            #expect(try code { try old.setValue(.int(1), forKey: "age") } == .objectIsInvalidated)
            context.disregardFailedReads()
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).map(\.age) == [0])
        }

        @Test(.timeLimit(.minutes(60)))
        func `held over a reset is not deleted, and whoever deletes it hears of it`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let old = try context.employee("Monk")
            try context.save()
            context.reset()
            context.delete(old)
            #expect(throws: SaveError.self) { try context.save() }
            #expect(try office.newContext().all(Office.Employee.self).count == 1)
        }

        @Test(arguments: StoreKind.allCases)
        func `comes back once by undo, and can be changed`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let monk = try context.employee("Monk")
            try context.save()
            context.undoManager = ContextUndoManager()
            context.delete(monk)
            try context.save()
            #expect(try context.all(Office.Employee.self).isEmpty)
            context.undo()
            #expect(monk.managedObjectContext === context && monk.isInserted)
            monk.age = 3
            try context.save()
            #expect(try context.all(Office.Employee.self).map { $0 === monk } == [true])
            #expect(context.registeredObjects.count { $0 === monk } == 1)
            try context.checkInvariants()
        }

        @Test func `of a child has left the child alone`() throws {
            let office = try OfficeStack()
            let parent = office.newContext()
            let above = try parent.employee("Monk")
            try parent.save()
            let child = ManagedObjectContext(parent: parent)
            let monk = try child.own(above)
            child.delete(monk)
            try child.save()
            monk.age = 3
            #expect(throws: SaveError.self) { try child.save() }
            #expect(above.isDeleted && parent.failedAccesses.isEmpty)
            try parent.save()
        }
    }

    /// How often a save tries again.
    @Suite struct `Attempts of a save` {
        private let store: FaultInjectingStore
        private let coordinator: PersistentStoreCoordinator
        private let context: ManagedObjectContext

        init() throws {
            coordinator = PersistentStoreCoordinator(model: try Office.model.get())
            store = FaultInjectingStore(InMemoryStore(directory: coordinator.directory, index: 0))
            try coordinator.add(store)
            context = ManagedObjectContext(coordinator: coordinator, mergePolicy: .mergeByPropertyObjectTrump)
        }

        @Test(.timeLimit(.minutes(60))) func `end at a conflict of an object that the context does not know`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            monk.age = 1
            let key = try #require(context.coordinator.directory.key(of: monk.anyObjectID.uri))
            let unknown = ObjectKey(store: 0, entity: key.entityIndex, primaryKey: key.primaryKey + 1)
            store.report([StoredVersion(key: unknown, row: nil)])
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .mergeConflict && monk.hasChanges)
            store.report([])
            try context.save()
        }

        @Test(.timeLimit(.minutes(60))) func `end where conflicts never do`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            monk.age = 1
            let key = try #require(context.coordinator.directory.key(of: monk.anyObjectID.uri))
            let row = try #require(monk.storedRow)
            store.report([StoredVersion(key: key, row: row)])
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .mergeConflict && error.conflicts.count == 1)
            store.report([])
            try context.save()
            #expect(monk.age == 1 && !context.hasChanges)
        }
    }
#endif
