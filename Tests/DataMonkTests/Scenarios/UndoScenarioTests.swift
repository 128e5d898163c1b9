#if Macros
    import DataMonk
    import Testing

    /// What Core Data was observed to take back.
    @Suite struct `Scenarios of undo` {
        @Test(.scenario("scn/undo/001"), arguments: StoreKind.allCases)
        func `a new context has no undo manager, and its undo and redo do nothing`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            #expect(context.undoManager == nil)
            let monk = try context.employee("Monk")
            context.undo()
            context.redo()
            #expect(monk.isInserted && monk.name == "Monk")
        }

        @Test(.scenario("scn/undo/003"), arguments: StoreKind.allCases)
        func `an object that was deleted and saved is inserted again with its old values`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let monk = try context.employee("Monk")
            monk.age = 40
            try context.save()
            context.undoManager = ContextUndoManager()
            context.delete(monk)
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).isEmpty)
            context.undo()
            #expect(monk.isInserted && context.insertedObjects == [monk])
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).map { "\($0.name) \($0.age)" } == ["Monk 40"])
        }

        @Test(.scenario("scn/undo/004"), arguments: StoreKind.allCases)
        func `undo and redo of a relationship change both sides`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let (monk, kitchen, garden) = (
                try context.employee("Monk"), try context.department("kitchen"), try context.department("garden")
            )
            monk.department = kitchen
            try context.save()
            context.undoManager = ContextUndoManager()
            monk.department = garden
            context.undo()
            #expect(monk.department === kitchen && kitchen.employees == [monk] && garden.employees.isEmpty)
            context.redo()
            #expect(monk.department === garden && kitchen.employees.isEmpty && garden.employees == [monk])
        }

        @Test(.scenario("scn/undo/005"), arguments: StoreKind.allCases)
        func `a fault that fires is nothing to undo`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let writing = office.newContext()
            let monk = try writing.employee("Monk")
            monk.skills = [try writing.insert(Office.Skill.self)]
            try writing.save()
            let context = office.newContext()
            let undo = ContextUndoManager()
            context.undoManager = undo
            let own = try context.own(monk)
            try context.refresh(own, mergeChanges: false)
            #expect(own.isFault && own.name == "Monk" && own.skills.count == 1 && !own.isFault)
            context.processPendingChanges()
            #expect(!undo.canUndo && !context.hasChanges)
        }
    }
#endif
