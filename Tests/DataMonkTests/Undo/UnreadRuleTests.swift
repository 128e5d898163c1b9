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
            try stage.write { writing in
                var last = try writing.insert(Office.Step.self)
                for _ in 0..<4 {
                    last.next = try writing.insert(Office.Step.self)
                    last = try #require(last.next)
                }
            }
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

        /// More was reverted than the program has asked for.
        private func expectUnreadValues(of object: ManagedObject) throws {
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .unreadValues && error.failedAccesses.map(\.objectID) == [object.anyObjectID])
            context.disregardFailedReads()
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

        @Test func `is forgotten by a rollback`() throws {
            deleteUnread()
            context.rollback()
            context.delete(kitchen)
            context.processPendingChanges()
            context.undo()
            try expectWhole()
        }

        @Test func `without its step, is told when a later deletion is undone`() throws {
            try stage.write { writing in
                try writing.department("bar").employees = [try writing.employee("Waiter")]
            }
            let bar = try #require(try context.all(Office.Department.self).first { $0.name == "bar" })
            context.endTurn()
            deleteUnread()
            context.undoManager?.removeAllActions()
            context.delete(bar)
            context.processPendingChanges()
            context.undo()
            #expect(!bar.isDeleted && bar.employees.count == 1)
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.code == .unreadValues)
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
            #expect(try company.isDeleted && context.all(Office.Employee.self).map(\.age) == [40])
            // The rules of both deletions were applied at once: the two are one step.
            context.undo()
            #expect(!company.isDeleted)
            try expectUnreadValues(of: kitchen)
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

        @Test func `leaves the next step its own`() throws {
            let pantry = try context.department("pantry")
            try context.save()
            context.undoManager?.removeAllActions()
            deleteUnread()
            pantry.name = "larder"
            context.processPendingChanges()
            #expect(try department() == nil && context.undoManager?.stepCount == 2)
            context.undo()
            #expect(try pantry.name == "pantry" && kitchen.isDeleted && department() == nil)
            context.redo()
            #expect(pantry.name == "larder")
            context.undo()
            context.undo()
            try expectWhole()
        }

        @Test func `joins a step that has changed the same objects, and tells the next save`() throws {
            let monk = try #require(try context.all(Office.Employee.self).first)
            context.endTurn()
            deleteUnread()
            monk.age = 41
            context.processPendingChanges()
            #expect(monk.department == nil && context.undoManager?.stepCount == 1)
            context.undo()
            #expect(monk.age == 40)
            try expectUnreadValues(of: kitchen)
            try expectWhole()
        }

        @Test func `tells the next save of an undo while the rule still cannot be read`() throws {
            let request = FetchRequest(entityName: "Step", condition: .compare("previous", .equal, nil))
            let first = try #require(try context.fetch(request).first as? Office.Step)
            context.endTurn()
            // The cascade goes one further each time.
            stage.store.fail(.read)
            context.delete(first)
            context.processPendingChanges()
            stage.store.fail(.read)
            kitchen.name = "galley"
            context.processPendingChanges()
            stage.store.fail(.read)
            context.undo()
            #expect(kitchen.name == "kitchen" && first.isDeleted && stage.errors.withLock(\.count) == 3)
            try expectUnreadValues(of: #require(first.next))
            context.undo()
            #expect(!first.isDeleted)
            try expectWhole()
        }

        @Test func `leaves changes after an undo a step of their own`() throws {
            let pantry = try context.department("pantry")
            try context.save()
            try context.refresh(pantry, mergeChanges: false)
            #expect(pantry.name == "pantry")
            context.endTurn()
            stage.store.fail(.read)
            context.undo()
            #expect(pantry.isDeleted && stage.errors.withLock(\.count) == 1)
            kitchen.name = "galley"
            context.processPendingChanges()
            #expect(context.undoManager?.canRedo == false && context.undoManager?.stepCount == 1)
            context.undo()
            #expect(kitchen.name == "kitchen" && pantry.isDeleted)
        }

        @Test func `leaves changes after a deletion that is not registered a step of their own`() throws {
            let pantry = try context.department("pantry")
            try context.save()
            let undo = try #require(context.undoManager)
            undo.removeAllActions()
            undo.disableUndoRegistration()
            deleteUnread()
            stage.store.fail(.read)
            undo.enableUndoRegistration()
            pantry.name = "larder"
            context.processPendingChanges()
            #expect(try undo.stepCount == 1 && department() == nil)
            context.undo()
            #expect(pantry.name == "pantry" && kitchen.isDeleted)
        }
    }
#endif
