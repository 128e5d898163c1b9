#if Macros
    import DataMonk
    import Testing

    /// Undo of relationships: both sides, order, what delete rules did.
    @Suite struct `Undo of relationships` {
        private let office: OfficeStack
        private let context: ManagedObjectContext
        private let undo = ContextUndoManager()

        init() throws {
            office = try OfficeStack(.file)
            context = office.newContext()
            context.undoManager = undo
        }

        /// Ends the step that made the stage, and saves it.
        private func saveStage() throws {
            try context.save()
            undo.removeAllActions()
        }

        @Test func `both sides of a one-to-many are taken back`() throws {
            let (first, second) = (try context.department("first"), try context.department("second"))
            let monk = try context.employee("Monk")
            monk.department = first
            try saveStage()
            monk.department = second
            context.processPendingChanges()
            context.undo()
            #expect(monk.department === first && first.employees == [monk] && second.employees.isEmpty)
            context.redo()
            #expect(monk.department === second && first.employees.isEmpty && second.employees == [monk])
        }

        @Test func `both sides of a one-to-one are taken back, and who was displaced`() throws {
            let (monk, prior) = (try context.employee("Monk"), try context.employee("Prior"))
            let badge = try context.insert(Office.Badge.self)
            let other = try context.insert(Office.Badge.self)
            monk.badge = badge
            prior.badge = other
            try saveStage()
            prior.badge = badge
            context.processPendingChanges()
            context.undo()
            #expect(monk.badge === badge && badge.owner === monk && prior.badge === other && other.owner === prior)
            context.redo()
            #expect(prior.badge === badge && badge.owner === prior && monk.badge == nil && other.owner == nil)
        }

        @Test func `both sides of a many-to-many are taken back, over a save`() throws {
            let monk = try context.employee("Monk")
            let (old, new) = (try context.insert(Office.Skill.self), try context.insert(Office.Skill.self))
            monk.skills = [old]
            try saveStage()
            monk.skills = [new]
            try context.save()
            context.undo()
            #expect(monk.skills == [old] && old.employees == [monk] && new.employees.isEmpty)
            try context.save()
            #expect(try office.newContext().own(monk).skills.count == 1)
            #expect(try office.newContext().own(old).employees.count == 1)
            context.redo()
            #expect(monk.skills == [new])
        }

        @Test func `an addition to a to-many that held the object already takes nothing away when it is undone`() throws
        {
            let monk = try context.employee("Monk")
            let skill = try context.insert(Office.Skill.self)
            monk.skills = [skill]
            try saveStage()
            let other = office.newContext()
            other.undoManager = ContextUndoManager()
            let mine = try other.own(monk)
            let skills = try #require(mine.entity.relationships.first { $0.name == "skills" })
            // Reads nothing: what was there before is not known.
            other.graph.link(try other.own(skill), to: skills, of: mine)
            try other.save()
            other.undo()
            try other.save()
            #expect(try office.newContext().own(monk).skills.count == 1)
        }

        @Test func `an order is taken back exactly`() throws {
            let company = try context.insert(Office.Company.self)
            let departments = try ["a", "b", "c", "d"].map(context.department)
            company.departments = departments
            try saveStage()
            company.departments = [departments[3], departments[1], departments[0]]
            context.processPendingChanges()
            company.departments.append(departments[2])
            context.processPendingChanges()
            context.undo()
            #expect(company.departments == [departments[3], departments[1], departments[0]])
            context.undo()
            #expect(company.departments == departments)
            #expect(departments.allSatisfy { $0.company === company })
            context.redo()
            #expect(company.departments == [departments[3], departments[1], departments[0]])
            try context.save()
            #expect(try office.newContext().own(company).departments.map(\.name) == ["d", "b", "a"])
        }

        @Test func `a deletion is taken back with what it nullified and cascaded`() throws {
            let company = try context.insert(Office.Company.self)
            let department = try context.department("d")
            let monk = try context.employee("Monk")
            company.departments = [department]
            monk.department = department
            try saveStage()
            context.delete(company)
            context.processPendingChanges()
            #expect(department.isDeleted && monk.department == nil)
            context.undo()
            #expect(!department.isDeleted && monk.department === department && department.employees == [monk])
            #expect(company.departments == [department])
            #expect(!context.hasChanges)
        }

        @Test func `an object that others moved while it was deleted here comes back where they put it`() throws {
            let (first, second) = (try context.department("first"), try context.department("second"))
            let monk = try context.employee("Monk")
            monk.department = first
            try saveStage()
            let own = office.newContext()
            own.undoManager = ContextUndoManager()
            let found = try own.own(monk)
            own.delete(found)
            let other = office.newContext()
            try other.own(monk).department = try other.own(second)
            try other.save()
            own.mergeCommits()
            own.processPendingChanges()
            #expect(try own.own(first).employees.isEmpty && own.own(second).employees.isEmpty)
            own.undo()
            #expect(!found.isDeleted && own.updatedObjects.isEmpty)
            #expect(found.department === (try own.own(second)))
            #expect(try own.own(first).employees.isEmpty && own.own(second).employees == [found])
        }

        @Test func `a saved deletion is taken back with relationships of every shape`() throws {
            let company = try context.insert(Office.Company.self)
            let departments = try ["a", "b"].map(context.department)
            let (monk, friend) = (try context.employee("Monk"), try context.employee("Friend"))
            let skill = try context.insert(Office.Skill.self)
            company.departments = departments
            monk.department = departments[1]
            departments[1].guests = [friend]
            monk.skills = [skill]
            monk.friends = [friend]
            monk.mentor = friend
            monk.badge = try context.insert(Office.Badge.self)
            friend.manager = monk
            try saveStage()
            context.delete(company)
            context.delete(monk)
            try context.save()
            #expect(try office.newContext().all(Office.Department.self).isEmpty)
            #expect(friend.friends.isEmpty && friend.manager == nil && skill.employees.isEmpty)
            context.undo()
            #expect(company.departments == departments && monk.department === departments[1])
            try context.save()
            let fresh = office.newContext()
            let read = try fresh.own(monk)
            #expect(read.department?.name == "b" && read.department?.company?.departments.map(\.name) == ["a", "b"])
            #expect(read.skills.count == 1 && read.friends.map(\.name) == ["Friend"] && read.mentor?.name == "Friend")
            #expect(read.badge?.owner === read && read.reports.map(\.name) == ["Friend"])
            #expect(read.department?.guests.map(\.name) == ["Friend"])
            context.redo()
            try context.save()
            #expect(try office.newContext().all(Office.Department.self).isEmpty)
            #expect(try office.newContext().all(Office.Employee.self).map(\.name) == ["Friend"])
        }

        @Test func `an insertion is taken back without what it was linked to`() throws {
            let department = try context.department("d")
            let badge = try context.insert(Office.Badge.self)
            try saveStage()
            let company = try context.insert(Office.Company.self)
            company.departments = [department]
            let monk = try context.employee("Monk")
            monk.badge = badge
            try context.save()
            context.undo()
            // Both relationships cascade.
            #expect(!department.isDeleted && department.company == nil && !badge.isDeleted && badge.owner == nil)
            try context.save()
            #expect(try office.newContext().all(Office.Department.self).count == 1)
            #expect(try office.newContext().all(Office.Badge.self).count == 1)
            context.redo()
            #expect(company.departments == [department] && department.company === company && monk.badge === badge)
        }

        @Test func `an object whose cascade was undone goes by the undo of its insertion, whatever others change`()
            throws
        {
            context.mergePolicy = .mergeByPropertyObjectTrump
            let company = try context.insert(Office.Company.self)
            try saveStage()
            let kitchen = try context.department("kitchen")
            kitchen.company = company
            try context.save()
            context.delete(company)
            context.processPendingChanges()
            context.undo()
            #expect(!kitchen.isDeleted && kitchen.company === company)
            let other = office.newContext()
            try other.own(kitchen).name = "cellar"
            try other.save()
            context.undo()
            try context.save()
            #expect(try office.newContext().all(Office.Department.self).isEmpty)
            #expect(try office.newContext().all(Office.Company.self).count == 1)
        }

        @Test func `a cascade that was undone and redone leaves what others have moved since`() throws {
            context.mergePolicy = .mergeByPropertyObjectTrump
            let (first, second) = (try context.insert(Office.Company.self), try context.insert(Office.Company.self))
            let kitchen = try context.department("kitchen")
            kitchen.company = first
            try saveStage()
            context.delete(first)
            context.processPendingChanges()
            context.undo()
            context.redo()
            let other = office.newContext()
            try other.own(kitchen).company = try other.own(second)
            try other.save()
            try context.save()
            #expect(try office.newContext().all(Office.Department.self).map(\.company?.objectID) == [second.objectID])
        }

        @Test func `undo takes an object from where others have put it since`() throws {
            let departments = try ["a", "b", "c"].map(context.department)
            let monk = try context.employee("Monk")
            monk.department = departments[0]
            try saveStage()
            monk.department = departments[1]
            try context.save()
            let other = office.newContext()
            try other.own(monk).department = other.own(departments[2])
            try other.save()
            context.mergeCommits()
            #expect(monk.department === departments[2] && departments[2].employees == [monk])
            context.undo()
            #expect(monk.department === departments[0] && departments[0].employees == [monk])
            #expect(departments[1].employees.isEmpty && departments[2].employees.isEmpty)
            try context.save()
        }

        @Test func `undo passes over objects that others have deleted since`() throws {
            let department = try context.department("d")
            let (monk, prior) = (try context.employee("Monk"), try context.employee("Prior"))
            monk.department = department
            try saveStage()
            monk.department = nil
            monk.age = 5
            prior.age = 5
            try context.save()
            let other = office.newContext()
            other.delete(try other.own(monk))
            other.delete(try other.own(department))
            try other.save()
            context.mergeCommits()
            context.undo()
            #expect(monk.isDeleted && prior.age == 0)
            try context.save()
            #expect(try office.newContext().own(prior).age == 0)
        }
    }
#endif
