#if Macros
    import DataMonk
    import Testing

    @Suite struct `Hooks of an object's life` {
        private let office: OfficeStack
        private let context: ManagedObjectContext

        init() throws {
            office = try OfficeStack(.file)
            context = office.newContext()
        }

        @Test func `awakeFromInsert runs once, after the defaults`() throws {
            let diary = try context.insert(Office.Diary.self)
            #expect(diary.events == ["awakeFromInsert untitled"])
        }

        @Test func `awakeFromFetch runs once, with the values`() throws {
            let diary = try context.insert(Office.Diary.self)
            diary.title = "Diary"
            try context.save()
            let other = office.newContext()
            let read = try other.own(diary)
            _ = try other.all(Office.Diary.self)
            #expect(read.events == ["awakeFromFetch Diary"])
        }

        @Test func `didTurnIntoFault runs when a save is over: what it fetches is there once, what it changes stays`()
            throws
        {
            let diary = try context.insert(Office.Diary.self)
            try context.save()
            var fetched: [Office.Diary] = []
            diary.atTurnIntoFault = { [context] when in
                if when == "will" { return }
                // Reason for try?: a failure shows in what is expected below.
                fetched = (try? context.all(Office.Diary.self)) ?? []
                fetched.last?.title = "told"
            }
            let request = BatchUpdateRequest(entityName: "Diary", propertiesToUpdate: ["text": "new"])
            _ = try office.newContext().execute(request)
            let new = try context.insert(Office.Diary.self)
            try context.save()
            diary.atTurnIntoFault = nil
            #expect(fetched.count == 2 && fetched.contains { $0 === new })
            #expect(context.updatedObjects.map(\.anyObjectID) == [fetched.last?.anyObjectID])
            try context.checkInvariants()
        }

        @Test func `a fault wakes when it is fulfilled`() throws {
            _ = try context.insert(Office.Diary.self)
            try context.save()
            var request = FetchRequest(entityName: "Diary")
            request.includesPropertyValues = false
            let other = office.newContext()
            let fault = try #require(try other.fetch(request).first as? Office.Diary)
            #expect(fault.events == [])
            #expect(fault.title == "untitled")
            #expect(fault.events == ["awakeFromFetch untitled"])
        }

        @Test func `willSave and didSave surround a save, of deletions too`() throws {
            let diary = try context.insert(Office.Diary.self)
            diary.events = []
            try context.save()
            #expect(diary.events == ["willSave", "didSave"])
            context.delete(diary)
            diary.events = []
            try context.save()
            #expect(diary.events == ["willSave deleted", "didSave"])
        }

        @Test func `didSave does not run if the save fails`() throws {
            let diary = try context.insert(Office.Diary.self)
            let project = try context.insert(Office.Project.self)
            diary.events = []
            #expect(throws: SaveError.self) { try context.save() }
            #expect(diary.events == ["willSave"])
            context.delete(project)
            diary.events = []
            try context.save()
            #expect(diary.events == ["willSave", "didSave"])
        }

        @Test func `what willSave changes is saved`() throws {
            let diary = try context.insert(Office.Diary.self)
            diary.atWillSave = { $0.text = "saved" }
            try context.save()
            #expect(try office.newContext().own(diary).text == "saved")
        }

        @Test func `an object that willSave of another changes is asked too`() throws {
            let (first, second) = (try context.insert(Office.Diary.self), try context.insert(Office.Diary.self))
            try context.save()
            second.events = []
            first.atWillSave = { _ in second.text = "changed" }
            first.text = "changed"
            try context.save()
            #expect(second.events == ["willSave", "didSave"])
            #expect(try office.newContext().own(second).text == "changed")
        }

        @Test func `what willSave deletes and inserts is saved`() throws {
            let diary = try context.insert(Office.Diary.self)
            let other = try context.insert(Office.Diary.self)
            try context.save()
            diary.text = "changed"
            diary.atWillSave = { [context] _ in
                context.delete(other)
                // Reason for try?: the test's expectations show whether it worked.
                _ = try? context.employee("made in willSave")
            }
            try context.save()
            let reading = office.newContext()
            #expect(try reading.all(Office.Diary.self).count == 1)
            #expect(try reading.all(Office.Employee.self).count >= 1)
        }

        @Test func `a willSave that never settles is stopped with an error that names the entity`() throws {
            let diary = try context.insert(Office.Diary.self)
            diary.atWillSave = Self.endless(context)
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .willSaveDoesNotSettle && error.entityName == "Diary")
            #expect(context.hasChanges)
        }

        /// A hook that makes another object with the same hook.
        private static func endless(_ context: ManagedObjectContext) -> (Office.Diary) -> Void {
            { _ in
                // Reason for try?: a failed insertion would end the chain, and the test with it.
                (try? context.insert(Office.Diary.self))?.atWillSave = endless(context)
            }
        }

        @Test func `a transient value stays in its context, and others have its default`() throws {
            let diary = try context.insert(Office.Diary.self)
            diary.mood = "cheerful"
            try context.save()
            #expect(diary.mood == "cheerful")
            diary.mood = "content"
            diary.text = "changed"
            try context.save()
            #expect(diary.mood == "content" && !diary.hasChanges)
            let other = office.newContext()
            #expect(try other.own(diary).mood == "fine")
            let fetched = try office.newContext().all(Office.Diary.self)
            #expect(fetched.map(\.mood) == ["fine"])
        }

        @Test(arguments: StoreKind.allCases)
        func `a transient attribute has its default in fetched objects, refreshed ones and those of children`(
            kind: StoreKind
        ) throws {
            let office = try OfficeStack(kind)
            let writing = office.newContext()
            let diary = try writing.insert(Office.Diary.self)
            diary.mood = "grim"
            diary.text = "long enough to lie in the tail"
            try writing.save()
            // Another coordinator has no row in its cache.
            if kind == .file { try office.reopen() }
            let context = office.newContext()
            let fetched = try #require(try context.all(Office.Diary.self).first)
            #expect(fetched.mood == "fine" && fetched.text == "long enough to lie in the tail")
            #expect(try fetched.value(forKey: "mood") == "fine" && !fetched.hasChanges)
            fetched.mood = "glad"
            try context.refresh(fetched, mergeChanges: false)
            #expect(fetched.mood == "fine")
            let child = ManagedObjectContext(parent: context)
            #expect(try child.own(fetched).mood == "fine")
            fetched.title = "new"
            try context.save()
            #expect(fetched.mood == "fine")
        }

        @Test func `a change of a transient value alone is not stored, and stays`() throws {
            let diary = try context.insert(Office.Diary.self)
            try context.save()
            let other = office.newContext()
            try other.own(diary).text = "theirs"
            diary.mood = "cheerful"
            try context.save()
            #expect(diary.mood == "cheerful" && !diary.hasChanges)
            // The version is the same: no conflict.
            try other.save()
            _ = try context.all(Office.Diary.self)
            #expect(diary.mood == "cheerful" && diary.text == "theirs")
        }
    }
#endif
