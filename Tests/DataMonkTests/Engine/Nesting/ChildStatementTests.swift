#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// What children cost their store.
    @Suite struct `Statements of children` {
        private let recorder = StatementRecorder()
        private let stack: Stack
        private let folder: TemporaryFolder
        private let root: ManagedObjectContext
        private let child: ManagedObjectContext

        init() throws {
            folder = try TemporaryFolder()
            let recorder = recorder
            stack = Stack(model: try Office.model.get(), trace: { recorder.record($0, by: "store") })
            try stack.addDatabaseStore(fileURL: folder.file("office.sqlite"), synchronous: .normal)
            let writing = ManagedObjectContext(coordinator: stack.coordinator)
            let kitchen = try writing.department("kitchen")
            for number in 0..<10 { try writing.employee("e\(number)").department = kitchen }
            try writing.save()
            root = ManagedObjectContext(coordinator: stack.coordinator)
            child = ManagedObjectContext(parent: ManagedObjectContext(parent: root))
        }

        @Test func `a fetch at any depth is one SELECT`() throws {
            let employees = try root.all(Office.Employee.self)
            employees[3].age = 20
            var found: [Office.Employee] = []
            let queries = try recorder.queries { found = try child.all(Office.Employee.self) }
            #expect(found.count == 10)
            #expect(queries.count == 1)
        }

        @Test func `what the parent holds is not read again`() throws {
            let kitchen = try #require(try root.all(Office.Department.self).first)
            #expect(kitchen.employees.count == 10)
            let id = kitchen.anyObjectID
            try root.fetch(FetchRequest(entityName: "Department")).forEach { _ in }
            let queries = try recorder.queries {
                let own = try #require(try child.existingObject(with: id) as? Office.Department)
                #expect(own.employees.filter { $0.name.isEmpty }.isEmpty)
            }
            #expect(queries == [])
        }

        @Test func `a to-many that no parent holds is one SELECT`() throws {
            let kitchen = try #require(try child.all(Office.Department.self).first)
            let queries = recorder.queries { #expect(kitchen.employees.filter { $0.name.isEmpty }.isEmpty) }
            #expect(queries.count == 1)
        }

        @Test func `a child's save writes nothing`() throws {
            let employees = try child.all(Office.Employee.self)
            for employee in employees { employee.age = 5 }
            _ = try child.employee("new")
            let statements = try recorder.statements { try child.save() }
            let reading = ["SELECT", "BEGIN DEFERRED", "BEGIN", "PRAGMA", "ROLLBACK"]
            #expect(statements.filter { statement in !reading.contains { statement.hasPrefix($0) } } == [])
            // The parent reads the rows that it takes changes for, all at once.
            #expect(statements.filter { $0.hasPrefix("SELECT") && !$0.contains("sqlite_") }.count == 1)
        }
    }
#endif
