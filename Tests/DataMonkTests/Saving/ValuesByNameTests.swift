#if Macros
    import DataMonk
    import Testing

    /// What an object says of its changes, and access by name beside them.
    @Suite struct `Changed and committed values` {
        private let office: OfficeStack
        private let context: ManagedObjectContext
        private let monk: Office.Employee
        private let department: Office.Department

        init() throws {
            office = try OfficeStack(.file)
            context = office.newContext()
            monk = try context.employee("Monk")
            department = try context.department("kitchen")
            monk.department = department
            try context.save()
        }

        // MARK: Changed values

        @Test func `changedValues are those that differ from the last save, and none after it`() throws {
            #expect(monk.changedValues().isEmpty)
            monk.age = 18
            monk.note = "tall"
            monk.name = "Monk"
            #expect(monk.changedValues() == ["age": 18, "note": "tall"])
            try context.save()
            #expect(monk.changedValues().isEmpty)
        }

        @Test func `changedValues of a new object are those it was given`() throws {
            let new = try context.employee("new")
            #expect(new.changedValues() == ["name": "new"])
            new.age = 0
            #expect(new.changedValues() == ["name": "new"])
        }

        @Test func `changedValues name relationships by ids`() throws {
            let friend = try context.employee("friend")
            monk.friends = [friend]
            monk.department = nil
            #expect(monk.changedValues() == ["department": .null, "friends": [.object(friend.anyObjectID)]])
            #expect(department.changedValues() == ["employees": .list([])])
        }

        @Test func `committedValues are the old ones, and the new ones after a save`() throws {
            monk.age = 18
            monk.department = nil
            #expect(try monk.committedValues(forKeys: ["age"]) == ["age": 0])
            #expect(
                try monk.committedValues(forKeys: ["department"]) == ["department": .object(department.anyObjectID)])
            #expect(
                try department.committedValues(forKeys: ["employees"]) == ["employees": [.object(monk.anyObjectID)]])
            try context.save()
            #expect(try monk.committedValues(forKeys: ["age", "department"]) == ["age": 18, "department": .null])
            #expect(try monk.committedValues()["name"] == "Monk")
        }

        @Test func `committedValues of a fault are read, those of a new object are nil`() throws {
            let other = office.newContext()
            let fault = try #require(try other.all(Office.Employee.self).first)
            try other.refresh(fault, mergeChanges: false)
            #expect(try fault.committedValues(forKeys: ["name"]) == ["name": "Monk"])
            #expect(try context.employee("new").committedValues(forKeys: ["name"]) == ["name": .null])
            #expect(throws: FetchError.self) { try monk.committedValues(forKeys: ["nam"]) }
        }

        @Test func `a transient change is no persistent one`() throws {
            let diary = try context.insert(Office.Diary.self)
            try context.save()
            diary.mood = "cheerful"
            #expect(diary.hasChanges && !diary.hasPersistentChangedValues)
            #expect(diary.changedValues() == ["mood": "cheerful"])
            diary.text = "changed"
            #expect(diary.hasPersistentChangedValues)
            try context.save()
            #expect(!diary.hasPersistentChangedValues)
            context.delete(diary)
            #expect(diary.hasPersistentChangedValues)
        }

        // MARK: Primitive values

        @Test func `primitive values are read and written by name`() throws {
            try monk.setPrimitiveValue(18, forKey: "age")
            #expect(monk.age == 18 && monk.hasChanges)
            #expect(try monk.primitiveValue(forKey: "age") == 18)
            try context.save()
            #expect(try office.newContext().own(monk).age == 18)
        }

        @Test func `a wrong key is refused with the nearest one, a relationship and a wrong value too`() throws {
            let unknown = try #require(throws: FetchError.self) { try monk.setPrimitiveValue(1, forKey: "agee") }
            #expect(unknown.code == .unknownKey && unknown.message.contains("\"age\""))
            #expect(throws: FetchError.self) { try monk.primitiveValue(forKey: "department") }
            #expect(throws: FetchError.self) { try monk.setPrimitiveValue("old", forKey: "age") }
            #expect(!monk.hasChanges)
        }

        // MARK: Relationships

        @Test func `whether a relationship is a fault is known without reading it`() throws {
            let other = office.newContext()
            let mine = try other.own(monk)
            #expect(try mine.hasFault(forRelationshipNamed: "department"))
            #expect(try mine.hasFault(forRelationshipNamed: "friends"))
            #expect(try !mine.hasFault(forRelationshipNamed: "manager"))
            _ = (mine.department?.name, mine.friends)
            #expect(try !mine.hasFault(forRelationshipNamed: "department"))
            #expect(try !mine.hasFault(forRelationshipNamed: "friends"))
            #expect(throws: FetchError.self) { try mine.hasFault(forRelationshipNamed: "frends") }
            let attribute = try #require(throws: FetchError.self) { try mine.hasFault(forRelationshipNamed: "name") }
            #expect(attribute.code == .typeMismatch)
        }

        @Test func `the ids at the other end of a relationship, unsaved changes included`() throws {
            let friend = try context.employee("friend")
            monk.friends = [friend]
            #expect(try monk.objectIDs(forRelationshipNamed: "friends") == [friend.anyObjectID])
            #expect(try monk.objectIDs(forRelationshipNamed: "department") == [department.anyObjectID])
            #expect(try monk.objectIDs(forRelationshipNamed: "manager").isEmpty)
            #expect(
                try office.newContext().own(department).objectIDs(forRelationshipNamed: "employees") == [
                    monk.anyObjectID
                ])
        }

        // MARK: Hooks

        @Test func `willTurnIntoFault and didTurnIntoFault run once for each refresh`() throws {
            let diary = try context.insert(Office.Diary.self)
            try context.save()
            diary.text = "lost"
            diary.events = []
            try context.refresh(diary, mergeChanges: false)
            #expect(diary.isFault && diary.events == ["willTurnIntoFault", "didTurnIntoFault"])
            try context.refresh(diary, mergeChanges: false)
            #expect(diary.events.count == 2 && diary.text == "")
            try context.refresh(diary, mergeChanges: false)
            #expect(diary.events.count == 4)
        }
    }
#endif
