#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    @Suite struct `Observing a value` {
        private let stack: Stack
        private let context: Context
        private let folder: TemporaryFolder
        /// The number of statements that count.
        private let counts = Locked(0)

        init() throws {
            folder = try TemporaryFolder()
            let counts = counts
            stack = Stack(
                model: try Office.model.get(),
                trace: { sql in if sql.contains("COUNT(") || sql.contains("count(") { counts.withLock { $0 += 1 } } })
            try stack.addDatabaseStore(fileURL: folder.file("Office.sqlite"), synchronous: .normal)
            context = try Context(stack: stack)
        }

        private func commit(_ change: @escaping @Sendable (Update) throws -> Void) async throws {
            try await context.update { update in
                try change(update)
                try update.commit()
            }
        }

        @Test func `begins with the present value, and follows commits`() async throws {
            var ages = context.observeValue { reader in
                try reader.fetchAll(Office.Employee.self, orderBy: .Ascending("age")).map(\.age)
            }.makeAsyncIterator()
            #expect(try await ages.next() == [])
            try await commit { try $0.create(Office.Employee.self).age = 3 }
            #expect(try await ages.next() == [3])
            try await commit { try $0.fetch(Office.Employee.self).age = 4 }
            #expect(try await ages.next() == [4])
            try await commit { try $0.delete($0.fetch(Office.Employee.self)) }
            #expect(try await ages.next() == [])
        }

        @Test func `of nothing that the reader reads is an error, not a wait for ever`() async throws {
            var values = context.observeValue { _ in 5 }.makeAsyncIterator()
            do {
                _ = try await values.next()
                Issue.record("A value came.")
            } catch {
                let error = error as? FetchError
                #expect(error?.code == .invalidRequest)
                #expect(error?.message.hasPrefix("The body of observeValue has read nothing") == true)
            }
            #expect(try await values.next() == nil)
        }

        @Test func `ends by cancellation, and by an error`() async throws {
            struct Problem: Error {}
            let values = context.observeValue { try $0.count(Office.Employee.self) }
            let first = Meeting()
            let task = Task {
                var count = 0
                for try await _ in values {
                    count += 1
                    first.open()
                }
                return count
            }
            await first.wait()
            task.cancel()
            #expect(try await task.value == 1)

            var failing = context.observeValue { _ -> Int in throw Problem() }.makeAsyncIterator()
            do {
                _ = try await failing.next()
                Issue.record("The error of the body was not thrown.")
            } catch {
                #expect(error is Problem)
            }
            #expect(try await failing.next() == nil)
        }

        @Test func `commits that do not concern it cost no statement`() async throws {
            try await commit { update in
                let employee = try update.create(Office.Employee.self)
                employee.name = "Monk"
                try update.create(Office.Department.self).name = "Kitchen"
            }
            let values = context.observeValue { reader in try reader.count(Office.Employee.self, %"age" > 30) }
            let (told, last) = (Locked(0), Meeting())
            let task = Task {
                for try await count in values {
                    told.withLock { $0 += 1 }
                    if count == 1 { last.open() }
                }
            }
            while told.withLock({ $0 }) == 0 { await Task.yield() }
            let before = counts.withLock { $0 }
            for number in 0..<1_000 {
                try await commit { update in
                    try update.fetch(Office.Employee.self).name = "\(number)"
                    try update.fetch(Office.Department.self).name = "\(number)"
                }
            }
            #expect(counts.withLock { $0 } == before)
            try await commit { try $0.fetch(Office.Employee.self).age = 40 }
            await last.wait()
            #expect(told.withLock { $0 } == 2 && counts.withLock { $0 } == before + 1)
            task.cancel()
            _ = await task.result
        }

        /// Bodies that read a random graph of employees and departments.
        private static let bodies: [@Sendable (Reader) throws -> [String]] = [
            { try ["\($0.count(Office.Employee.self, %"department.name" == "1"))"] },
            { try ["\($0.count(Office.Department.self, %"employees.age"%.any > 3))"] },
            { try ["\($0.queryValue(Office.Employee.self, .Sum("age")))"] },
            {
                try $0.query(
                    Office.Employee.self, .Select("department.name") | .Count("self", alias: "n"),
                    groupBy: %"department.name"
                ).map { "\($0["department.name"] ?? .null) \($0["n"] ?? .null)" }.sorted()
            },
            {
                try $0.fetchAll(Office.Department.self).map { "\($0.name) \($0.employees.map(\.name).sorted())" }
                    .sorted()
            },
            { try $0.fetchAll(Office.Employee.self).map { "\($0.name) \($0.department?.name ?? "-")" }.sorted() },
            { try $0.fetchAllID(Office.Employee.self, %"age" > 4).map { "\($0.uri)" }.sorted() },
        ]

        /// How many commits a run observes, by `DATAMONK_OBSERVATIONS`.
        private static let commits =
            ProcessInfo.processInfo.environment["DATAMONK_OBSERVATIONS"].flatMap { Int($0) } ?? 150

        @Test(.timeLimit(.minutes(60)), arguments: bodies.indices)
        func `after each commit that concerns it, its last value is that of a fetch`(number: Int) async throws {
            let body = Self.bodies[number]
            var values = context.observeValue(body).makeAsyncIterator()
            var last = try await values.next()
            var random = SeededGenerator(seed: UInt64(number) + 1)
            for _ in 0..<Self.commits {
                let (choice, value, pick) = (
                    Int.random(in: 0..<8, using: &random), Int.random(in: 0..<8, using: &random),
                    Int.random(in: 0..<100, using: &random)
                )
                try await commit { try Self.change($0, choice: choice, value: value, pick: pick) }
                let present = try await context.read { try body($0) }
                // The time limit ends the observation, if the value never comes.
                while last != present {
                    last = try await values.next()
                    try #require(last != nil)
                }
            }
        }

        private static func change(_ update: Update, choice: Int, value: Int, pick: Int) throws {
            let employees = try update.fetchAll(Office.Employee.self, orderBy: .Ascending("name") | .Ascending("age"))
            let departments = try update.fetchAll(Office.Department.self, orderBy: .Ascending("name"))
            let employee = employees.isEmpty ? nil : employees[pick % employees.count]
            let department = departments.isEmpty ? nil : departments[pick % departments.count]
            switch choice {
            case 0, 1: try update.create(Office.Employee.self).name = "\(value)"
            case 2: try update.create(Office.Department.self).name = "\(value)"
            case 3: employee?.age = value
            case 4, 5: employee?.department = department
            case 6: department?.name = "\(value)"
            default: if let employee { try update.delete(employee) }
            }
        }

        @Test func `sees what was read before a refresh, and through a child`() async throws {
            try await commit { try $0.create(Office.Department.self).name = "Kitchen" }
            var counts = context.observeValue { reader in
                let kitchen = try reader.fetch(Office.Department.self)
                let count = kitchen.employees.count
                try reader.refreshAll()
                return count
            }.makeAsyncIterator()
            var names = context.observeValue { reader in
                let graph = try reader.fetch(Office.Department.self).managedObjectContext
                let child = try ManagedObjectContext(parent: #require(graph))
                let request = FetchRequest(entityName: "Employee")
                return try child.fetch(request).compactMap { ($0 as? Office.Employee)?.name }
            }.makeAsyncIterator()
            let first = try await (counts.next(), names.next())
            #expect(first.0 == 0 && first.1 == [])
            try await commit { update in
                let employee = try update.create(Office.Employee.self)
                (employee.name, employee.department) = ("Monk", try update.fetch(Office.Department.self))
            }
            let second = try await (counts.next(), names.next())
            #expect(second.0 == 1 && second.1 == ["Monk"])
        }

        @Test func `looks again when a store is added, and ends with the stack's stores`() async throws {
            var counts = context.observeValue { try $0.count(Office.Employee.self) }.makeAsyncIterator()
            #expect(try await counts.next() == 0)
            let other = Stack(model: stack.model)
            try other.addDatabaseStore(fileURL: folder.file("Other.sqlite"))
            try await Context(stack: other).update { update in
                _ = try update.create(Office.Employee.self)
                try update.commit()
            }
            try other.close()
            try stack.addDatabaseStore(fileURL: folder.file("Other.sqlite"))
            #expect(try await counts.next() == 1)
            try stack.close()
            do {
                _ = try await counts.next()
                Issue.record("The stack is closed, but the value goes on.")
            } catch {
                #expect((error as? StoreError)?.code == .operationFailed, "\(error)")
            }
            #expect(try await counts.next() == nil)
        }

        @Test func `follows batch requests`() async throws {
            try await commit { for age in 0..<10 { try $0.create(Office.Employee.self).age = age } }
            var sum = context.observeValue { reader in
                try reader.queryValue(Office.Employee.self, .Sum("age"), as: Int.self)
            }.makeAsyncIterator()
            #expect(try await sum.next() == 45)
            try await context.update { _ = try $0.batchUpdate(Office.Employee.self, set: ["age": 1]) }
            #expect(try await sum.next() == 10)
        }
    }
#endif
