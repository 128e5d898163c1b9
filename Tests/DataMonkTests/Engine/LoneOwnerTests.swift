#if Macros
    import DataMonk
    import Testing

    /// One-to-manys without an inverse: an object has one owner, in memory as in a row.
    @Suite struct `Owners without an inverse` {
        private struct Scene {
            let office: OfficeStack
            let context: ManagedObjectContext
            let (kitchen, garden): (Office.Department, Office.Department)
            let monk: Office.Employee

            /// The monk is the kitchen's guest, and saved.
            init(_ kind: StoreKind) throws {
                office = try OfficeStack(kind)
                context = office.newContext()
                kitchen = try context.department("kitchen")
                garden = try context.department("garden")
                monk = try context.employee("Monk")
                kitchen.guests = [monk]
                try context.save()
            }

            /// Who has guests, as another context reads it.
            var owners: [String] {
                get throws {
                    try office.newContext().all(Office.Department.self).filter { !$0.guests.isEmpty }.map(\.name)
                        .sorted()
                }
            }
        }

        @Test(arguments: StoreKind.allCases) func `the second owner takes the object over`(kind: StoreKind) throws {
            let scene = try Scene(kind)
            scene.garden.guests = [scene.monk]
            #expect(scene.kitchen.guests.isEmpty && scene.garden.guests == [scene.monk])
            try scene.context.save()
            #expect(try scene.owners == ["garden"])
            scene.kitchen.add(scene.monk, to: \.guests)
            #expect(scene.garden.guests.isEmpty)
            try scene.context.save()
            #expect(try scene.owners == ["kitchen"])
            try scene.context.checkInvariants()
        }

        @Test(arguments: StoreKind.allCases) func `an owner that is read later does not show what was taken`(
            kind: StoreKind
        ) throws {
            let scene = try Scene(kind)
            let context = scene.office.newContext()
            let (kitchen, garden) = (try context.own(scene.kitchen), try context.own(scene.garden))
            garden.add(try context.own(scene.monk), to: \.guests)
            #expect(kitchen.guests.isEmpty)
            try context.save()
            #expect(kitchen.guests.isEmpty && garden.guests.count == 1)
            #expect(try scene.owners == ["garden"])
            try context.checkInvariants()
        }

        @Test(arguments: StoreKind.allCases, [true, false])
        func `what was taken and not saved goes back with a rollback or an undo`(kind: StoreKind, isUndo: Bool) throws {
            let scene = try Scene(kind)
            let context = scene.office.newContext()
            if isUndo { context.undoManager = ContextUndoManager() }
            let (kitchen, garden) = (try context.own(scene.kitchen), try context.own(scene.garden))
            let monk = try context.own(scene.monk)
            garden.add(monk, to: \.guests)
            context.processPendingChanges()
            #expect(kitchen.guests.isEmpty)
            if isUndo { context.undo() } else { context.rollback() }
            #expect(kitchen.guests == [monk] && garden.guests.isEmpty)
            try context.save()
            #expect(try scene.owners == ["kitchen"])
        }

        @Test(arguments: StoreKind.allCases) func `other contexts hear of the move`(kind: StoreKind) throws {
            let scene = try Scene(kind)
            let context = scene.office.newContext()
            let (kitchen, garden) = (try context.own(scene.kitchen), try context.own(scene.garden))
            #expect(kitchen.guests.count == 1 && garden.guests.isEmpty)
            context.endTurn()
            let writer = scene.office.newContext()
            // The writer knows nothing of the first owner's guests.
            try writer.own(scene.garden).add(try writer.own(scene.monk), to: \.guests)
            try writer.save()
            context.mergeCommits()
            #expect(kitchen.guests.isEmpty && garden.guests.count == 1)
        }

        @Test(arguments: StoreKind.allCases) func `a guest that is deleted is nobody's`(kind: StoreKind) throws {
            let scene = try Scene(kind)
            scene.context.delete(scene.monk)
            try scene.context.save()
            #expect(try scene.owners == [])
        }
    }
#endif
