#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// What random graphs have found, each in its fewest steps.
    @Suite struct `Found by random graphs` {
        private let office: OfficeStack
        private let context: ManagedObjectContext
        private let other: ManagedObjectContext

        init() throws {
            office = try OfficeStack()
            context = office.newContext(.mergeByPropertyStoreTrump)
            other = office.newContext()
        }

        private func makeMonk() throws -> Office.Employee {
            let monk = try context.employee("Monk")
            try context.save()
            return monk
        }

        private func same<Object: ManagedObject>(_ object: Object, in context: ManagedObjectContext) throws -> Object {
            try #require(try context.existingObject(with: object.anyObjectID) as? Object)
        }

        @Test func `a deletion that the store does not let through takes the changes before it along`() throws {
            let monk = try makeMonk()
            let others = try same(monk, in: other)
            others.age = 1
            try other.save()
            monk.age = 2
            context.delete(monk)
            try context.save()
            #expect(!monk.isDeleted && !context.hasChanges && monk.age == 1)
            try context.checkInvariants()
        }

        @Test func `a refresh shows who has come to an owner that is changed itself`() throws {
            let (monk, kitchen) = (try makeMonk(), try context.department("kitchen"))
            let child = ManagedObjectContext(parent: context)
            let own = try same(kitchen, in: child)
            own.name = "cellar"
            #expect(own.employees.isEmpty)
            monk.department = kitchen
            try child.refreshAllObjects()
            #expect(own.employees == [try same(monk, in: child)] && own.name == "cellar")
        }

        @Test func `a refresh takes over the values of an object of which only a to-many is changed`() throws {
            let monk = try makeMonk()
            let child = ManagedObjectContext(parent: context)
            let own = try same(monk, in: child)
            own.skills = [try child.insert(Office.Skill.self)]
            monk.age = 5
            try child.refreshAllObjects()
            #expect(own.age == 5 && own.skills.count == 1)
        }

        @Test func `a link goes with its object, also where whoever deleted it did not know of the link`() throws {
            let monk = try makeMonk()
            let skill = try context.insert(Office.Skill.self)
            let others = try same(monk, in: other)
            _ = others.skills
            skill.employees = [monk]
            try context.save()
            other.delete(others)
            try other.save()
            context.mergeCommits()
            #expect(skill.employees.isEmpty)
        }

        @Test func `a link put back is no change on either side`() throws {
            let monk = try makeMonk()
            let skill = try context.insert(Office.Skill.self)
            skill.employees = [monk]
            let child = ManagedObjectContext(parent: context)
            let (own, ownSkill) = (try same(monk, in: child), try same(skill, in: child))
            ownSkill.employees = []
            ownSkill.employees = [own]
            skill.employees = []
            try child.refreshAllObjects()
            #expect(ownSkill.employees.isEmpty && own.skills.isEmpty)
        }

        @Test func `an undo that leaves nothing to save can be redone, also when others have changed the object`()
            throws
        {
            let monk = try context.employee("Monk")
            let child = ManagedObjectContext(parent: context)
            child.undoManager = ContextUndoManager()
            let own = try same(monk, in: child)
            own.age = 2
            child.processPendingChanges()
            try child.refreshAllObjects()
            child.undo()
            #expect(own.age == 0 && child.undoManager?.canRedo == true)
            child.redo()
            #expect(own.age == 2)
        }

        @Test func `an object whose deletion is undone has what others have made of it`() throws {
            let monk = try makeMonk()
            context.undoManager = ContextUndoManager()
            context.delete(monk)
            context.processPendingChanges()
            try same(monk, in: other).age = 7
            try other.save()
            context.mergeCommits()
            context.undo()
            #expect(monk.age == 7 && !context.hasChanges)
            try context.checkInvariants()
        }

        @Test func `a child's change that the parent has from the store already is none`() throws {
            let kitchen = try context.department("kitchen")
            let monk = try makeMonk()
            let child = ManagedObjectContext(parent: context)
            try same(monk, in: child).department = try same(kitchen, in: child)
            try same(monk, in: other).department = try same(kitchen, in: other)
            try other.save()
            context.mergeCommits()
            try child.save()
            #expect(monk.department === kitchen && !context.hasChanges)
            try context.checkInvariants()
        }

        @Test func `what came and went in one event is no step, also for owners that were not read`() throws {
            let kitchen = try context.department("kitchen")
            try context.save()
            try context.refreshAllObjects()
            let undo = ContextUndoManager()
            context.undoManager = undo
            let monk = try context.employee("Monk")
            monk.department = kitchen
            context.delete(monk)
            context.processPendingChanges()
            #expect(!undo.canUndo)
        }

        @Test func `undo of a saved deletion restores the order that was not read before`() throws {
            let company = try context.insert(Office.Company.self)
            let (first, second) = (try context.department("first"), try context.department("second"))
            company.departments = [first, second]
            try context.save()
            try context.refreshAllObjects()
            context.undoManager = ContextUndoManager()
            context.delete(first)
            try context.save()
            context.undo()
            #expect(company.departments == [first, second])
        }

        @Test func `a member that its own change has brought stays, whatever the parent does`() throws {
            let (monk, kitchen) = (try makeMonk(), try context.department("kitchen"))
            let child = ManagedObjectContext(parent: context)
            let (own, ownKitchen) = (try same(monk, in: child), try same(kitchen, in: child))
            own.department = ownKitchen
            monk.department = kitchen
            try child.refreshAllObjects()
            #expect(ownKitchen.employees == [own])
            monk.department = nil
            try child.refreshAllObjects()
            #expect(own.department === ownKitchen && ownKitchen.employees == [own])
        }

        @Test func `an object whose values were taken back follows the parent, whatever its to-manys hold`() throws {
            let monk = try makeMonk()
            let child = ManagedObjectContext(parent: context)
            let own = try same(monk, in: child)
            own.skills = [try child.insert(Office.Skill.self)]
            child.undoManager = ContextUndoManager()
            own.age = 2
            child.processPendingChanges()
            monk.note = "new"
            try child.refreshAllObjects()
            child.undo()
            #expect(own.age == 0 && own.note == "new" && own.skills.count == 1)
        }

        @Test func `undo of a move leaves owners that were not read without a change`() throws {
            let (first, second) = (try context.department("first"), try context.department("second"))
            let monk = try makeMonk()
            monk.department = first
            try context.save()
            try context.refreshAllObjects()
            context.undoManager = ContextUndoManager()
            monk.department = second
            context.processPendingChanges()
            context.undo()
            #expect(!context.hasChanges && first.employees == [monk] && second.employees.isEmpty)
        }

        @Test func `what a merge policy does is no step`() throws {
            let monk = try makeMonk()
            let kitchen = try context.department("kitchen")
            try context.save()
            let others = try same(monk, in: other)
            others.department = try same(kitchen, in: other)
            let undo = ContextUndoManager()
            context.undoManager = undo
            monk.age = 2
            monk.department = try context.department("cellar")
            context.processPendingChanges()
            try other.save()
            try context.save()
            context.processPendingChanges()
            #expect(monk.department === kitchen && undo.stepCount == 1)
        }

        @Test func `a child's deletion that is rolled back in its parent leaves what others have committed`() throws {
            let monk = try makeMonk()
            let child = ManagedObjectContext(parent: context)
            child.delete(try same(monk, in: child))
            try same(monk, in: other).age = 4
            try other.save()
            context.mergeCommits()
            try child.save()
            context.rollback()
            #expect(monk.age == 4)
            try context.checkInvariants()
        }

        @Test func `a deletion is denied by what has come to the object since`() throws {
            let kitchen = try context.department("kitchen")
            let child = ManagedObjectContext(parent: context)
            child.delete(try same(kitchen, in: child))
            child.processPendingChanges()
            let project = try context.insert(Office.Project.self)
            project.department = kitchen
            try child.refreshAllObjects()
            let error = try #require(throws: SaveError.self) { try child.save() }
            #expect(error.code == .relationshipDeniedDelete)
        }

        @Test func `a child's deletion takes along what has come to the object since`() throws {
            let (monk, badge) = (try makeMonk(), try context.insert(Office.Badge.self))
            try context.save()
            let child = ManagedObjectContext(parent: context, mergePolicy: .mergeByPropertyObjectTrump)
            child.delete(try same(monk, in: child))
            child.processPendingChanges()
            try same(monk, in: other).badge = try same(badge, in: other)
            try other.save()
            context.mergeCommits()
            try child.save()
            #expect(badge.isDeleted)
            try context.checkInvariants()
        }

        @Test func `what a child has added stands in the child's order, though new ones are taken over first`() throws {
            let company = try context.insert(Office.Company.self)
            let known = try context.department("known")
            let child = ManagedObjectContext(parent: context)
            let own = try same(company, in: child)
            own.departments = [try same(known, in: child), try child.department("new")]
            try child.refreshAllObjects()
            try child.save()
            #expect(company.departments.map(\.name) == ["known", "new"])
        }

        @Test func `an owner that was not read knows that an object has another one here than in its parent`() throws {
            let (kitchen, cellar) = (try context.department("kitchen"), try context.department("cellar"))
            let monk = try makeMonk()
            let child = ManagedObjectContext(parent: context)
            let own = try same(monk, in: child)
            own.department = try same(kitchen, in: child)
            monk.department = cellar
            try child.refresh(own, mergeChanges: true)
            #expect(own.department?.name == "kitchen")
            #expect(try same(cellar, in: child).employees.isEmpty)
            try child.checkInvariants()
        }

        @Test func `undo gives an object to where others have put it as well`() throws {
            let (monk, kitchen) = (try makeMonk(), try context.department("kitchen"))
            try context.save()
            context.undoManager = ContextUndoManager()
            kitchen.employees = [monk]
            context.processPendingChanges()
            try same(monk, in: other).department = try same(kitchen, in: other)
            try other.save()
            context.mergeCommits()
            #expect(kitchen.employees == [monk])
            context.undo()
            #expect(monk.department === kitchen && kitchen.employees == [monk])
            try context.checkInvariants()
        }
    }
#endif
