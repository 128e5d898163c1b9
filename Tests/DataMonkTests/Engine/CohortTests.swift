#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// How many statements loops over relationships take.
    @Suite struct `Cohorts` {
        private let recorder = StatementRecorder()
        private let folder: TemporaryFolder
        private let writer: ManagedObjectContext
        private let context: ManagedObjectContext

        init() throws {
            folder = try TemporaryFolder()
            let url = folder.file("office.sqlite")
            let stack = Stack(model: try Office.model.get())
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
            writer = ManagedObjectContext(coordinator: stack.coordinator)
            // A stack of its own: no row is in its cache.
            let cold = Stack(model: try Office.model.get(), trace: { [recorder] in recorder.record($0, by: "cold") })
            try cold.addDatabaseStore(fileURL: url)
            context = ManagedObjectContext(coordinator: cold.coordinator)
        }

        private func makeStaff(employees: Int, departments: Int) throws {
            let departments = try (0..<departments).map { try writer.department("department \($0)") }
            for number in 0..<employees {
                let employee = try writer.employee("\(number)")
                employee.department = departments[number % departments.count]
            }
            try writer.save()
        }

        private func fetch<Object: ManagedObject>(_ type: Object.Type, limit: Int = 0, by key: String) throws
            -> [Object]
        {
            var request = FetchRequest(entityName: "\(type)")
            request.sortTerms = [SortTerm(key)]
            request.fetchLimit = limit
            return try context.fetch(request).compactMap { $0 as? Object }
        }

        // MARK: To-one

        @Test func `the departments of a thousand employees are one statement`() throws {
            try makeStaff(employees: 1_000, departments: 100)
            var names: Set<String> = []
            let queries = try recorder.queries {
                for employee in try context.all(Office.Employee.self) { names.insert(employee.department?.name ?? "") }
            }
            #expect(names.count == 100)
            #expect(queries.count == 2)
            try context.checkInvariants()
        }

        @Test func `more destinations than a cohort takes are read in slices`() throws {
            try makeStaff(employees: 1_200, departments: 1_200)
            let queries = try recorder.queries {
                for employee in try context.all(Office.Employee.self) { _ = employee.department?.name }
            }
            #expect(queries.count == 4)
        }

        @Test func `faults that were collected first are one statement`() throws {
            try makeStaff(employees: 300, departments: 30)
            let employees = try context.all(Office.Employee.self)
            let departments = Set(employees.compactMap(\.department))
            #expect(recorder.queries { _ = departments.map(\.name) }.count == 1)
        }

        @Test func `a to-one that leads on is one statement for each step`() throws {
            let company = try writer.insert(Office.Company.self)
            company.name = "Monastery"
            company.departments = try (0..<10).map { try writer.department("\($0)") }
            for number in 0..<100 { try writer.employee("\(number)").department = company.departments[number % 10] }
            try writer.save()
            let queries = try recorder.queries {
                for employee in try context.all(Office.Employee.self) {
                    #expect(employee.department?.company?.name == "Monastery")
                }
            }
            #expect(queries.count == 3)
        }

        @Test func `an object fetched alone loads what it leads to, and nothing else`() throws {
            try makeStaff(employees: 10, departments: 10)
            let all = try fetch(Office.Employee.self, by: "name")
            let id = try #require(all.first).anyObjectID
            let other = ManagedObjectContext(coordinator: context.coordinator)
            let others = try all.dropFirst().map {
                try #require(try other.existingObject(with: $0.anyObjectID) as? Office.Employee)
            }
            let one = try #require(try other.existingObject(with: id) as? Office.Employee)
            #expect(one.department?.name == "department 0")
            #expect(others.compactMap(\.department).count(where: \.isFault) == 9)
        }

        @Test func `faults that nobody holds are not read`() throws {
            try makeStaff(employees: 10, departments: 10)
            let first = try fetch(Office.Employee.self, by: "name")[0]
            #expect(first.department?.name == "department 0")
            #expect(context.identities.objects.count { $0 is Office.Department } == 1)
        }

        @Test func `refreshed objects are read together`() throws {
            try makeStaff(employees: 100, departments: 1)
            let employees = try context.all(Office.Employee.self)
            try context.refreshAllObjects()
            context.stalenessInterval = .zero
            #expect(employees.count(where: \.isFault) == 100)
            #expect(recorder.queries { for employee in employees { _ = employee.name } }.count == 1)
            #expect(Set(employees.map(\.name)).count == 100)
        }

        @Test func `faults of sub-entities are read together`() throws {
            for number in 0..<3 {
                let tower = number == 1 ? try writer.insert(Office.Castle.self) : try writer.insert(Office.Tower.self)
                tower.height = number
                tower.floors = [try writer.insert(Office.Floor.self), try writer.insert(Office.Floor.self)]
                (tower as? Office.Castle)?.gates = [try writer.insert(Office.Gate.self)]
            }
            try writer.save()
            var heights: [Int] = []
            let queries = try recorder.queries {
                for floor in try context.all(Office.Floor.self) { heights.append(floor.tower?.height ?? -1) }
            }
            #expect(heights.sorted() == [0, 0, 1, 1, 2, 2])
            #expect(queries.count == 2)
        }

        // MARK: To-many

        @Test func `the employees of a hundred departments are one statement`() throws {
            try makeStaff(employees: 300, departments: 100)
            var counts: [Int] = []
            let queries = try recorder.queries {
                for department in try fetch(Office.Department.self, by: "name") {
                    counts.append(department.employees.count)
                    #expect(department.employees.allSatisfy { $0.department === department })
                }
            }
            #expect(counts == Array(repeating: 3, count: 100))
            #expect(queries.count == 2)
            try context.checkInvariants()
        }

        @Test func `a many-to-many is one statement`() throws {
            let skills = try (0..<5).map { number in
                let skill = try writer.insert(Office.Skill.self)
                skill.name = "\(number)"
                return skill
            }
            for number in 0..<50 {
                let employee = try writer.employee("\(number)")
                employee.skills = number == 7 ? [] : [skills[number % 5], skills[(number + 1) % 5]]
            }
            try writer.save()
            let queries = try recorder.queries {
                for employee in try context.all(Office.Employee.self) {
                    let number = try #require(Int(employee.name))
                    let expected: Set = number == 7 ? [] : ["\(number % 5)", "\((number + 1) % 5)"]
                    #expect(Set(employee.skills.map(\.name)) == expected)
                }
            }
            #expect(queries.count == 2)
        }

        @Test func `a many-to-many of an entity with itself is one statement`() throws {
            let people = try (0..<6).map { try writer.employee("\($0)") }
            for index in people.indices { people[index].friends = [people[(index + 1) % 6], people[(index + 5) % 6]] }
            try writer.save()
            let queries = try recorder.queries {
                for employee in try context.all(Office.Employee.self) {
                    let number = try #require(Int(employee.name))
                    #expect(Set(employee.friends.map(\.name)) == ["\((number + 1) % 6)", "\((number + 5) % 6)"])
                }
            }
            #expect(queries.count == 2)
        }

        @Test func `an ordered to-many is one statement, and keeps its orders`() throws {
            for number in 0..<10 {
                let company = try writer.insert(Office.Company.self)
                company.name = "\(number)"
                company.departments = try ["c", "a", "b"].map { try writer.department("\(number)\($0)") }
            }
            try writer.save()
            let queries = try recorder.queries {
                for company in try context.all(Office.Company.self) {
                    #expect(company.departments.map(\.name) == ["c", "a", "b"].map { company.name + $0 })
                }
            }
            #expect(queries.count == 2)
        }

        @Test func `unsaved changes are laid over what a cohort loads`() throws {
            try makeStaff(employees: 4, departments: 2)
            let departments = try fetch(Office.Department.self, by: "name")
            let employees = try fetch(Office.Employee.self, by: "name")
            employees[0].department = departments[1]
            #expect(departments[0].employees == [employees[2]])
            #expect(departments[1].employees == [employees[0], employees[1], employees[3]])
        }

        @Test func `large to-manys are loaded for few others, and for the one that was asked always`() throws {
            let departments = try (0..<5).map { try writer.department("\($0)") }
            for number in 0..<25_000 { try writer.employee("\(number)").department = departments[number / 5_000] }
            try writer.save()
            let mine = try fetch(Office.Department.self, by: "name")
            #expect(mine[4].employees.count == 5_000)
            #expect(context.identities.count < 25_000)
            #expect(mine.allSatisfy { $0.employees.count == 5_000 })
        }

        @Test func `a department fetched alone loads its employees and no others`() throws {
            try makeStaff(employees: 20, departments: 10)
            let others = try fetch(Office.Department.self, by: "name")
            let lone = ManagedObjectContext(coordinator: context.coordinator)
            let known = try others.dropFirst().map { try lone.existingObject(with: $0.anyObjectID) }
            let one = try #require(try lone.existingObject(with: others[0].anyObjectID) as? Office.Department)
            #expect(one.employees.count == 2)
            #expect(lone.registeredObjects.count == known.count + 3)
        }

        // MARK: Prefetching

        @Test func `prefetching is one statement for each step of a path`() throws {
            try makeStaff(employees: 20, departments: 10)
            var request = FetchRequest(entityName: "Department")
            request.relationshipKeyPathsForPrefetching = ["employees.badge", "projects", "employees.friends"]
            for case let employee as Office.Employee in try writer.fetch(FetchRequest(entityName: "Employee")) {
                employee.badge = try writer.insert(Office.Badge.self)
            }
            try writer.save()
            var departments: [ManagedObject] = []
            #expect(try recorder.queries { departments = try context.fetch(request) }.count == 5)
            let later = recorder.queries {
                for case let department as Office.Department in departments {
                    _ = department.projects
                    for employee in department.employees { _ = (employee.badge?.code, employee.friends) }
                }
            }
            #expect(later.isEmpty)
        }
    }
#endif
