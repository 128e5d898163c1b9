#if Macros
    import DataMonk
    import Testing

    /// Steps of an undo manager: groups, names, bounds, times without registration.
    @Suite struct `Undo steps` {
        private let office: OfficeStack
        private let context: ManagedObjectContext
        private let undo = ContextUndoManager()
        private let monk: Office.Employee

        init() throws {
            office = try OfficeStack()
            context = office.newContext()
            monk = try context.employee("Monk")
            try context.save()
            context.undoManager = undo
        }

        private func setAge(_ age: Int) {
            monk.age = age
            context.processPendingChanges()
        }

        @Test func `a group is one step`() throws {
            undo.beginUndoGrouping()
            setAge(1)
            undo.beginUndoGrouping()
            setAge(2)
            try context.save()
            undo.endUndoGrouping()
            #expect(!undo.canUndo && undo.groupingLevel == 1)
            monk.name = "Abbot"
            undo.endUndoGrouping()
            context.undo()
            #expect(monk.age == 0 && monk.name == "Monk" && !undo.canUndo)
            context.redo()
            #expect(monk.age == 2 && monk.name == "Abbot")
        }

        @Test func `what was changed before a group is a step of its own`() {
            monk.age = 1
            undo.beginUndoGrouping()
            monk.age = 2
            undo.endUndoGrouping()
            context.undo()
            #expect(monk.age == 1)
        }

        @Test func `an empty group is no step`() {
            undo.beginUndoGrouping()
            undo.endUndoGrouping()
            #expect(!undo.canUndo)
        }

        @Test func `a step keeps its name through undo and redo`() {
            monk.age = 1
            undo.setActionName("Birthday")
            context.processPendingChanges()
            setAge(2)
            undo.setActionName("Another birthday")
            #expect(undo.undoActionName == "Another birthday" && undo.redoActionName.isEmpty)
            context.undo()
            #expect(undo.undoActionName == "Birthday" && undo.redoActionName == "Another birthday")
            context.redo()
            #expect(undo.undoActionName == "Another birthday" && undo.redoActionName.isEmpty)
        }

        @Test func `a group has the name that was set inside it`() {
            setAge(1)
            undo.beginUndoGrouping()
            setAge(2)
            undo.setActionName("Group")
            undo.endUndoGrouping()
            #expect(undo.undoActionName == "Group")
            context.undo()
            #expect(undo.undoActionName.isEmpty)
        }

        @Test func `no more steps are kept than there are levels`() {
            undo.levelsOfUndo = 2
            for age in 1...5 { setAge(age) }
            for _ in 0..<5 { context.undo() }
            #expect(monk.age == 3)
            undo.levelsOfUndo = 1
            context.redo()
            context.redo()
            context.undo()
            context.undo()
            #expect(monk.age == 4)
        }

        @Test func `a new change forgets what could be made again`() {
            setAge(1)
            setAge(2)
            context.undo()
            setAge(7)
            #expect(!undo.canRedo)
            context.undo()
            #expect(monk.age == 1)
        }

        @Test func `without registration a change is no step`() {
            setAge(1)
            monk.name = "Prior"
            undo.disableUndoRegistration()
            monk.name = "Abbot"
            undo.disableUndoRegistration()
            undo.enableUndoRegistration()
            monk.note = "unseen"
            #expect(!undo.isUndoRegistrationEnabled)
            undo.enableUndoRegistration()
            monk.age = 2
            context.undo()
            #expect(monk.age == 1 && monk.name == "Abbot" && monk.note == "unseen")
            context.undo()
            #expect(monk.name == "Monk" && monk.age == 1)
        }

        @Test func `removeAllActions forgets every step`() {
            setAge(1)
            setAge(2)
            context.undo()
            undo.removeAllActions()
            #expect(!undo.canUndo && !undo.canRedo)
        }

        @Test func `removeAllActions releases an object that only the last step held`() throws {
            weak var left: Office.Employee?
            do {
                let employee = try context.employee("left")
                try context.save()
                context.delete(employee)
                context.processPendingChanges()
                try context.save()
                left = employee
            }
            #expect(left != nil)
            undo.removeAllActions()
            #expect(left == nil)
        }

        @Test func `a context may lose its undo manager and get another one`() {
            setAge(1)
            context.undoManager = nil
            #expect(!undo.canUndo)
            setAge(2)
            context.undoManager = undo
            setAge(3)
            context.undo()
            context.undo()
            #expect(monk.age == 2)
        }

        @Test func `unsaved changes from before the undo manager are no step, and are kept`() throws {
            let plain = office.newContext()
            let prior = try plain.employee("Prior")
            prior.age = 4
            plain.undoManager = ContextUndoManager()
            prior.age = 5
            plain.undo()
            plain.undo()
            #expect(prior.age == 4 && prior.isInserted)
        }

        @Test func `what willSave changes belongs to the step before the save`() throws {
            let diary = try context.insert(Office.Diary.self)
            try context.save()
            diary.atWillSave = { diary in if diary.text != "stamped" { diary.text = "stamped" } }
            diary.title = "new"
            context.processPendingChanges()
            try context.save()
            #expect(diary.text == "stamped")
            context.undo()
            #expect(diary.title == "untitled" && diary.text == "")
            context.redo()
            #expect(diary.title == "new" && diary.text == "stamped")
        }

        @Test func `what a save's hooks change after an undo does not forget what can be made again`() throws {
            let diary = try context.insert(Office.Diary.self)
            try context.save()
            for title in ["one", "two"] {
                diary.title = title
                context.processPendingChanges()
            }
            context.undo()
            diary.atWillSave = { diary in if diary.text != "stamped" { diary.text = "stamped" } }
            try context.save()
            #expect(diary.text == "stamped")
            context.redo()
            #expect(diary.title == "two" && diary.text == "stamped")
            context.undo()
            context.undo()
            #expect(diary.title == "untitled" && diary.text == "")
        }

        @Test func `observers that change something on undo make a step of their own`() throws {
            var answers = 1
            let monk = monk
            let observation = context.observeChanges { _ in
                if answers > 0, monk.age == 0 {
                    answers -= 1
                    monk.note = "answered"
                }
            }
            setAge(1)
            context.undo()
            #expect(monk.note == "answered" && undo.canRedo)
            context.undo()
            #expect(monk.note == nil && monk.age == 0)
            _ = observation
        }

        @Test func `a step lets its objects go when it is forgotten`() throws {
            undo.levelsOfUndo = 1
            weak var gone: Office.Employee?
            do {
                let passing = try context.employee("Passing")
                gone = passing
                context.processPendingChanges()
                context.delete(passing)
                context.processPendingChanges()
            }
            try context.save()
            setAge(1)
            #expect(gone == nil)
        }
    }
#endif
