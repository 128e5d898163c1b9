#if Macros
    import DataMonk
    import Testing

    /// What a context shows that stands behind a commit of others: in a stretch of code without a call that fetches nothing
    /// changes, and what is read for the first time is as it was, too.
    @Suite(.serialized) @MainActor struct `Contexts behind a commit` {
        /// A department with three employees and a skill, of which the main context has read nothing but the ids.
        private struct Scene {
            let folder: TemporaryFolder
            let stack: Stack
            let World: MainContext
            let department: Office.Department
            let monk: Office.Employee
        }

        private func makeScene(_ isInMemory: Bool) async throws -> Scene {
            let folder = try TemporaryFolder()
            let stack = Stack(model: try Office.model.get())
            try await stack.addStore(isInMemory ? .inMemory() : .database(fileURL: folder.file("office.sqlite")))
            try await Context(stack: stack).update { update in
                let department = try update.create(Office.Department.self)
                department.name = "Old"
                let other = try update.create(Office.Department.self)
                other.name = "Other"
                let skill = try update.create(Office.Skill.self)
                for name in ["Monk", "Abbot", "Novice"] {
                    let employee = try update.create(Office.Employee.self)
                    employee.name = name
                    employee.age = 18
                    employee.department = department
                    if name != "Novice" { employee.skills = [skill] }
                }
                try update.commit()
            }
            // Nothing of it is in the row cache.
            let World = try MainContext(stack: stack)
            let department = try World.fetch(
                Office.Department.self, %"name" == "Old", options: .NoPropertyValues)
            let monk = try World.fetch(Office.Employee.self, %"name" == "Monk")
            return Scene(folder: folder, stack: stack, World: World, department: department, monk: monk)
        }

        /// Commits on the calling thread, so that no turn ends in between.
        private func commit(_ scene: Scene, _ body: @Sendable (Update) throws -> Void) throws {
            // The snapshot of earlier fetches would hide the commit.
            scene.World.managedObjectContext.endTurn()
            try Context(stack: scene.stack).beginUpdateAndWait { update in
                try body(update)
                try update.commit()
            }
        }

        private func names(_ employees: some Sequence<Office.Employee>) -> [String] { employees.map(\.name).sorted() }

        @Test(arguments: [true, false])
        func `a fault shows the row where the context stands`(isInMemory: Bool) async throws {
            let scene = try await makeScene(isInMemory)
            try commit(scene) { try $0.fetch(Office.Department.self, %"name" == "Old").name = "New" }
            #expect(scene.department.name == "Old")
            _ = try scene.World.count(Office.Skill.self)
            #expect(scene.department.name == "New")
        }

        @Test(arguments: [true, false])
        func `faults that are read together show the rows where the context stands`(isInMemory: Bool) async throws {
            let scene = try await makeScene(isInMemory)
            let all = try scene.World.fetchAll(Office.Department.self, options: .NoPropertyValues)
            try commit(scene) { for department in try $0.fetchAll(Office.Department.self) { department.name += "!" } }
            #expect(Set(all.map(\.name)) == ["Old", "Other"])
            _ = try scene.World.count(Office.Skill.self)
            #expect(Set(all.map(\.name)) == ["Old!", "Other!"])
        }

        @Test(arguments: [true, false])
        func `a to-many shows the members where the context stands, with their values`(isInMemory: Bool) async throws {
            let scene = try await makeScene(isInMemory)
            try commit(scene) { update in
                let department = try update.fetch(Office.Department.self, %"name" == "Old")
                try update.fetch(Office.Employee.self, %"name" == "Monk").department = nil
                try update.fetch(Office.Employee.self, %"name" == "Novice").department = nil
                let new = try update.create(Office.Employee.self)
                new.name = "New"
                new.department = department
                try update.fetch(Office.Employee.self, %"name" == "Abbot").age = 80
            }
            #expect(names(scene.department.employees) == ["Abbot", "Monk", "Novice"])
            #expect(scene.department.employees.map(\.age) == [18, 18, 18])
            #expect(scene.monk.department === scene.department)
            _ = try scene.World.count(Office.Skill.self)
            #expect(names(scene.department.employees) == ["Abbot", "New"])
            #expect(scene.monk.department == nil)
            #expect(scene.department.employees.map(\.age).sorted() == [0, 80])
        }

        @Test(arguments: [true, false])
        func `a to-many goes back through several commits`(isInMemory: Bool) async throws {
            let scene = try await makeScene(isInMemory)
            try commit(scene) { try $0.fetch(Office.Employee.self, %"name" == "Monk").department = nil }
            try commit(scene) { update in
                let department = try update.fetch(Office.Department.self, %"name" == "Old")
                try update.fetch(Office.Employee.self, %"name" == "Monk").department = department
            }
            try commit(scene) { try $0.fetch(Office.Employee.self, %"name" == "Monk").department = nil }
            #expect(names(scene.department.employees) == ["Abbot", "Monk", "Novice"])
            _ = try scene.World.count(Office.Skill.self)
            #expect(names(scene.department.employees) == ["Abbot", "Novice"])
        }

        @Test(arguments: [true, false])
        func `both sides of a many-to-many are where the context stands`(isInMemory: Bool) async throws {
            let scene = try await makeScene(isInMemory)
            let skill = try scene.World.fetch(Office.Skill.self)
            try commit(scene) { update in
                let skill = try update.fetch(Office.Skill.self)
                try update.fetch(Office.Employee.self, %"name" == "Monk").skills = []
                skill.employees.insert(try update.fetch(Office.Employee.self, %"name" == "Novice"))
            }
            #expect(names(skill.employees) == ["Abbot", "Monk"])
            #expect(scene.monk.skills == [skill])
            _ = try scene.World.count(Office.Skill.self)
            #expect(names(skill.employees) == ["Abbot", "Novice"])
            #expect(scene.monk.skills.isEmpty)
        }

        @Test(arguments: [true, false])
        func `a fetch in the turn of such a read moves on`(isInMemory: Bool) async throws {
            let scene = try await makeScene(isInMemory)
            let id = scene.monk.objectID
            try commit(scene) { try $0.use(id).age = 80 }
            _ = scene.department.name
            #expect(scene.monk.age == 18)
            #expect(try scene.World.fetch(Office.Employee.self, %"age" == 80) === scene.monk)
            #expect(scene.monk.age == 80)
        }

        @Test(arguments: [true, false])
        func `what a context behind has read is nobody else's`(isInMemory: Bool) async throws {
            let scene = try await makeScene(isInMemory)
            try commit(scene) { for employee in try $0.fetchAll(Office.Employee.self) { employee.age = 80 } }
            #expect(scene.department.employees.map(\.age) == [18, 18, 18])
            let ids = scene.department.employees.map(\.objectID)
            try commit(scene) { update in
                let ages = try update.use(ids).map(\.age)
                #expect(ages == [80, 80, 80])
            }
            try scene.stack.coordinator.checkInvariants()
        }

        @Test(arguments: [true, false])
        func `to-manys that are prefetched for a batch are where the context stands`(isInMemory: Bool) async throws {
            let scene = try await makeScene(isInMemory)
            let departments = try scene.World.fetchBatched(
                Office.Department.self, %"name" == "Old", options: .Batch(10) | .Prefetch(["employees"]))
            try commit(scene) { update in
                try update.fetch(Office.Employee.self, %"name" == "Monk").department = nil
                let new = try update.create(Office.Employee.self)
                new.name = "New"
                new.department = try update.fetch(Office.Department.self, %"name" == "Old")
            }
            #expect(names(departments[0].employees) == ["Abbot", "Monk", "Novice"])
            _ = try scene.World.count(Office.Skill.self)
            #expect(names(departments[0].employees) == ["Abbot", "New", "Novice"])
        }

        @Test(arguments: [true, false])
        func `an object that a later commit inserts is only absent until then`(isInMemory: Bool) async throws {
            let scene = try await makeScene(isInMemory)
            try commit(scene) { try $0.create(Office.Employee.self).name = "New" }
            let context = ManagedObjectContext(coordinator: scene.stack.coordinator)
            let request = FetchRequest(entityName: "Employee", condition: .compare("name", .equal, "New"))
            let id = try #require(try context.fetch(request).first).anyObjectID
            let graph = scene.World.managedObjectContext
            let new = try #require(graph.object(for: id.key) as? Office.Employee)
            #expect(new.name.isEmpty && !new.isDeleted)
            #expect(try #require(throws: FetchError.self) { try new.fault() }.code == .objectNotFound)
            _ = try scene.World.count(Office.Skill.self)
            #expect(new.name == "New" && !new.isDeleted)
        }

        @Test(arguments: [true, false])
        func `a deleted object is a member until the context moves`(isInMemory: Bool) async throws {
            let scene = try await makeScene(isInMemory)
            try commit(scene) { update in
                let department = try update.fetch(Office.Department.self, %"name" == "Old")
                for name in ["Roof", "Well"] {
                    let project = try update.create(Office.Project.self)
                    project.name = name
                    project.department = department
                }
            }
            let roof = try scene.World.fetch(Office.Project.self, %"name" == "Roof")
            try commit(scene) { try $0.delete(try $0.fetch(Office.Project.self, %"name" == "Roof")) }
            #expect(scene.department.projects.map(\.name).sorted() == ["Roof", "Well"])
            #expect(roof.department === scene.department)
            _ = try scene.World.count(Office.Skill.self)
            #expect(scene.department.projects.map(\.name) == ["Well"])
        }

        @Test(arguments: [true, false])
        func `an owner that has been deleted has its members until the context moves`(isInMemory: Bool) async throws {
            let scene = try await makeScene(isInMemory)
            let skill = try scene.World.fetch(Office.Skill.self)
            try commit(scene) { try $0.delete(try $0.fetch(Office.Skill.self)) }
            #expect(scene.monk.skills == [skill])
            #expect(names(skill.employees) == ["Abbot", "Monk"])
            _ = try scene.World.count(Office.Skill.self)
            #expect(scene.monk.skills.isEmpty)
        }

        @Test func `notices that are released meanwhile are kept for the turn that has begun`() async throws {
            let scene = try await makeScene(true)
            try commit(scene) { try $0.fetch(Office.Employee.self, %"name" == "Monk").department = nil }
            // Opens the snapshot.
            #expect(scene.department.name == "Old")
            let writer = ManagedObjectContext(coordinator: scene.stack.coordinator)
            for _ in 0...CommitNotices.capacity {
                _ = try writer.insert(Office.Skill.self)
                try writer.save()
            }
            #expect(names(scene.department.employees) == ["Abbot", "Monk", "Novice"])
            _ = try scene.World.count(Office.Skill.self)
            #expect(names(scene.department.employees) == ["Abbot", "Novice"])
        }

        @Test func `an update that awaited sees what it saw before, until it fetches`() async throws {
            let scene = try await makeScene(true)
            let context = try Context(stack: scene.stack)
            try await context.update { update in
                let monk = try update.fetch(Office.Employee.self, %"name" == "Monk")
                let department = try #require(monk.department)
                try await context.update { other in
                    try other.fetch(Office.Department.self, %"name" == "Old").name = "New"
                    try other.fetch(Office.Employee.self, %"name" == "Abbot").department = nil
                    try other.commit()
                }
                #expect(department.name == "Old")
                #expect(department.employees.count == 3)
                _ = try update.count(Office.Skill.self)
                #expect(department.name == "New")
                #expect(department.employees.count == 2)
            }
        }
    }
#endif
