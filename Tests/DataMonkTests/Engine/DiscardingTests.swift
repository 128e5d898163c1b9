#if Macros
    import DataMonk
    import Testing

    /// What `refresh(_:mergeChanges: false)` does to the other sides of relationships.
    @Suite struct `Refresh without merging` {
        private let office: OfficeStack
        private let context: ManagedObjectContext

        init() throws {
            office = try OfficeStack()
            context = office.newContext()
        }

        @Test func `an object that has moved is back where the store has it, on both sides`() throws {
            let (monk, old) = (try context.employee("Monk"), try context.department("old"))
            let new = try context.department("new")
            monk.department = old
            try context.save()
            monk.department = new
            try context.refresh(monk, mergeChanges: false)
            #expect(old.employees == [monk] && new.employees.isEmpty && monk.department === old)
            #expect(!context.hasChanges)
            try context.checkInvariants()
        }

        @Test func `an object goes to where others have put it since`() throws {
            let (monk, kitchen) = (try context.employee("Monk"), try context.department("kitchen"))
            let cellar = try context.department("cellar")
            try context.save()
            monk.department = kitchen
            let other = office.newContext()
            try other.own(monk).department = try other.own(cellar)
            try other.save()
            try context.refresh(monk, mergeChanges: false)
            #expect(monk.department === cellar && cellar.employees == [monk] && kitchen.employees.isEmpty)
            #expect(!context.hasChanges)
        }

        @Test func `a one-to-one is as stored at each of its ends`() throws {
            let (monk, abbot) = (try context.employee("Monk"), try context.employee("Abbot"))
            let (badge, key) = (try context.insert(Office.Badge.self), try context.insert(Office.Badge.self))
            (monk.badge, abbot.badge) = (badge, key)
            try context.save()
            monk.badge = key
            abbot.badge = badge
            try context.refresh(monk, mergeChanges: false)
            #expect(monk.badge === badge && badge.owner === monk && abbot.badge == nil && key.owner == nil)
            try context.save()
            #expect(try office.newContext().own(badge).owner?.name == "Monk")
        }

        @Test func `links go from both sides, and those that were taken back are there again`() throws {
            let monk = try context.employee("Monk")
            let (first, second) = (try context.insert(Office.Skill.self), try context.insert(Office.Skill.self))
            monk.skills = [first]
            try context.save()
            monk.skills = [second]
            try context.refresh(monk, mergeChanges: false)
            #expect(first.employees == [monk] && second.employees.isEmpty && monk.skills == [first])
            #expect(!context.hasChanges)
        }

        @Test func `a member is back in its stored place`() throws {
            let company = try context.insert(Office.Company.self)
            let (first, second) = (try context.department("first"), try context.department("second"))
            company.departments = [first, second]
            try context.save()
            first.company = nil
            try context.refresh(first, mergeChanges: false)
            #expect(company.departments == [first, second])
        }

        @Test func `an owner keeps those who say that they belong to it, in the stored order`() throws {
            let company = try context.insert(Office.Company.self)
            let (first, second) = (try context.department("first"), try context.department("second"))
            company.departments = [first, second]
            company.name = "Order"
            try context.save()
            let third = try context.department("third")
            company.departments = [third, second, first]
            company.name = "Disorder"
            try context.refresh(company, mergeChanges: false)
            #expect(company.name == "Order" && company.departments == [first, second, third])
            #expect(third.company === company)
        }

        @Test func `an object that leads again to one that is to go is taken out of it`() throws {
            let (monk, kitchen) = (try context.employee("Monk"), try context.department("kitchen"))
            monk.department = kitchen
            try context.save()
            monk.age = 5
            context.delete(kitchen)
            context.processPendingChanges()
            try context.refresh(monk, mergeChanges: false)
            #expect(monk.department == nil && monk.age == 0)
            try context.save()
            let stored = try #require(try office.newContext().own(monk).committedValues()["department"])
            #expect(stored == .null)
        }

        @Test func `giving back is no step, and the step before it can be undone`() throws {
            let (monk, kitchen) = (try context.employee("Monk"), try context.department("kitchen"))
            let badge = try context.insert(Office.Badge.self)
            try context.save()
            let undo = ContextUndoManager()
            context.undoManager = undo
            kitchen.name = "cellar"
            monk.badge = badge
            try context.refresh(monk, mergeChanges: false)
            context.processPendingChanges()
            #expect(undo.stepCount == 1 && badge.owner == nil)
            context.undo()
            #expect(kitchen.name == "kitchen" && monk.badge == nil && badge.owner == nil)
        }
    }
#endif
