#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// What Core Data was observed to do in an object's life.
    @Suite struct `Scenarios of the life cycle` {
        /// A diary in a context, saved or not.
        private struct Scene {
            let office: OfficeStack
            let context: ManagedObjectContext
            let diary: Office.Diary

            init(_ kind: StoreKind, isSaved: Bool = true) throws {
                office = try OfficeStack(kind)
                context = office.newContext()
                diary = try context.insert(Office.Diary.self)
                if !isSaved { return }
                diary.text = "old"
                try context.save()
                diary.events = []
            }
        }

        @Test(.scenario("scn/lifecycle/001"), arguments: StoreKind.allCases)
        func `an insert awakes once, with the defaults set, and is not fetched`(kind: StoreKind) throws {
            let scene = try Scene(kind, isSaved: false)
            let diary = scene.diary
            #expect(diary.events == ["awakeFromInsert untitled"])
        }

        @Test(.scenario("scn/lifecycle/002"), arguments: StoreKind.allCases)
        func `a fresh insert is no fault and has a temporary id and its context`(kind: StoreKind) throws {
            let scene = try Scene(kind, isSaved: false)
            let (context, diary) = (scene.context, scene.diary)
            #expect(diary.isInserted && !diary.isFault && diary.anyObjectID.isTemporaryID)
            #expect(diary.managedObjectContext === context)
        }

        @Test(.scenario("scn/lifecycle/003"), arguments: StoreKind.allCases)
        func `a save asks and tells an insert once, and leaves it clean with a permanent id`(kind: StoreKind) throws {
            let scene = try Scene(kind, isSaved: false)
            let (context, diary) = (scene.context, scene.diary)
            diary.events = []
            try context.save()
            #expect(diary.events == ["willSave", "didSave"])
            #expect(!diary.isInserted && !diary.isUpdated && !diary.isDeleted && !diary.anyObjectID.isTemporaryID)
        }

        @Test(.scenario("scn/lifecycle/005"), arguments: StoreKind.allCases)
        func `committed values are the old ones until the save, then the new ones`(kind: StoreKind) throws {
            let scene = try Scene(kind)
            scene.diary.text = "new"
            #expect(try scene.diary.committedValues(forKeys: ["text"]) == ["text": "old"])
            try scene.context.save()
            #expect(try scene.diary.committedValues(forKeys: ["text"]) == ["text": "new"])
        }

        @Test(.scenario("scn/lifecycle/006"), arguments: StoreKind.allCases)
        func `an object fetched by another context awakes from the fetch once`(kind: StoreKind) throws {
            let scene = try Scene(kind)
            let diary = try scene.office.newContext().own(scene.diary)
            _ = (diary.text, diary.title)
            #expect(diary.events == ["awakeFromFetch untitled"] && !diary.isFault)
        }

        @Test(.scenario("scn/lifecycle/007"), arguments: StoreKind.allCases)
        func `a refresh without merging makes a fault, says so once, and loses the edit`(kind: StoreKind) throws {
            let scene = try Scene(kind)
            let (context, diary) = (scene.context, scene.diary)
            diary.text = "edit"
            try context.refresh(diary, mergeChanges: false)
            #expect(diary.isFault && diary.events == ["willTurnIntoFault", "didTurnIntoFault"])
            #expect(diary.text == "old" && !diary.isFault && !context.hasChanges)
        }

        @Test(.scenario("scn/lifecycle/009"), arguments: StoreKind.allCases)
        func `each of two deletions of one object is prepared`(kind: StoreKind) throws {
            let scene = try Scene(kind)
            let (context, diary) = (scene.context, scene.diary)
            context.delete(diary)
            context.delete(diary)
            #expect(diary.events == ["prepareForDeletion", "prepareForDeletion"])
        }

        @Test(.scenario("scn/lifecycle/010"), arguments: StoreKind.allCases)
        func `a saved deletion is no deletion any more, and is not fetched`(kind: StoreKind) throws {
            let scene = try Scene(kind)
            let (context, diary) = (scene.context, scene.diary)
            context.delete(diary)
            #expect(diary.isDeleted)
            try context.save()
            #expect(!diary.isDeleted)
            #expect(try context.all(Office.Diary.self).isEmpty)
            #expect(try scene.office.newContext().all(Office.Diary.self).isEmpty)
        }

        @Test(.scenario("scn/lifecycle/011"), arguments: StoreKind.allCases)
        func `a rollback empties the three sets and forgets the insert`(kind: StoreKind) throws {
            let scene = try Scene(kind)
            let (context, updated) = (scene.context, scene.diary)
            let deleted = try context.insert(Office.Diary.self)
            try context.save()
            updated.text = "edit"
            context.delete(deleted)
            let inserted = try context.insert(Office.Diary.self)
            let id = inserted.anyObjectID
            context.rollback()
            #expect(context.insertedObjects.isEmpty && context.updatedObjects.isEmpty && context.deletedObjects.isEmpty)
            #expect(updated.text == "old" && !deleted.isDeleted)
            #expect(throws: FetchError.self) { try context.existingObject(with: id) }
        }

        @Test(.scenario("scn/ids/001"), arguments: StoreKind.allCases)
        func `a saved object's URI names store, entity and primary key`(kind: StoreKind) throws {
            let scene = try Scene(kind)
            let diary = scene.diary
            let store = try #require(scene.office.stack.coordinator.stores.first).identifier
            #expect(diary.anyObjectID.uri.absoluteString == "x-coredata://\(store.uuidString)/Diary/p1")
        }

        @Test(.scenario("scn/ordered/001"), arguments: StoreKind.allCases)
        func `an order and a new order are there after a refetch`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let company = try context.insert(Office.Company.self)
            company.departments = try ["charlie", "alpha", "bravo"].map(context.department)
            try context.save()
            #expect(try office.newContext().own(company).departments.map(\.name) == ["charlie", "alpha", "bravo"])
            company.departments.swapAt(0, 2)
            try context.save()
            #expect(try office.newContext().own(company).departments.map(\.name) == ["bravo", "alpha", "charlie"])
        }
    }
#endif
