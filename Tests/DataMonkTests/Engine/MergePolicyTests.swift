#if Macros
    import DataMonk
    import Testing

    /// Two contexts change one object; the second to save meets the first one's version.
    @Suite struct `Merge policies` {
        private let office: OfficeStack
        private let first: ManagedObjectContext
        private let monk: Office.Employee

        init() throws {
            office = try OfficeStack()
            first = office.newContext()
            monk = try first.employee("Monk")
            monk.note = "base"
            try first.save()
        }

        /// Both change the name, the first the age, the second the note.
        private func conflict(_ policy: MergePolicy) throws -> (ManagedObjectContext, Office.Employee) {
            let second = office.newContext(policy)
            let mine = try second.own(monk)
            mine.name = "mine"
            mine.note = "mine"
            monk.name = "theirs"
            monk.age = 7
            try first.save()
            return (second, mine)
        }

        private func expectStored(_ name: String, _ age: Int, _ note: String) throws {
            let stored = try office.newContext().own(monk)
            #expect(stored.name == name && stored.age == age && stored.note == note)
        }

        @Test func `error: the save throws with both rows, and nothing is lost`() throws {
            let (second, mine) = try conflict(.error)
            let error = try #require(throws: SaveError.self) { try second.save() }
            #expect(error.code == .mergeConflict)
            let conflict = try #require(error.conflicts.first)
            #expect(error.conflicts.count == 1 && conflict.objectID == monk.anyObjectID)
            #expect(conflict.baseVersion == 1 && conflict.storedVersion == 2)
            #expect(conflict.objectSnapshot["name"] == "Monk" && conflict.storedValues["name"] == "theirs")
            #expect(mine.name == "mine" && mine.note == "mine" && second.hasChanges)
            try expectStored("theirs", 7, "base")
        }

        @Test func `error: after a refresh the save succeeds`() throws {
            let (second, mine) = try conflict(.error)
            #expect(throws: SaveError.self) { try second.save() }
            try second.refresh(mine, mergeChanges: true)
            try second.save()
            try expectStored("mine", 7, "mine")
        }

        @Test func `object trump: what both changed is mine, the rest stays`() throws {
            let (second, mine) = try conflict(.mergeByPropertyObjectTrump)
            try second.save()
            try expectStored("mine", 7, "mine")
            #expect(mine.age == 7 && !mine.hasChanges)
        }

        @Test func `store trump: what both changed is theirs, the rest stays`() throws {
            let (second, mine) = try conflict(.mergeByPropertyStoreTrump)
            try second.save()
            try expectStored("theirs", 7, "mine")
            #expect(mine.name == "theirs" && mine.age == 7 && !mine.hasChanges)
        }

        @Test func `overwrite: the whole object is mine`() throws {
            let (second, mine) = try conflict(.overwrite)
            try second.save()
            try expectStored("mine", 0, "mine")
            #expect(mine.age == 0 && !mine.hasChanges)
        }

        @Test func `rollback: the whole object is theirs`() throws {
            let (second, mine) = try conflict(.rollback)
            let other = try second.employee("Other")
            try second.save()
            try expectStored("theirs", 7, "base")
            #expect(mine.name == "theirs" && mine.note == "base" && !mine.hasChanges)
            #expect(!other.isInserted)
        }

        @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback])
        func `after a conflict the next change is saved`(policy: MergePolicy) throws {
            let (second, mine) = try conflict(policy)
            try second.save()
            mine.age = 99
            try second.save()
            #expect(try office.newContext().own(monk).age == 99)
        }

        @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .mergeByPropertyStoreTrump, .overwrite, .rollback])
        func `an object that others deleted is not brought back`(policy: MergePolicy) throws {
            let second = office.newContext(policy)
            let mine = try second.own(monk)
            mine.name = "mine"
            first.delete(monk)
            try first.save()
            try second.save()
            #expect(mine.isDeleted && !second.hasChanges)
            #expect(try office.newContext().all(Office.Employee.self).isEmpty)
        }

        @Test func `error: an object that others deleted is a conflict without stored values`() throws {
            let second = office.newContext(.error)
            try second.own(monk).name = "mine"
            first.delete(monk)
            try first.save()
            let error = try #require(throws: SaveError.self) { try second.save() }
            #expect(error.conflicts.map(\.storedVersion) == [nil])
            #expect(error.conflicts[0].storedValues.isEmpty)
        }

        @Test(arguments: [MergePolicy.mergeByPropertyObjectTrump, .overwrite])
        func `a deletion wins over an update where the object wins`(policy: MergePolicy) throws {
            let second = office.newContext(policy)
            second.delete(try second.own(monk))
            monk.name = "theirs"
            try first.save()
            try second.save()
            #expect(try office.newContext().all(Office.Employee.self).isEmpty)
        }

        @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .rollback])
        func `a deletion is dropped where the store wins`(policy: MergePolicy) throws {
            let second = office.newContext(policy)
            let mine = try second.own(monk)
            second.delete(mine)
            monk.name = "theirs"
            try first.save()
            try second.save()
            #expect(!mine.isDeleted && mine.name == "theirs")
            try expectStored("theirs", 0, "base")
        }

        @Test func `error: a deletion of an older version is a conflict`() throws {
            let second = office.newContext(.error)
            second.delete(try second.own(monk))
            monk.name = "theirs"
            try first.save()
            // Also where the context has heard of the update in between.
            _ = try second.all(Office.Department.self)
            #expect(throws: SaveError.self) { try second.save() }
            try expectStored("theirs", 0, "base")
        }

        @Test func `an object that both delete is deleted`() throws {
            let second = office.newContext(.mergeByPropertyObjectTrump)
            second.delete(try second.own(monk))
            first.delete(monk)
            try first.save()
            try second.save()
            #expect(!second.hasChanges)
        }

        @Test func `an object that others changed between two saves of mine is no conflict after a fetch`() throws {
            let second = office.newContext(.error)
            let mine = try second.own(monk)
            monk.age = 1
            try first.save()
            _ = try second.all(Office.Employee.self)
            #expect(mine.age == 1)
            mine.age = 2
            try second.save()
            try expectStored("Monk", 2, "base")
        }
    }
#endif
