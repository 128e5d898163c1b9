#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Which objects a context keeps.
    @Suite struct `Registration` {
        private let office: OfficeStack
        private let writer: ManagedObjectContext
        private let context: ManagedObjectContext

        init() throws {
            office = try OfficeStack(.file)
            writer = office.newContext()
            context = office.newContext()
        }

        private func insertEmployees(_ count: Int) throws {
            for number in 0..<count { _ = try writer.employee("\(number)") }
            try writer.save()
        }

        private func makeDepartment(of names: String...) throws -> AnyObjectID {
            let department = try writer.department("kitchen")
            department.employees = Set(try names.map(writer.employee))
            try writer.save()
            return department.anyObjectID
        }

        private var registeredNames: [String] {
            context.registeredObjects.compactMap { ($0 as? Office.Employee)?.name }.sorted()
        }

        @Test func `clean objects that nobody holds leave the registered set`() throws {
            try insertEmployees(3)
            _ = try context.all(Office.Employee.self)
            #expect(context.registeredObjects.isEmpty)
            try context.checkInvariants()
        }

        @Test func `an object that somebody holds stays, and is found`() throws {
            try insertEmployees(3)
            let held = try #require(try context.all(Office.Employee.self).first)
            #expect(context.registeredObjects == [held])
            #expect(try context.own(held) === held)
            try context.checkInvariants()
        }

        @Test func `saved objects leave, and those with changes stay until they are saved`() throws {
            _ = try context.employee("Monk")
            #expect(registeredNames == ["Monk"])
            try context.save()
            #expect(context.registeredObjects.isEmpty)
            try #require(try context.all(Office.Employee.self).first).age = 18
            #expect(registeredNames == ["Monk"])
            try context.save()
            #expect(context.registeredObjects.isEmpty)
            try context.delete(#require(try context.all(Office.Employee.self).first))
            #expect(context.registeredObjects.count == 1)
            try context.save()
            #expect(context.registeredObjects.isEmpty)
            try context.checkInvariants()
        }

        @Test func `members stay as long as somebody holds the owner`() throws {
            let id = try makeDepartment(of: "Monk", "Abbot")
            let department = try #require(try context.existingObject(with: id) as? Office.Department)
            #expect(department.employees.count == 2)
            #expect(registeredNames == ["Abbot", "Monk"])
            #expect(department.employees.map(\.name).sorted() == ["Abbot", "Monk"])
            try context.checkInvariants()
        }

        @Test func `an owner that nobody holds goes, and its members stay that somebody holds`() throws {
            let id = try makeDepartment(of: "Monk", "Abbot")
            let monk = try #require(try context.all(Office.Employee.self).first { $0.name == "Monk" })
            monk.friends = try #require(monk.department).employees.filter { $0 !== monk }
            try context.save()
            #expect(monk.friends.map(\.name) == ["Abbot"])
            // Nobody holds the department, whose to-many is loaded; the friend is held by the friend.
            #expect(context.registeredObject(for: id) != nil)
            #expect(registeredNames == ["Abbot", "Monk"] && context.registeredObject(for: id) == nil)
            try context.checkInvariants()
        }

        @Test func `friends of each other that nobody holds go`() throws {
            do {
                let (one, other) = (try context.employee("one"), try context.employee("other"))
                one.friends = [other, one]
                try context.save()
                #expect(other.friends == [one])
            }
            #expect(context.registeredObjects.isEmpty)
        }

        @Test func `a set that somebody holds keeps its members`() throws {
            let id = try makeDepartment(of: "Monk", "Abbot")
            let employees = try #require(try context.existingObject(with: id) as? Office.Department).employees
            #expect(registeredNames == ["Abbot", "Monk"])
            #expect(employees.map(\.name).sorted() == ["Abbot", "Monk"])
            #expect(Set(context.registeredObjects) == Set(employees))
        }

        @Test func `an ordered to-many keeps its order over a sweep`() throws {
            let company = try writer.insert(Office.Company.self)
            company.departments = try ["c", "a", "b"].map(writer.department)
            try writer.save()
            let mine = try context.own(company)
            #expect(mine.departments.map(\.name) == ["c", "a", "b"])
            #expect(context.registeredObjects.count == 4)
            #expect(mine.departments.map(\.name) == ["c", "a", "b"])
        }

        @Test func `walking many pages keeps few objects`() throws {
            try insertEmployees(10_000)
            var request = FetchRequest(entityName: "Employee")
            request.fetchLimit = 500
            var most = 0
            var names: Set<String> = []
            for page in 0..<20 {
                request.fetchOffset = page * 500
                for case let employee as Office.Employee in try context.fetch(request) { names.insert(employee.name) }
                most = max(most, context.identities.count)
            }
            #expect(names.count == 10_000)
            #expect(most <= 2_048)
            try context.checkInvariants()
        }

        @Test func `saves let go of what the saves before them inserted`() throws {
            for round in 0..<5 {
                for number in 0..<1_000 { _ = try context.employee("\(round) \(number)") }
                try context.save()
            }
            #expect(context.identities.count <= 3_000)
        }

        @Test func `retaining registered objects keeps them all`() throws {
            try insertEmployees(3)
            context.retainsRegisteredObjects = true
            _ = try context.all(Office.Employee.self)
            #expect(context.registeredObjects.count == 3)
            context.retainsRegisteredObjects = false
            #expect(context.registeredObjects.isEmpty)
        }

        @Test func `a temporary id finds its object, which nobody held since the save`() throws {
            let temporary = try context.employee("Monk").anyObjectID
            try context.save()
            #expect(context.registeredObjects.isEmpty)
            let found = try #require(try context.existingObject(with: temporary) as? Office.Employee)
            #expect(found.name == "Monk" && !found.anyObjectID.isTemporaryID)
            try context.checkInvariants()
        }

        @Test func `a registered object is found without reading, and no other`() throws {
            let id = try makeDepartment(of: "Monk")
            #expect(context.registeredObject(for: id) == nil)
            let department = try context.existingObject(with: id)
            #expect(context.registeredObject(for: id) === department)
        }

        @Test func `a class that uses its context in its deinit finds it at rest`() throws {
            let counts = Locked<[Int]>([])
            try context.insert(Office.Farewell.self).atDeinit = { [context] in
                counts.withLock { $0.append(context.registeredObjects.count) }
            }
            try context.save()
            #expect(context.registeredObjects.isEmpty)
            #expect(counts.withLock { $0 } == [0])
            try context.checkInvariants()
        }
    }
#endif
