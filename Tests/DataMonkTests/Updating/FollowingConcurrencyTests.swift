#if Macros
    import DataMonk
    import Testing

    /// How the main context follows what updates commit, by target.
    @Suite @MainActor struct `Concurrency of main contexts and commits` {
        private let stack: Stack

        init() throws {
            stack = Stack(model: try Office.model.get())
            try stack.addInMemoryStore()
        }

        /// A department with one employee, both known to `World`.
        private func makeGraph(_ World: MainContext) async throws -> (Office.Department, Office.Employee) {
            try await World.update { update in
                let monk = try update.create(Office.Employee.self)
                monk.name = "Monk"
                monk.department = try update.create(Office.Department.self)
                try update.commit()
            }
            let monk = try World.fetch(Office.Employee.self)
            let department = try #require(monk.department)
            #expect(department.employees == [monk])
            return (department, monk)
        }

        /// Commits on the calling thread, so that no turn ends in between.
        private func commitAndWait(
            _ World: some Updating, _ body: @Sendable (Update) throws -> Void
        ) throws {
            try World.beginUpdateAndWait(deadline: .seconds(3_600)) { update in
                try body(update)
                try update.commit()
            }
        }

        // MARK: Three tiers

        @Test func `within a turn nothing changes until a fetch`() async throws {
            let World = try MainContext(stack: stack)
            let (department, monk) = try await makeGraph(World)
            let id = monk.objectID
            try commitAndWait(World) { try $0.use(id).age = 18 }
            #expect(monk.age == 0)
            #expect(try World.fetch(Office.Employee.self, %"age" == 18) === monk)
            #expect(monk.age == 18)
            try commitAndWait(World) { try $0.use(id).department = nil }
            #expect(monk.department === department && department.employees == [monk])
            _ = try World.count(Office.Employee.self)
            #expect(monk.department == nil && department.employees.isEmpty)
            try commitAndWait(World) { try $0.delete(id) }
            #expect(!monk.isDeleted)
            #expect(try World.fetchAll(Office.Employee.self).isEmpty)
            #expect(monk.isDeleted && monk.name == "Monk")
        }

        @Test(arguments: [UpdateTarget.mainContext, .rootContext(autoMerge: true)])
        func `who awaited an update finds its commits merged`(target: UpdateTarget) async throws {
            let World = try MainContext(stack: stack, updateTarget: target)
            let (department, monk) = try await makeGraph(World)
            let id = monk.objectID
            try await World.update { update in
                try update.use(id).age = 18
                try update.create(Office.Employee.self).department = try update.use(id).department
                try update.commit()
            }
            #expect(monk.age == 18)
            #expect(department.employees.count == 2)
            try await World.update { update in
                try update.delete(id)
                try update.commit()
            }
            #expect(monk.isDeleted)
            #expect(department.employees.count == 1)
        }

        @Test func `a main context that was told of what it had fetched follows the next commit`() async throws {
            let World = try MainContext(stack: stack)
            let (_, monk) = try await makeGraph(World)
            let id = monk.objectID
            let ring = stack.coordinator.takeForeignCommits(isCommitting: false)
            _ = try World.count(Office.Employee.self)
            ring?()
            // The merge that this begins finds nothing.
            await Task.yield()
            try await World.update { update in
                try update.use(id).age = 18
                try update.commit()
            }
            #expect(monk.age == 18)
        }

        @Test func `a to-many that was never read shows the newest members`() async throws {
            let World = try MainContext(stack: stack)
            let (_, monk) = try await makeGraph(World)
            let id = monk.objectID
            try await World.update { update in
                let skill = try update.create(Office.Skill.self)
                try update.use(id).skills = [skill]
                try update.commit()
            }
            let skill = try #require(monk.skills.first)
            #expect(skill.employees == [monk])
            try await World.update { update in
                try update.use(id).skills = []
                try update.commit()
            }
            #expect(skill.employees.isEmpty && monk.skills.isEmpty)
        }

        // MARK: Others

        @Test func `without automatic merging main keeps its state until it is refreshed`() async throws {
            let World = try MainContext(stack: stack, updateTarget: .rootContext(autoMerge: false))
            let (department, monk) = try await makeGraph(World)
            let id = monk.objectID
            try await World.update { update in
                try update.use(id).age = 18
                try update.use(id).department = nil
                try update.commit()
            }
            #expect(monk.age == 0 && department.employees == [monk])
            #expect(try World.fetch(Office.Employee.self, id).age == 0)
            try World.refreshAll()
            #expect(monk.age == 18 && monk.department == nil && department.employees.isEmpty)
        }

        @Test func `without automatic merging a reset forgets everything`() async throws {
            let World = try MainContext(stack: stack, updateTarget: .rootContext(autoMerge: false))
            let (_, monk) = try await makeGraph(World)
            let id = monk.objectID
            try await World.update { update in
                try update.use(id).age = 18
                try update.commit()
            }
            World.reset()
            let again = try World.fetch(Office.Employee.self, id)
            #expect(again !== monk && again.age == 18)
        }

        @Test func `a screen's context is reset when a commit is observed`() async throws {
            let updater = try Context(stack: stack, updateTarget: .persistentStore)
            let screen = try MainContext(stack: stack, updateTarget: .persistentStore)
            let (_, monk) = try await makeGraph(screen)
            let id = monk.objectID
            let observed = Meeting()
            let observer = updater.observeCommit {
                screen.reset()
                observed.open()
            }
            try await updater.update { update in
                try update.use(id).age = 18
                try update.commit()
            }
            await observed.wait()
            #expect(try screen.fetch(Office.Employee.self, id).age == 18)
            observer.cancel()
        }

        @Test func `an observer that was cancelled hears nothing`() async throws {
            let World = try MainContext(stack: stack)
            let heard = Locked(0)
            let observer = World.observeCommit { heard.withLock { $0 += 1 } }
            observer.cancel()
            _ = try await makeGraph(World)
            await Task.yield()
            #expect(heard.withLock { $0 } == 0)
        }

        @Test func `a main context that is gone hears of no commit`() async throws {
            var World: MainContext? = try MainContext(stack: stack)
            _ = try World?.count(Office.Employee.self)
            World = nil
            try await Context(stack: stack).update { update in
                _ = try update.create(Office.Employee.self)
                try update.commit()
            }
            await Task.yield()
        }
    }
#endif
