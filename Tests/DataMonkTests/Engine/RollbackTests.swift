#if Macros
    import DataMonk
    import Testing

    @Suite struct `Rollback, refresh and reset` {
        private let office: OfficeStack
        private let context: ManagedObjectContext

        init() throws {
            office = try OfficeStack()
            context = office.newContext()
        }

        @Test func `rollback takes back inserts, changes and deletions`() throws {
            let kept = try context.employee("Kept")
            let deleted = try context.employee("Deleted")
            try context.save()
            kept.name = "Changed"
            context.delete(deleted)
            let inserted = try context.employee("Inserted")
            context.rollback()
            #expect(kept.name == "Kept" && !kept.hasChanges)
            #expect(!deleted.isDeleted && deleted.name == "Deleted")
            #expect(!context.hasChanges)
            #expect(try context.all(Office.Employee.self).map(\.name).sorted() == ["Deleted", "Kept"])
            #expect(inserted.managedObjectContext == nil)
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).count == 2)
        }

        @Test func `rollback takes back both sides of a relationship`() throws {
            let (first, second) = (try context.department("first"), try context.department("second"))
            let monk = try context.employee("Monk")
            monk.department = first
            try context.save()
            monk.department = second
            #expect(first.employees.isEmpty && second.employees == [monk])
            context.rollback()
            #expect(monk.department === first && first.employees == [monk] && second.employees.isEmpty)
        }

        @Test func `rollback takes back what a deletion did to others`() throws {
            let department = try context.department("first")
            let monk = try context.employee("Monk")
            monk.department = department
            try context.save()
            context.delete(department)
            context.processPendingChanges()
            #expect(monk.department == nil)
            context.rollback()
            #expect(monk.department === department && department.employees == [monk])
        }

        @Test func `rollback takes back a new order`() throws {
            let company = try context.insert(Office.Company.self)
            company.departments = [try context.department("a"), try context.department("b")]
            try context.save()
            company.departments = company.departments.reversed() + [try context.department("c")]
            context.rollback()
            #expect(company.departments.map(\.name) == ["a", "b"])
        }

        @Test func `what was rolled back can be changed and saved again`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            monk.age = 1
            context.rollback()
            monk.age = 2
            try context.save()
            #expect(try office.newContext().own(monk).age == 2)
        }

        @Test func `refresh without merging loses the changes and reads anew`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            monk.age = 5
            try context.refresh(monk, mergeChanges: false)
            #expect(monk.isFault && !monk.hasChanges)
            #expect(monk.age == 0)
            monk.age = 6
            try context.save()
            #expect(try office.newContext().own(monk).age == 6)
        }

        @Test func `refresh with merging keeps the changes over the newest row`() throws {
            let still = office.newContext(followsCommits: false)
            let monk = try context.employee("Monk")
            try context.save()
            let mine = try still.own(monk)
            mine.age = 5
            monk.name = "Abbot"
            try context.save()
            try still.refresh(mine, mergeChanges: true)
            #expect(mine.name == "Abbot" && mine.age == 5 && mine.hasChanges)
            try still.save()
            let read = try office.newContext().own(monk)
            #expect(read.name == "Abbot" && read.age == 5)
        }

        @Test func `refresh with merging keeps changes of a to-many`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            let skill = try context.insert(Office.Skill.self)
            monk.skills = [skill]
            try context.refresh(monk, mergeChanges: true)
            #expect(monk.skills == [skill])
            try context.save()
            #expect(try office.newContext().own(monk).skills.count == 1)
        }

        @Test func `refreshAllObjects leaves changed objects alone`() throws {
            let changed = try context.employee("Changed")
            let clean = try context.employee("Clean")
            try context.save()
            changed.age = 1
            try context.refreshAllObjects()
            #expect(clean.isFault && !changed.isFault && changed.age == 1)
        }

        @Test func `reset forgets every object and every change`() throws {
            let monk = try context.employee("Monk")
            try context.save()
            monk.age = 1
            let new = try context.employee("New")
            context.reset()
            #expect(!context.hasChanges)
            let again = try context.all(Office.Employee.self)
            #expect(again.map(\.name) == ["Monk"] && again[0].age == 0)
            #expect(again[0] !== monk)
            #expect(new.name == "")
        }

        @Test func `a fault is told before and after, once`() throws {
            let diary = try context.insert(Office.Diary.self)
            try context.save()
            diary.events = []
            try context.refresh(diary, mergeChanges: false)
            try context.refresh(diary, mergeChanges: false)
            #expect(diary.events == ["willTurnIntoFault", "didTurnIntoFault"])
        }
    }
#endif
