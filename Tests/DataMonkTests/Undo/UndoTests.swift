#if Macros
    import DataMonk
    import Testing

    /// Undo of values, insertions and deletions, across saves.
    @Suite struct Undo {
        private let office: OfficeStack
        private let context: ManagedObjectContext
        private let undo = ContextUndoManager()

        init() throws {
            office = try OfficeStack()
            context = office.newContext()
            context.undoManager = undo
        }

        /// A saved employee; making it is no step.
        private func saved(_ name: String) throws -> Office.Employee {
            undo.disableUndoRegistration()
            defer { undo.enableUndoRegistration() }
            let employee = try context.employee(name)
            try context.save()
            return employee
        }

        @Test func `a new context has no undo manager, and its undo and redo do nothing`() throws {
            let plain = office.newContext()
            #expect(plain.undoManager == nil)
            let monk = try plain.employee("Monk")
            plain.undo()
            plain.redo()
            #expect(monk.name == "Monk" && monk.isInserted)
        }

        @Test func `undo takes a value back and redo sets it again`() throws {
            let monk = try saved("Monk")
            monk.name = "Abbot"
            monk.note = "a long note that lies in the tail of the row"
            context.processPendingChanges()
            #expect(undo.canUndo && !undo.canRedo)
            context.undo()
            #expect(monk.name == "Monk" && monk.note == nil)
            #expect(!undo.canUndo && undo.canRedo)
            context.redo()
            #expect(monk.name == "Abbot" && monk.note == "a long note that lies in the tail of the row")
            #expect(undo.canUndo && !undo.canRedo)
        }

        @Test func `an object whose changes were taken back has none`() throws {
            let monk = try saved("Monk")
            monk.name = "Abbot"
            monk.department = try context.department("d")
            context.undo()
            #expect(!monk.hasChanges && !context.hasChanges)
        }

        @Test func `each processed event is a step`() throws {
            let monk = try saved("Monk")
            for age in 1...3 {
                monk.age = age
                context.processPendingChanges()
            }
            context.undo()
            #expect(monk.age == 2)
            context.undo()
            #expect(monk.age == 1)
            context.redo()
            #expect(monk.age == 2)
        }

        @Test func `undo ends the event: what was just changed goes first`() throws {
            let monk = try saved("Monk")
            monk.age = 1
            context.processPendingChanges()
            monk.age = 2
            context.undo()
            #expect(monk.age == 1)
        }

        @Test func `a value set to what it was makes no step`() throws {
            let monk = try saved("Monk")
            monk.age = 5
            monk.age = 0
            context.processPendingChanges()
            #expect(!undo.canUndo)
        }

        @Test func `undo removes an inserted object and redo brings it back`() throws {
            let monk = try context.employee("Monk")
            monk.age = 7
            context.processPendingChanges()
            context.undo()
            #expect(try context.all(Office.Employee.self).isEmpty)
            #expect(!context.hasChanges)
            context.redo()
            #expect(try context.all(Office.Employee.self) == [monk])
            #expect(monk.age == 7 && monk.isInserted)
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).map(\.name) == ["Monk"])
        }

        @Test func `undo of an insertion that was saved deletes the object`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            context.undo()
            #expect(monk.isDeleted)
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).isEmpty)
            context.redo()
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).map(\.name) == ["Monk"])
        }

        @Test func `undo takes a deletion back`() throws {
            let monk = try saved("Monk")
            context.delete(monk)
            context.processPendingChanges()
            context.undo()
            #expect(!monk.isDeleted && !context.hasChanges)
            context.redo()
            #expect(monk.isDeleted && context.deletedObjects == [monk])
        }

        @Test func `undo of a saved deletion inserts the object again, with its values and a new id`() throws {
            let monk = try saved("Monk")
            monk.note = "remembers"
            try context.save()
            let id = monk.objectID
            context.delete(monk)
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).isEmpty)
            context.undo()
            #expect(monk.isInserted && monk.name == "Monk" && monk.objectID.isTemporaryID)
            try context.save()
            let read = try #require(try office.newContext().all(Office.Employee.self).first)
            #expect(read.name == "Monk" && read.note == "remembers")
            #expect(monk.objectID != id && !monk.objectID.isTemporaryID)
            #expect(try context.all(Office.Employee.self) == [monk])
        }

        @Test func `undo of the deletion of a fault reads it before its row is gone`() throws {
            let id = try saved("Monk").anyObjectID
            let other = office.newContext()
            other.undoManager = ContextUndoManager()
            let monk = try other.existingObject(with: id)
            try other.refresh(monk, mergeChanges: false)
            #expect(monk.isFault)
            other.delete(monk)
            try other.save()
            other.undo()
            try other.save()
            #expect(try office.newContext().all(Office.Employee.self).map(\.name) == ["Monk"])
        }

        @Test func `a save keeps the steps`() throws {
            let monk = try saved("Monk")
            monk.age = 1
            try context.save()
            context.undo()
            #expect(monk.age == 0 && monk.hasChanges)
            try context.save()
            #expect(try office.newContext().own(monk).age == 0)
            context.redo()
            try context.save()
            #expect(try office.newContext().own(monk).age == 1)
        }

        @Test func `an inserted and deleted object comes and goes step by step`() throws {
            let monk = try context.employee("Monk")
            context.processPendingChanges()
            monk.age = 3
            context.processPendingChanges()
            context.delete(monk)
            context.processPendingChanges()
            context.undo()
            #expect(try context.all(Office.Employee.self).map(\.age) == [3])
            context.undo()
            #expect(monk.age == 0)
            context.undo()
            #expect(try context.all(Office.Employee.self).isEmpty)
            context.redo()
            context.redo()
            #expect(try context.all(Office.Employee.self).map(\.age) == [3])
            context.redo()
            #expect(try context.all(Office.Employee.self).isEmpty)
        }

        @Test func `transient values are taken back too`() throws {
            let diary = try context.insert(Office.Diary.self)
            try context.save()
            diary.mood = "glad"
            context.processPendingChanges()
            context.undo()
            #expect(diary.mood == "fine")
        }

        // MARK: What is no step

        @Test func `fulfilling a fault is no step`() throws {
            let id = try saved("Monk").anyObjectID
            let other = office.newContext()
            other.undoManager = ContextUndoManager()
            let monk = try #require(try other.existingObject(with: id) as? Office.Employee)
            try other.refresh(monk, mergeChanges: false)
            #expect(monk.name == "Monk" && monk.friends.isEmpty)
            other.processPendingChanges()
            #expect(other.undoManager?.canUndo == false)
        }

        @Test func `merging and refreshing are no steps`() throws {
            let monk = try saved("Monk")
            let other = office.newContext()
            try other.own(monk).age = 9
            try other.save()
            context.mergeCommits()
            try context.refresh(monk, mergeChanges: true)
            context.processPendingChanges()
            #expect(monk.age == 9 && !undo.canUndo)
        }

        @Test func `what a refresh put under unsaved values is not taken back`() throws {
            let monk = try saved("Monk")
            monk.name = "Abbot"
            context.processPendingChanges()
            let other = office.newContext()
            try other.own(monk).age = 9
            try other.save()
            monk.note = "mine"
            try context.refresh(monk, mergeChanges: true)
            #expect(monk.age == 9)
            context.undo()
            #expect(monk.note == nil && monk.age == 9 && monk.name == "Abbot")
            context.undo()
            #expect(monk.age == 9 && monk.name == "Monk")
        }

        @Test func `rollback clears the steps`() throws {
            let monk = try saved("Monk")
            monk.age = 1
            context.processPendingChanges()
            context.undo()
            monk.age = 2
            context.processPendingChanges()
            context.rollback()
            #expect(!undo.canUndo && !undo.canRedo)
        }

        @Test func `reset clears the steps`() throws {
            let monk = try saved("Monk")
            monk.age = 1
            context.processPendingChanges()
            context.reset()
            #expect(!undo.canUndo && !undo.canRedo)
            context.undo()
        }
    }
#endif
