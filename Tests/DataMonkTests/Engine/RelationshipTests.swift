#if Macros
    import DataMonk
    import Testing

    @Suite(.serialized) struct RelationshipTests {
        @Test(arguments: StoreKind.allCases) func `setting a to-one sets the to-many`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let department = try context.department("kitchen")
            let monk = try context.employee("Monk")
            monk.department = department
            #expect(department.employees == [monk])
            try context.save()
            let other = office.newContext()
            #expect(try other.own(department).employees == [other.own(monk)])
        }

        @Test(arguments: StoreKind.allCases) func `setting a to-many sets the to-one`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let department = try context.department("kitchen")
            let (monk, abbot) = (try context.employee("Monk"), try context.employee("Abbot"))
            department.employees = [monk, abbot]
            #expect(monk.department === department && abbot.department === department)
            department.employees.remove(monk)
            #expect(monk.department == nil)
            try context.save()
            let other = office.newContext()
            #expect(try other.own(monk).department == nil)
            #expect(try other.own(department).employees.map(\.name) == ["Abbot"])
        }

        @Test(arguments: [true, false]) func `a move takes the object out of its first owner`(isLoaded: Bool) throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let first = try context.department("first")
            let monk = try context.employee("Monk")
            monk.department = first
            try context.save()
            let moving = office.newContext()
            let (mine, old) = (try moving.own(monk), try moving.own(first))
            if isLoaded { #expect(old.employees == [mine]) }
            let second = try moving.department("second")
            second.employees = [mine]
            #expect(mine.department === second && old.employees.isEmpty)
            try moving.save()
            let reading = office.newContext()
            #expect(try reading.own(first).employees.isEmpty)
            #expect(try reading.own(second).employees == [reading.own(monk)])
        }

        @Test(arguments: StoreKind.allCases) func `a one-to-one has one on each side`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let badge = try context.insert(Office.Badge.self)
            let (monk, abbot) = (try context.employee("Monk"), try context.employee("Abbot"))
            monk.badge = badge
            #expect(badge.owner === monk)
            badge.owner = abbot
            #expect(monk.badge == nil && abbot.badge === badge)
            try context.save()
            let another = try context.insert(Office.Badge.self)
            another.owner = abbot
            #expect(badge.owner == nil && abbot.badge === another)
            try context.save()
            let reading = office.newContext()
            #expect(try reading.own(abbot).badge === reading.own(another))
            #expect(try reading.own(badge).owner == nil)
        }

        @Test func `a one-to-one taken over by somebody with another leaves two behind`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let (monk, abbot) = (try context.employee("Monk"), try context.employee("Abbot"))
            let (first, second) = (try context.insert(Office.Badge.self), try context.insert(Office.Badge.self))
            monk.badge = first
            abbot.badge = second
            try context.save()
            abbot.badge = first
            #expect(monk.badge == nil && second.owner == nil && first.owner === abbot)
        }

        @Test func `an object linked to itself by a one-to-one lets go of both sides`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let step = try context.insert(Office.Step.self)
            let other = try context.insert(Office.Step.self)
            step.next = step
            #expect(step.previous === step)
            step.next = other
            #expect(step.previous == nil && other.previous === step)
        }

        @Test(arguments: StoreKind.allCases) func `a many-to-many is equal on both sides`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let monk = try context.employee("Monk")
            let (cooking, singing) = (try context.insert(Office.Skill.self), try context.insert(Office.Skill.self))
            monk.skills = [cooking, singing]
            #expect(cooking.employees == [monk] && singing.employees == [monk])
            singing.employees.remove(monk)
            #expect(monk.skills == [cooking])
            try context.save()
            let other = office.newContext()
            #expect(try other.own(cooking).employees == [other.own(monk)])
            try other.own(cooking).employees = []
            #expect(try other.own(monk).skills.isEmpty)
            try other.save()
            #expect(try office.newContext().own(monk).skills.isEmpty)
        }

        @Test func `a relationship of an entity with itself has two sides`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let (monk, abbot) = (try context.employee("Monk"), try context.employee("Abbot"))
            monk.manager = abbot
            abbot.manager = abbot
            #expect(abbot.reports == [monk, abbot])
            try context.save()
            let reading = office.newContext()
            #expect(try reading.own(abbot).reports.map(\.name).sorted() == ["Abbot", "Monk"])
            #expect(try reading.own(abbot).manager === reading.own(abbot))
        }

        @Test func `a relationship that is its own inverse goes both ways`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let people = try ["a", "b", "c"].map(context.employee)
            people[0].friends = [people[1], people[2]]
            #expect(people[1].friends == [people[0]] && people[2].friends == [people[0]])
            people[2].friends = []
            #expect(people[0].friends == [people[1]])
            people[1].friends.insert(people[1])
            try context.save()
            let reading = office.newContext()
            #expect(try reading.own(people[0]).friends.map(\.name) == ["b"])
            #expect(try reading.own(people[1]).friends.map(\.name).sorted() == ["a", "b"])
        }

        @Test(arguments: StoreKind.allCases) func `an order stays`(kind: StoreKind) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let company = try context.insert(Office.Company.self)
            company.departments = try ["c", "a", "b"].map(context.department)
            company.departments.append(company.departments[0])
            #expect(company.departments.map(\.name) == ["c", "a", "b"])
            try context.save()
            company.departments.swapAt(0, 2)
            try context.save()
            let reading = office.newContext()
            #expect(try reading.own(company).departments.map(\.name) == ["b", "a", "c"])
            try reading.own(company).departments.remove(at: 1)
            try reading.save()
            #expect(try office.newContext().own(company).departments.map(\.name) == ["b", "c"])
        }

        @Test func `an object removed from an order and put back stands at the end`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let company = try context.insert(Office.Company.self)
            let departments = try ["a", "b", "c"].map(context.department)
            company.departments = departments
            try context.save()
            departments[0].company = nil
            departments[0].company = company
            #expect(company.departments.map(\.name) == ["b", "c", "a"])
            try context.save()
            #expect(try office.newContext().own(company).departments.map(\.name) == ["b", "c", "a"])
        }

        @Test(arguments: StoreKind.allCases) func `relationships without inverse leave the other side alone`(
            kind: StoreKind
        ) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            let (monk, abbot) = (try context.employee("Monk"), try context.employee("Abbot"))
            let department = try context.department("kitchen")
            monk.mentor = abbot
            department.guests = [monk, abbot]
            #expect(!abbot.isUpdated && monk.department == nil)
            try context.save()
            let reading = office.newContext()
            #expect(try reading.own(monk).mentor === reading.own(abbot))
            #expect(try reading.own(department).guests.map(\.name).sorted() == ["Abbot", "Monk"])
            try reading.own(department).guests = []
            try reading.own(monk).mentor = nil
            try reading.save()
            let again = office.newContext()
            #expect(try again.own(department).guests.isEmpty && again.own(monk).mentor == nil)
        }

        @Test(arguments: StoreKind.allCases) func `a link to a new object that was deleted again is not written`(
            kind: StoreKind
        ) throws {
            let office = try OfficeStack(kind)
            let context = office.newContext()
            // Whoever has primary key 1 must not become the mentor.
            let stranger = try context.employee("Stranger")
            try context.save()
            let monk = try context.employee("Monk")
            let department = try context.department("kitchen")
            let mentor = try context.employee("Mentor")
            monk.mentor = mentor
            department.guests = [mentor]
            context.delete(mentor)
            try context.save()
            let reading = office.newContext()
            #expect(try reading.own(monk).mentor == nil)
            #expect(try reading.own(department).guests.isEmpty)
            #expect(try reading.own(stranger).name == "Stranger")
        }

        @Test func `changing a to-many alone leaves the version of its one side`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let department = try context.department("kitchen")
            try context.save()
            let other = office.newContext()
            try other.own(department).name = "library"
            let monk = try context.employee("Monk")
            department.employees = [monk]
            #expect(department.hasChanges)
            try context.save()
            #expect(!department.hasChanges)
            try other.save()
            #expect(try office.newContext().own(department).name == "library")
        }

        @Test func `links that two contexts add both stay`() throws {
            let office = try OfficeStack()
            let context = office.newContext()
            let monk = try context.employee("Monk")
            try context.save()
            let others = [office.newContext(), office.newContext()]
            for other in others {
                let skill = try other.insert(Office.Skill.self)
                try other.own(monk).skills.insert(skill)
            }
            for other in others { try other.save() }
            #expect(try office.newContext().own(monk).skills.count == 2)
            _ = try context.all(Office.Employee.self)
            #expect(monk.skills.count == 2)
        }
    }
#endif
