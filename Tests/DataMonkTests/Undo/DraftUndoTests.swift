#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// Undo in a draft: over turns, commits and commits that fail.
    @Suite @MainActor struct `Undo in a draft` {
        private let office: OfficeStack
        private let world: MainContext

        init() throws {
            office = try OfficeStack()
            world = try MainContext(stack: office.stack)
            let context = office.newContext()
            let monk = try context.employee("Monk")
            monk.badge = try context.insert(Office.Badge.self)
            try context.save()
        }

        private func storedNames() throws -> [String] {
            try office.newContext().all(Office.Employee.self).map(\.name).sorted()
        }

        /// Comes back in a later turn of the main actor than what was put off until now.
        private func turn() async {
            await withCheckedContinuation { continuation in
                Task { @MainActor in continuation.resume() }
            }
        }

        @Test func `an edit is taken back and made again`() throws {
            let draft = world.draft()
            let monk = try draft.fetch(Office.Employee.self)
            monk.name = "Abbot"
            draft.undo()
            #expect(monk.name == "Monk" && !draft.hasChanges)
            draft.redo()
            #expect(monk.name == "Abbot" && draft.hasChanges)
        }

        @Test func `a step is what one turn of the main actor changed`() async throws {
            let draft = world.draft()
            let monk = try draft.fetch(Office.Employee.self)
            monk.name = "Abbot"
            monk.age = 40
            await turn()
            monk.age = 41
            await turn()
            draft.undo()
            #expect(monk.age == 40 && monk.name == "Abbot")
            draft.undo()
            #expect(monk.age == 0 && monk.name == "Monk")
        }

        @Test func `undo goes past a commit, and the next commit writes it`() async throws {
            let draft = world.draft()
            let monk = try draft.fetch(Office.Employee.self)
            monk.name = "Abbot"
            try await draft.commit()
            draft.undo()
            #expect(monk.name == "Monk" && draft.hasChanges)
            #expect(try storedNames() == ["Abbot"])
            try await draft.commit()
            #expect(try storedNames() == ["Monk"])
        }

        @Test func `a deletion whose commit failed is undone as if it had never been`() async throws {
            let draft = world.draft()
            let monk = try draft.fetch(Office.Employee.self)
            let badge = try #require(monk.badge)
            let id = monk.objectID
            let invalid = try draft.create(Office.Project.self)
            _ = try #require(draft.undoManager)
            draft.managedObjectContext.processPendingChanges()
            try draft.delete(monk)
            draft.managedObjectContext.processPendingChanges()
            // Valid on the desk, so that the outbox takes it, and not valid for the store.
            invalid.department = try draft.create(Office.Department.self)
            let other = office.newContext()
            try #require(try other.all(Office.Badge.self).first).code = "1"
            try #require(try other.all(Office.Employee.self).first).age = 1
            try other.save()
            draft.managedObjectContext.mergePolicy = .error
            draft.managedObjectContext.parent?.mergePolicy = .error
            await #expect(throws: SaveError.self) { try await draft.commit() }
            draft.undo()
            draft.undo()
            #expect(!monk.isDeleted && monk.objectID == id && monk.badge === badge && badge.owner === monk)
            draft.managedObjectContext.parent?.mergePolicy = .mergeByPropertyObjectTrump
            #expect(!draft.hasChanges || !monk.isInserted)
        }

        @Test func `a draft that is to keep no account of changes has nothing to undo`() throws {
            let draft = world.draft()
            draft.undoManager = nil
            let monk = try draft.fetch(Office.Employee.self)
            monk.name = "Abbot"
            draft.undo()
            #expect(monk.name == "Abbot")
        }
    }
#endif
