#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// Undo of deletions whose delete rules could not be read when their event ended: what the rules do later belongs to
    /// the same step.
    @Suite struct `Undo of a deletion whose rule could not be read` {
        private let stage: FailingStage
        private let context: ManagedObjectContext
        private let kitchen: Office.Department

        init() throws {
            stage = try FailingStage()
            try stage.write()
            context = stage.newContext()
            kitchen = try #require(try context.all(Office.Department.self).first)
            context.endTurn()
            context.undoManager = ContextUndoManager()
        }

        private func deleteUnread() {
            stage.store.fail(.read)
            context.delete(kitchen)
            context.processPendingChanges()
            #expect(stage.errors.withLock(\.count) == 1 && context.failedAccesses.isEmpty)
        }

        private func department() throws -> Office.Department? {
            try #require(try context.all(Office.Employee.self).first).department
        }

        private func expectWhole() throws {
            #expect(!kitchen.isDeleted && context.undoManager?.canUndo == false)
            #expect(try department() === kitchen)
            try context.save()
            try context.checkInvariants()
            let other = stage.newContext()
            #expect(try other.all(Office.Employee.self).map(\.department?.name) == ["kitchen"])
        }

        @Test func `takes back what the rule does at the next event, and redo does both again`() throws {
            deleteUnread()
            context.undo()
            try expectWhole()
            context.redo()
            #expect(try kitchen.isDeleted && department() == nil)
            try context.save()
            #expect(try stage.newContext().all(Office.Department.self).isEmpty)
        }

        @Test func `takes back what the rule does in a save`() throws {
            deleteUnread()
            try context.save()
            context.undo()
            try expectWhole()
        }

        @Test func `takes back what the rule does in a group`() throws {
            let company = try context.insert(Office.Company.self)
            try context.save()
            context.undoManager?.removeAllActions()
            try context.refresh(company, mergeChanges: false)
            deleteUnread()
            context.delete(company)
            stage.store.fail(.read)
            context.undoManager?.beginUndoGrouping()
            #expect(stage.errors.withLock(\.count) == 2)
            try context.all(Office.Employee.self).first?.age = 41
            context.undoManager?.endUndoGrouping()
            #expect(try company.isDeleted && department() == nil)
            context.undo()
            #expect(!company.isDeleted)
            try expectWhole()
            #expect(try context.all(Office.Employee.self).map(\.age) == [40])
        }

        /// The department goes by the cascade of the company, and leaves the employee, who was changed before.
        @Test func `takes back what a cascade does to objects behind it`() throws {
            let company = try context.insert(Office.Company.self)
            kitchen.company = company
            try context.save()
            context.undoManager?.removeAllActions()
            try context.refresh(company, mergeChanges: false)
            let monk = try #require(try context.all(Office.Employee.self).first)
            context.endTurn()
            stage.store.fail(.read)
            context.delete(company)
            monk.age = 41
            context.processPendingChanges()
            #expect(!kitchen.isDeleted && stage.errors.withLock(\.count) == 1)
            try context.save()
            #expect(kitchen.managedObjectContext == nil && monk.department == nil)
            context.undo()
            #expect(kitchen.company === company && monk.age == 40)
            try expectWhole()
        }

        @Test func `takes back what the rule does after an undo that could not read it`() throws {
            let pantry = try context.department("pantry")
            try context.save()
            let monk = try #require(try context.all(Office.Employee.self).first)
            context.undoManager?.disableUndoRegistration()
            monk.department = pantry
            try context.save()
            try context.refresh(pantry, mergeChanges: false)
            context.undoManager?.enableUndoRegistration()
            #expect(pantry.name == "pantry")
            context.endTurn()
            stage.store.fail(.read)
            context.undo()
            #expect(pantry.isDeleted && stage.errors.withLock(\.count) == 1 && context.failedAccesses.isEmpty)
            context.redo()
            #expect(!pantry.isDeleted && monk.department === pantry)
            try context.save()
            try context.checkInvariants()
        }
    }
#endif
