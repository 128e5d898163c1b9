#if Macros
    import DataMonk
    import Testing

    @Suite struct `Updates` {
        private let stack: Stack
        private let context: Context

        init() throws {
            stack = Stack(model: try Office.model.get())
            try stack.addInMemoryStore()
            context = try Context(stack: stack)
        }

        private func makeEmployees(_ count: Int) async throws -> [ObjectID<Office.Employee>] {
            try await context.update { update in
                let employees = try (0..<count).map { number in
                    let employee = try update.create(Office.Employee.self)
                    employee.name = "e\(number)"
                    employee.age = number
                    return employee
                }
                try update.commit()
                return employees.map(\.objectID)
            }
        }

        @Test func `what is not committed is discarded`() async throws {
            try await context.update { update in _ = try update.create(Office.Employee.self) }
            #expect(try await context.read { try $0.count(Office.Employee.self) } == 0)
        }

        @Test func `an object crosses by its id`() async throws {
            let id = try await makeEmployees(1)[0]
            try await context.beginUpdate(using: id) { update, employee in
                employee.name = "Abbot"
                try update.commit()
            }.value
            #expect(try await context.read { try $0.use(id).name } == "Abbot")
        }

        @Test func `beginUpdate with an id that is gone throws`() async throws {
            let id = try await makeEmployees(1)[0]
            try await context.update { update in
                try update.delete(id)
                try update.commit()
            }
            let handle = context.beginUpdate(using: id) { _, _ in Issue.record("ran") }
            let error = await #expect(throws: FetchError.self) { try await handle.value }
            #expect(error?.code == .objectNotFound)
        }

        @Test func `fetchOrCreate finds what is stored, what is unsaved, and else creates`() async throws {
            _ = try await makeEmployees(2)
            try await context.update { update in
                let found = try update.fetchOrCreate(Office.Employee.self, %"name" == "e1")
                #expect(!found.isInserted && found.age == 1)
                let created = try update.fetchOrCreate(Office.Employee.self, %"name" == "new" && %"age" == 7)
                #expect(created.isInserted && created.name == "new" && created.age == 7)
                #expect(try update.fetchOrCreate(Office.Employee.self, %"name" == "new") === created)
                created.name = "renamed"
                #expect(try update.fetchOrCreate(Office.Employee.self, %"name" == "new") !== created)
            }
        }

        @Test func `fetchOrCreate sets relationships too`() async throws {
            try await context.update { update in
                let kitchen = try update.create(Office.Department.self)
                let cook = try update.fetchOrCreate(Office.Employee.self, %"name" == "cook" && %"department" == kitchen)
                #expect(kitchen.employees == [cook])
                #expect(try update.fetchOrCreate(Office.Employee.self, %"department" == kitchen) === cook)
                try update.commit()
            }
        }

        @Test func `deleteAll deletes what meets the condition, unsaved objects too`() async throws {
            _ = try await makeEmployees(5)
            try await context.update { update in
                try update.create(Office.Employee.self).age = 4
                #expect(try update.deleteAll(Office.Employee.self, %"age" >= 3) == 3)
                #expect(try update.count(Office.Employee.self) == 3)
                try update.commit()
            }
            #expect(try await context.read { try $0.fetchAll(Office.Employee.self).map(\.age).sorted() } == [0, 1, 2])
        }

        @Test func `ids without an object are passed over by delete and fetch, and named by use`() async throws {
            let ids = try await makeEmployees(3)
            try await context.update { update in
                try update.delete(ids[1])
                try update.delete(ids[1])
                try update.commit()
                try update.delete(ids[1])
                #expect(try update.fetch(Office.Employee.self, ids).map(\.name) == ["e0", "e2"])
                let error = #expect(throws: FetchError.self) { _ = try update.use(ids) }
                #expect(error?.objectID == ids[1].erased)
            }
        }

        @Test func `fetch throws where there is nothing, fetchAll does not`() async throws {
            try await context.read { reader in
                let error = #expect(throws: FetchError.self) { _ = try reader.fetch(Office.Employee.self, %"age" > 3) }
                #expect(error?.code == .objectNotFound && error?.entityName == "Employee")
                #expect(throws: FetchError.self) { _ = try reader.fetchID(Office.Employee.self) }
                let (all, oldest) = (
                    try reader.fetchAll(Office.Employee.self), try reader.queryValue(Office.Employee.self, .Max("age"))
                )
                #expect(all.isEmpty && oldest == .null)
            }
        }

        @Test func `rollback leaves the last commit`() async throws {
            let id = try await makeEmployees(1)[0]
            try await context.update { update in
                let employee = try update.use(id)
                employee.age = 50
                try update.commit()
                employee.age = 60
                _ = try update.create(Office.Employee.self)
                #expect(update.hasChanges)
                update.rollback()
                #expect(!update.hasChanges && employee.age == 50)
            }
        }

        @Test func `an update goes on after a commit that failed`() async throws {
            try await context.update { update in
                let project = try update.create(Office.Project.self)
                #expect(throws: SaveError.self) { try update.commit() }
                project.department = try update.create(Office.Department.self)
                try update.commit()
            }
            #expect(try await context.read { try $0.count(Office.Project.self) } == 1)
        }

        @Test func `commits are told with the ids of what they changed`() async throws {
            var commits = context.commits.makeAsyncIterator()
            let ids = try await makeEmployees(2)
            try await context.update { update in
                try update.use(ids[0]).age = 9
                try update.delete(ids[1])
                try update.commit()
            }
            let first = await commits.next()
            #expect(first?.inserted == ids.map(\.erased) && first?.updated.isEmpty == true)
            let second = await commits.next()
            #expect(second?.updated == [ids[0].erased] && second?.deleted == [ids[1].erased])
        }

        @Test func `a read has a context of its own`() async throws {
            let id = try await makeEmployees(1)[0]
            let (name, count) = try await context.read { reader in
                (try reader.use(id).name, try reader.count(Office.Employee.self))
            }
            #expect(name == "e0" && count == 1)
        }
    }
#endif
