#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// How many queries each kind of fetch and fault takes, in contexts that know nothing and share no cache with the one
    /// that wrote.
    @Suite struct `Queries of fetches and faults` {
        private let recorder = StatementRecorder()
        private let folder: TemporaryFolder
        private let stack: Stack
        private let context: ManagedObjectContext

        init() throws {
            folder = try TemporaryFolder()
            let writing = Stack(model: try Office.model.get())
            try writing.addDatabaseStore(fileURL: folder.file("office.sqlite"), synchronous: .normal)
            let office = ManagedObjectContext(coordinator: writing.coordinator)
            let company = try office.insert(Office.Company.self)
            company.departments = try ["a", "b", "c"].map(office.department)
            let skills = try (0..<2).map { _ in try office.insert(Office.Skill.self) }
            for number in 0..<6 {
                let employee = try office.employee("e\(number)")
                employee.department = company.departments[number % 3]
                employee.skills = Set(skills)
                employee.badge = try office.insert(Office.Badge.self)
            }
            try office.save()
            let recorder = recorder
            stack = Stack(model: try Office.model.get(), trace: { recorder.record($0, by: "store") })
            try stack.addDatabaseStore(fileURL: folder.file("office.sqlite"), synchronous: .normal)
            context = ManagedObjectContext(coordinator: stack.coordinator)
        }

        private func queries(_ body: () throws -> Void) rethrows -> Int { try recorder.queries(body).count }

        private var employees: FetchRequest {
            var request = FetchRequest(entityName: "Employee", condition: .compare("age", .greaterThanOrEqual, 0))
            request.sortTerms = [SortTerm("name")]
            request.fetchLimit = 4
            return request
        }

        @Test func `objects, ids, counts and rows are one query each`() throws {
            var rows = employees
            rows.resultType = .dictionaries
            rows.propertiesToFetch = [.init("name"), .init("department.name", alias: "department")]
            #expect(try queries { _ = try context.fetch(employees) } == 1)
            #expect(try queries { _ = try context.objectIDs(employees) } == 1)
            #expect(try queries { _ = try context.count(employees) } == 1)
            #expect(try queries { _ = try context.values(rows) } == 1)
        }

        @Test func `a fetch under unsaved changes is one query, and so is its count`() throws {
            _ = try context.fetch(employees)
            _ = try context.employee("new")
            #expect(try queries { _ = try context.fetch(employees) } == 1)
            #expect(try queries { _ = try context.count(employees) } == 1)
        }

        @Test func `a condition over relationships is one query`() throws {
            let request = FetchRequest(
                entityName: "Department",
                condition: try Condition(format: "ANY employees.name == 'e1' AND company.departments.@count == 3"))
            #expect(try queries { _ = try context.fetch(request) } == 1)
        }

        @Test func `properties of fetched objects take none`() throws {
            let objects = try context.fetch(employees)
            #expect(try queries { for object in objects { _ = try object.value(forKey: "name") } } == 0)
        }

        @Test func `objects by their ids are one query an entity, and none when they are known`() throws {
            var ids = try context.objectIDs(FetchRequest(entityName: "Employee"))
            ids += try context.objectIDs(FetchRequest(entityName: "Department"))
            #expect(try queries { _ = try context.objects(with: ids) } == 2)
            #expect(try queries { _ = try context.objects(with: ids) } == 0)
        }

        @Test func `a many-to-many and a one-to-one take one query each, once`() throws {
            var request = employees
            request.fetchLimit = 1
            let monk = try #require(try context.fetch(request).first as? Office.Employee)
            #expect(queries { _ = monk.skills.count } == 1)
            #expect(queries { _ = monk.badge?.code } == 1)
            #expect(queries { _ = (monk.skills.count, monk.badge?.code) } == 0)
        }

        @Test func `a refresh reads nothing by itself, and one that merges has the row from the cache`() throws {
            let monk = try #require(try context.fetch(employees).first as? Office.Employee)
            #expect(try queries { try context.refresh(monk, mergeChanges: false) } == 0)
            _ = monk.name
            monk.note = "edit"
            #expect(try queries { try context.refresh(monk, mergeChanges: true) } == 0)
            context.stalenessInterval = .zero
            #expect(try queries { try context.refresh(monk, mergeChanges: true) } == 1)
            #expect(try queries { try context.refreshAllObjects() } == 0)
        }

        @Test func `what others commit is taken over without a query`() throws {
            let mine = try context.all(Office.Employee.self).sorted { $0.name < $1.name }
            let other = ManagedObjectContext(coordinator: stack.coordinator)
            let theirs = try other.all(Office.Employee.self).sorted { $0.name < $1.name }
            theirs[0].age = 40
            try other.save()
            let taken = queries {
                context.mergeCommits()
                #expect(mine[0].age == 40)
            }
            #expect(taken == 0)
        }

        @Test func `what is taken back takes none, and what is gone is looked for`() throws {
            let monk = try #require(try context.fetch(employees).first as? Office.Employee)
            let id = monk.anyObjectID
            monk.age = 9
            let forgotten = queries {
                context.rollback()
                _ = monk.age
            }
            #expect(forgotten == 0)
            context.delete(monk)
            try context.save()
            let missing = queries { #expect(throws: FetchError.self) { try context.existingObject(with: id) } }
            #expect(missing == 1)
        }
    }
#endif
