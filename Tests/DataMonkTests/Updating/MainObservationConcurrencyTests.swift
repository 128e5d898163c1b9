#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    @Suite @MainActor struct `Observing on the main actor` {
        private let stack: Stack
        private let World: MainContext
        private let folder: TemporaryFolder
        /// The number of statements that read.
        private let selects = Locked(0)

        init() throws {
            folder = try TemporaryFolder()
            let selects = selects
            stack = Stack(
                model: try Office.model.get(),
                trace: { sql in if sql.hasPrefix("SELECT") { selects.withLock { $0 += 1 } } })
            try stack.addDatabaseStore(fileURL: folder.file("Office.sqlite"), synchronous: .normal)
            World = try MainContext(stack: stack)
        }

        private func commit(_ change: @escaping @Sendable (Update) throws -> Void) async throws {
            try await World.update { update in
                try change(update)
                try update.commit()
            }
        }

        @Test func `objects come with their present values, and again after each change`() async throws {
            var people = World.observeOnMain { world in
                try world.fetchAll(Office.Employee.self, orderBy: .Ascending("age"))
            }.makeAsyncIterator()
            #expect(try await people.next()?.count == 0)
            try await commit { try $0.create(Office.Employee.self).age = 3 }
            let first = try #require(try await people.next())
            #expect(first.map(\.age) == [3])
            try await commit { try $0.fetch(Office.Employee.self).age = 4 }
            let second = try #require(try await people.next())
            // The same object, with another value.
            #expect(second == first && second.map(\.age) == [4])
        }

        @Test func `one object by its id, and objects that it leads to`() async throws {
            let id = try await World.update { update in
                let monk = try update.create(Office.Employee.self)
                monk.name = "Monk"
                monk.department = try update.create(Office.Department.self)
                monk.department?.name = "Kitchen"
                try update.commit()
                return monk.objectID
            }
            // Everything is in memory before.
            let monk = try World.use(id)
            #expect(monk.department?.employees == [monk])
            var names = World.observeOnMain { world in
                let monk = try world.use(id)
                return "\(monk.name) \(monk.department?.name ?? "-") \(monk.department?.employees.count ?? 0)"
            }.makeAsyncIterator()
            #expect(try await names.next() == "Monk Kitchen 1")
            try await commit { try $0.fetch(Office.Department.self).name = "Cellar" }
            #expect(try await names.next() == "Monk Cellar 1")
            try await commit { try $0.create(Office.Employee.self).department = $0.fetch(Office.Department.self) }
            #expect(try await names.next() == "Monk Cellar 2")
            try await commit { try $0.use(id).department = nil }
            #expect(try await names.next() == "Monk - 0")
        }

        @Test func `objects of batches that are there already are followed`() async throws {
            try await commit { try $0.create(Office.Employee.self).age = 3 }
            let kept = try World.fetchAll(Office.Employee.self)
            var ages = World.observeOnMain { world in
                try world.fetchBatched(Office.Employee.self, orderBy: .Ascending("name")).map(\.age)
            }.makeAsyncIterator()
            #expect(try await ages.next() == [3])
            try await commit { try $0.fetch(Office.Employee.self).age = 4 }
            #expect(try await ages.next() == [4])
            #expect(kept.map(\.age) == [4])
        }

        @Test func `a thousand commits that do not concern it cost no statement`() async throws {
            try await commit { update in
                try update.create(Office.Employee.self).name = "Monk"
                try update.create(Office.Department.self).name = "Kitchen"
            }
            let runs = Locked(0)
            var counts = World.observeOnMain { world in
                runs.withLock { $0 += 1 }
                return try world.count(Office.Employee.self, %"age" > 30)
            }.makeAsyncIterator()
            #expect(try await counts.next() == 0)
            let next = Task { @MainActor in try await counts.next() }
            // Names by id, so that the updates themselves read by id alone.
            let ids = try (World.fetchID(Office.Employee.self), World.fetchID(Office.Department.self))
            let before = runs.withLock { $0 }
            for number in 0..<1_000 {
                try await commit { update in
                    try update.use(ids.0).name = "\(number)"
                    try update.use(ids.1).name = "\(number)"
                }
            }
            #expect(runs.withLock { $0 } == before)
            try await commit { try $0.use(ids.0).age = 40 }
            #expect(try await next.value == 1)
            #expect(runs.withLock { $0 } == before + 1)
        }

        /// Bodies that read a random graph.
        private nonisolated static let bodies: [@MainActor (MainContext) throws -> [String]] = [
            { try ["\($0.count(Office.Employee.self, %"department.name" == "1"))"] },
            { try $0.fetchAll(Office.Employee.self).map { "\($0.name) \($0.department?.name ?? "-")" }.sorted() },
            {
                try $0.fetchAll(Office.Department.self).map { "\($0.name) \($0.employees.map(\.name).sorted())" }
                    .sorted()
            },
            {
                try $0.query(
                    Office.Employee.self, .Select("department.name") | .Count("self", alias: "n"),
                    groupBy: %"department.name"
                ).map { "\($0["department.name"] ?? .null) \($0["n"] ?? .null)" }.sorted()
            },
            {
                // From one object, and on by relationships alone.
                guard let first = try $0.first(Office.Employee.self, orderBy: .Ascending("name")) else { return [] }
                return try ["\(first.name) \(first.value(forKeyPath: "department.name"))"]
                    + (first.department?.employees.map { "\($0.age)" }.sorted() ?? [])
            },
        ]

        @Test(.timeLimit(.minutes(60)), arguments: bodies.indices)
        func `after each commit that concerns it, its last value is that of a fetch`(number: Int) async throws {
            let body = Self.bodies[number]
            let commits = ProcessInfo.processInfo.environment["DATAMONK_OBSERVATIONS"].flatMap { Int($0) } ?? 150
            var values = World.observeOnMain(body).makeAsyncIterator()
            var last = try await values.next()
            let other = try MainContext(stack: stack)
            var random = SeededGenerator(seed: UInt64(number) + 1)
            for _ in 0..<commits {
                let (choice, value, pick) = (
                    Int.random(in: 0..<8, using: &random), Int.random(in: 0..<8, using: &random),
                    Int.random(in: 0..<100, using: &random)
                )
                try await commit { try Self.change($0, choice: choice, value: value, pick: pick) }
                other.reset()
                let present = try body(other)
                // The time limit ends the observation, if the value never comes.
                while last != present {
                    last = try await values.next()
                    try #require(last != nil)
                }
            }
        }

        private nonisolated static func change(_ update: Update, choice: Int, value: Int, pick: Int) throws {
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

        @Test func `shows a commit that is still being merged`() async throws {
            var counts = World.observeOnMain { world in
                try world.fetchAll(Office.Employee.self).filter { $0.age == 1 }.count
            }.makeAsyncIterator()
            #expect(try await counts.next() == 0)
            try await commit { for _ in 0..<6_000 { try $0.create(Office.Employee.self).age = 1 } }
            #expect(try await counts.next() == 6_000)
            try await commit { for employee in try $0.fetchAll(Office.Employee.self) { employee.age = 2 } }
            #expect(try await counts.next() == 0)
        }

        @Test func `other work on the main actor goes on while commits never end`() async throws {
            let World = World
            let (stopped, turns) = (Locked(false), Locked(0))
            let committing = Task.detached {
                let updater = try Context(stack: World.stack)
                while !stopped.withLock({ $0 }) {
                    try await updater.update { update in
                        try update.create(Office.Employee.self).age = 1
                        try update.commit()
                    }
                }
            }
            let following = Task { @MainActor in
                for try await _ in World.observeOnMain({ try $0.count(Office.Employee.self) })
                where stopped.withLock({ $0 }) { break }
            }
            for _ in 0..<100 {
                await Task { @MainActor in turns.withLock { $0 += 1 } }.value
            }
            stopped.withLock { $0 = true }
            try await committing.value
            following.cancel()
            _ = await following.result
            #expect(turns.withLock { $0 } == 100)
        }

        @Test func `of nothing that the context reads is an error, not a wait for ever`() async throws {
            let (other, World) = (try MainContext(stack: stack), World)
            let list = try World.fetchedResults(Office.Employee.self, orderBy: .Ascending("age"))
            let bodies: [@MainActor (MainContext) throws -> Int] = [
                { _ in 5 }, { _ in try other.count(Office.Employee.self) }, { _ in list.count },
            ]
            for body in bodies {
                var values = World.observeOnMain(body).makeAsyncIterator()
                let error = await #expect(throws: FetchError.self) { _ = try await values.next() }
                #expect(error?.code == .invalidRequest)
                #expect(error?.message.hasPrefix("The body of observeOnMain has read nothing") == true)
                #expect(try await values.next() == nil)
            }
        }

        @Test func `ends without the error of a body whose task was cancelled meanwhile`() async throws {
            let World = World
            let task = Task { @MainActor in
                var values = World.observeOnMain { world -> Int in
                    withUnsafeCurrentTask { $0?.cancel() }
                    throw CancellationError()
                }.makeAsyncIterator()
                return try await values.next()
            }
            #expect(try await task.value == nil)
        }

        @Test func `ends by cancellation, and by an error`() async throws {
            struct Problem: Error {}
            let World = World
            let first = Meeting()
            let task = Task { @MainActor in
                var count = 0
                for try await _ in World.observeOnMain({ try $0.count(Office.Employee.self) }) {
                    count += 1
                    first.open()
                }
                return count
            }
            await first.wait()
            task.cancel()
            #expect(try await task.value == 1)

            var failing = World.observeOnMain { _ -> Int in throw Problem() }.makeAsyncIterator()
            await #expect(throws: Problem.self) { _ = try await failing.next() }
            #expect(try await failing.next() == nil)

            var closed = World.observeOnMain { try $0.count(Office.Employee.self) }.makeAsyncIterator()
            #expect(try await closed.next() == 0)
            try stack.close()
            await #expect(throws: StoreError.self) { _ = try await closed.next() }
        }
    }
#endif
