#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// The steps of a save, in their order, and what becomes of one that fails at each.
    @Suite struct `The order of a save` {
        private let coordinator: PersistentStoreCoordinator
        private let store: FaultInjectingStore
        private let context: ManagedObjectContext

        init() throws {
            coordinator = PersistentStoreCoordinator(model: try Office.model.get())
            store = FaultInjectingStore(InMemoryStore(directory: coordinator.directory, index: 0))
            try coordinator.add(store)
            context = ManagedObjectContext(coordinator: coordinator)
        }

        private func stored<Object: ManagedObject>(_ object: Object) throws -> Object {
            let reading = ManagedObjectContext(coordinator: coordinator)
            reader.value = reading
            return try reading.own(object)
        }

        /// Keeps the context of what `stored` answered.
        private final class Holder { var value: ManagedObjectContext? }
        private let reader = Holder()

        // MARK: willSave

        @Test func `delete rules are applied before willSave, and willSave before validation`() throws {
            let department = try context.department("kitchen")
            let monk = try context.employee("Monk")
            monk.department = department
            let diary = try context.insert(Office.Diary.self)
            try context.save()
            context.delete(department)
            let project = try context.insert(Office.Project.self)
            var departmentInWillSave: Office.Department? = department
            diary.text = "changed"
            diary.atWillSave = { [context] diary in
                departmentInWillSave = monk.department
                // A project without a department would not pass validation.
                if project.department == nil { project.department = try? context.insert(Office.Department.self) }
            }
            try context.save()
            #expect(departmentInWillSave == nil && project.department != nil)
        }

        @Test func `an object that its own willSave changes is asked again, until it is stable`() throws {
            let diary = try context.insert(Office.Diary.self)
            diary.events = []
            diary.atWillSave = { if $0.text.count < 3 { $0.text += "x" } }
            try context.save()
            #expect(diary.events == ["willSave", "willSave", "willSave", "willSave", "didSave"])
            #expect(try stored(diary).text == "xxx")
        }

        @Test func `an object that was asked before another one changed it is asked again`() throws {
            let (first, second) = (try context.insert(Office.Diary.self), try context.insert(Office.Diary.self))
            (first.events, second.events) = ([], [])
            second.atWillSave = { _ in if first.text != "by second" { first.text = "by second" } }
            try context.save()
            #expect(first.events == ["willSave", "willSave", "didSave"])
            #expect(second.events == ["willSave", "didSave"])
        }

        @Test func `a primitive setter in willSave brings about no other round`() throws {
            let diary = try context.insert(Office.Diary.self)
            diary.events = []
            diary.atWillSave = { diary in
                // Reason for try?: the test's expectations show whether it worked.
                try? diary.setPrimitiveValue(.string("at \(diary.events.count)"), forKey: "text")
            }
            try context.save()
            #expect(diary.events == ["willSave", "didSave"])
            #expect(try stored(diary).text == "at 1")
        }

        @Test func `a willSave that always changes its object is stopped, and the object named`() throws {
            let diary = try context.insert(Office.Diary.self)
            _ = try context.insert(Office.Diary.self)
            diary.atWillSave = { $0.text += "x" }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .willSaveDoesNotSettle && error.objectID == diary.anyObjectID)
            diary.atWillSave = nil
            try context.save()
        }

        @Test func `a willSave that sets a relationship brings about a round for both sides`() throws {
            let monk = try context.employee("Monk")
            let diary = try context.insert(Office.Diary.self)
            try context.save()
            diary.text = "changed"
            diary.atWillSave = { [context] _ in
                if monk.department == nil { monk.department = try? context.department("new") }
            }
            try context.save()
            #expect(try stored(monk).department?.name == "new")
        }

        @Test func `willSave runs for what a delete rule deletes`() throws {
            let diary = try context.insert(Office.Diary.self)
            try context.save()
            diary.events = []
            context.delete(diary)
            try context.save()
            #expect(diary.events == ["prepareForDeletion", "willSave deleted", "didSave"])
        }

        @Test func `an object deleted before its first save just goes: no hook hears of a save`() throws {
            let diary = try context.insert(Office.Diary.self)
            diary.events = []
            context.delete(diary)
            #expect(!context.hasChanges && !diary.hasChanges)
            try context.save()
            #expect(diary.events == ["prepareForDeletion"])
            #expect(try ManagedObjectContext(coordinator: coordinator).count(FetchRequest(entityName: "Diary")) == 0)
        }

        // MARK: Failures

        /// An update, an insertion, a deletion and a link, unsaved.
        private func makeChanges() throws -> (Office.Employee, Office.Employee, Office.Department, Office.Skill) {
            let (monk, gone) = (try context.employee("Monk"), try context.department("gone"))
            monk.department = gone
            let skill = try context.insert(Office.Skill.self)
            try context.save()
            monk.age = 18
            monk.skills = [skill]
            context.delete(gone)
            return (monk, try context.employee("new"), gone, skill)
        }

        private func expectPending(_ monk: Office.Employee, _ new: Office.Employee, _ gone: Office.Department) {
            #expect(context.insertedObjects == [new] && new.objectID.isTemporaryID)
            #expect(context.deletedObjects == [gone] && monk.isUpdated && monk.age == 18 && monk.skills.count == 1)
        }

        private func expectSaved(_ monk: Office.Employee, _ new: Office.Employee) throws {
            #expect(!context.hasChanges && !new.objectID.isTemporaryID)
            let read = try stored(monk)
            #expect(read.age == 18 && read.skills.count == 1 && read.department == nil)
            #expect(try reader.value?.count(FetchRequest(entityName: "Department")) == 0)
            #expect(try reader.value?.count(FetchRequest(entityName: "Employee")) == 2)
        }

        @Test(arguments: [FaultInjectingStore.Place.begin, .write, .commit])
        func `a save that fails in the store leaves every change pending, and the next one succeeds`(
            place: FaultInjectingStore.Place
        ) throws {
            let (monk, new, gone, _) = try makeChanges()
            for _ in 0..<2 {
                store.fail(place)
                #expect(throws: StoreError.self) { try context.save() }
                expectPending(monk, new, gone)
            }
            try context.save()
            try expectSaved(monk, new)
        }

        @Test func `a save that fails in validation leaves every change pending, and the corrected one succeeds`()
            throws
        {
            let (monk, new, gone, _) = try makeChanges()
            let project = try context.insert(Office.Project.self)
            #expect(throws: SaveError.self) { try context.save() }
            context.delete(project)
            expectPending(monk, new, gone)
            try context.save()
            try expectSaved(monk, new)
        }

        @Test func `a save that fails on a conflict leaves every change pending, and the corrected one succeeds`()
            throws
        {
            let (monk, new, gone, _) = try makeChanges()
            let other = ManagedObjectContext(coordinator: coordinator)
            try other.own(monk).note = "theirs"
            try other.save()
            #expect(throws: SaveError.self) { try context.save() }
            expectPending(monk, new, gone)
            try context.refresh(monk, mergeChanges: true)
            try context.save()
            try expectSaved(monk, new)
            #expect(try stored(monk).note == "theirs")
        }

        @Test func `a save whose rows cannot be read leaves every change pending, and the next one succeeds`() throws {
            let (monk, new, gone, _) = try makeChanges()
            let other = ManagedObjectContext(coordinator: coordinator, mergePolicy: .mergeByPropertyObjectTrump)
            try other.own(monk).note = "theirs"
            try other.save()
            context.mergePolicy = .mergeByPropertyObjectTrump
            // The first attempt meets the conflict, the second one the failure.
            store.fail(.commit)
            #expect(throws: StoreError.self) { try context.save() }
            expectPending(monk, new, gone)
            try context.save()
            try expectSaved(monk, new)
            #expect(try stored(monk).note == "theirs")
        }

        // MARK: Afterwards

        @Test func `after a save flags are false, ids permanent, and nothing is changed`() throws {
            let (monk, new, gone, _) = try makeChanges()
            try context.save()
            for object in [monk, new, gone] as [ManagedObject] {
                #expect(!object.isInserted && !object.isUpdated && !object.isDeleted && !object.hasChanges)
            }
            #expect(monk.changedValues().isEmpty && new.changedValues().isEmpty)
            #expect(new.objectID.uri.absoluteString.hasSuffix("/Employee/p2"))
        }

        @Test func `one notice names exactly what was inserted, updated and deleted`() throws {
            let (monk, new, gone, skill) = try makeChanges()
            let untouched = try context.employee("untouched")
            try context.save()
            _ = untouched
            let notices = Locked<[ChangeSet]>([])
            let token = coordinator.commitObservers.add { changes in notices.withLock { $0.append(changes) } }
            defer { coordinator.commitObservers.remove(token) }
            monk.age = 19
            monk.note = nil
            untouched.age = 0
            context.delete(new)
            let newest = try context.employee("newest")
            try context.save()
            let notice = try #require(notices.withLock { $0 }.first)
            #expect(notices.withLock { $0.count } == 1)
            #expect(notice.inserted.map(\.key) == [newest.anyObjectID.key])
            #expect(notice.updated.map(\.key) == [monk.anyObjectID.key])
            #expect(notice.deleted.count == 1 && notice.links.isEmpty)
            _ = (gone, skill)
        }
    }
#endif
