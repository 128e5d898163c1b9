#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// The number of queries that deletions take. It depends on the relationships, not on the number of objects.
    @Suite struct `Costs of deletions` {
        private let recorder = StatementRecorder()
        private let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Fills a store by a stack that is closed then: nothing that is counted comes from a row cache.
        private func stack(filledBy fill: (ManagedObjectContext) throws -> Void) throws -> Stack {
            let url = folder.file("office.sqlite")
            let filling = Stack(model: try Office.model.get())
            try filling.addDatabaseStore(fileURL: url, synchronous: .normal)
            let context = ManagedObjectContext(coordinator: filling.coordinator)
            try fill(context)
            try context.save()
            context.endTurn()
            try filling.close()
            let recorder = recorder
            let stack = Stack(model: try Office.model.get(), trace: { recorder.record($0, by: "store") })
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
            return stack
        }

        /// A stack whose store holds employees, each with a badge, a manager and a skill, in one department of a company,
        /// and as many departments with an employee each.
        private func filledStack(_ count: Int) throws -> Stack {
            try stack { context in
                let department = try context.department("kitchen")
                let company = try context.insert(Office.Company.self)
                department.company = company
                let skill = try context.insert(Office.Skill.self)
                for index in 0..<count {
                    let employee = try context.employee("\(index)")
                    employee.badge = try context.insert(Office.Badge.self)
                    employee.manager = try context.employee("manager \(index)")
                    employee.department = department
                    employee.skills = [skill]
                    let project = try context.department("project \(index)")
                    project.company = company
                    project.employees = [try context.employee("worker \(index)")]
                }
            }
        }

        private func newContext(_ stack: Stack) -> ManagedObjectContext {
            ManagedObjectContext(coordinator: stack.coordinator)
        }

        /// The queries for rows that run while `body` does.
        private func queries(_ body: () throws -> Void) throws -> [String] {
            try recorder.queries(body).filter { !$0.contains("Z_PRIMARYKEY") }
        }

        @Test(arguments: [20, 600]) func `deleting objects reads each relationship once for all of them`(count: Int)
            throws
        {
            let stack = try filledStack(count)
            let context = newContext(stack)
            let employees = try context.all(Office.Employee.self)
            let queries = try queries {
                for employee in employees { context.delete(employee) }
                try context.save()
            }
            // Reports, friends, skills, badges, departments.
            #expect(queries.count <= 6, "\(queries.count) queries")
            #expect(try newContext(stack).all(Office.Employee.self).isEmpty)
            #expect(try newContext(stack).all(Office.Badge.self).isEmpty)
        }

        @Test(arguments: [20, 600]) func `a cascade reads each relationship once a level`(count: Int) throws {
            let stack = try filledStack(count)
            let context = newContext(stack)
            let companies = try context.all(Office.Company.self)
            let queries = try queries {
                for company in companies { context.delete(company) }
                try context.save()
            }
            // The company's departments; their employees, and the projects that could deny.
            #expect(queries.count <= 4, "\(queries.count) queries")
            #expect(try newContext(stack).all(Office.Department.self).isEmpty)
            #expect(try newContext(stack).all(Office.Employee.self).allSatisfy { $0.department == nil })
        }

        @Test(arguments: [20, 600]) func `undoing deletions reads no object by itself`(count: Int) throws {
            let stack = try filledStack(count)
            let context = newContext(stack)
            context.undoManager = ContextUndoManager()
            let employees = try context.all(Office.Employee.self)
            let deletion = try queries {
                for employee in employees { context.delete(employee) }
                context.processPendingChanges()
            }
            // Friends, reports, skills, badges, departments; for the undo the other sides of links.
            #expect(deletion.count <= 10, "\(deletion.count) queries")
            let undo = try queries { context.undo() }
            #expect(undo.count <= 4, "\(undo.count) queries")
            #expect(!context.hasChanges)
            #expect(employees.allSatisfy { $0.badge != nil || $0.name.contains(" ") })
            #expect(try #require(employees.first { $0.name == "7" }).skills.count == 1)
        }

        @Test(arguments: [20, 600]) func `a child context deletes objects with as few queries`(count: Int) throws {
            let stack = try filledStack(count)
            let parent = newContext(stack)
            let child = ManagedObjectContext(parent: parent)
            let employees = try child.all(Office.Employee.self)
            let queries = try queries {
                for employee in employees { child.delete(employee) }
                try child.save()
                try parent.save()
            }
            #expect(queries.count <= 20, "\(queries.count) queries")
            #expect(try newContext(stack).all(Office.Employee.self).isEmpty)
        }

        @Test func `a chain of cascades takes one query a link`() throws {
            let stack = try stack { context in
                let steps = try (0..<300).map { _ in try context.insert(Office.Step.self) }
                for (step, next) in zip(steps, steps.dropFirst()) { step.next = next }
            }
            let context = newContext(stack)
            let request = FetchRequest(entityName: "Step", condition: .compare("previous", .equal, .null))
            let first = try #require(try context.fetch(request).first)
            let queries = try queries {
                context.delete(first)
                try context.save()
            }
            #expect(queries.count <= 310, "\(queries.count) queries")
            #expect(try newContext(stack).all(Office.Step.self).isEmpty)
        }
    }
#endif
