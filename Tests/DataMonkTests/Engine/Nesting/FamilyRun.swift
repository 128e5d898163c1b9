#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// One run over a family of three: the work goes down and up its levels, and each holds what a plain graph says.
    ///
    /// The level at work has changes; those under it have none, and are refreshed before the work comes to them: what they
    /// show of a parent's unsaved changes before that is told by other tests.
    struct FamilyRun {
        private let family: Family
        private var random: SeededGenerator
        private let seed: UInt64
        /// What the store and each level should hold, the store first.
        private var graphs: [PlainGraph]
        private var level = 0
        /// The deepest level that shows what is under it.
        private var fresh = 0
        private var lastName = 0

        init(_ kind: StoreKind, seed: UInt64) throws {
            random = SeededGenerator(seed: seed)
            family = try Family(kind, depth: 2, follows: Bool.random(using: &random))
            self.seed = seed
            graphs = Array(repeating: PlainGraph(), count: 4)
            _ = try family.root.insert(Office.Company.self)
            try family.root.save()
        }

        private var context: ManagedObjectContext { family.contexts[level] }
        private var graph: PlainGraph {
            get { graphs[level + 1] }
            set { graphs[level + 1] = newValue }
        }

        mutating func step() throws {
            switch Int.random(in: 0..<20, using: &random) {
            case 0, 1: try createEmployee()
            case 2: try createDepartment()
            case 3, 4: try changeAge()
            case 5, 6: try move()
            case 7, 8: try setFriends()
            case 9: try setManager()
            case 10: try reorder()
            case 11: try deleteEmployee()
            case 12: try deleteDepartment()
            case 13: try goDown()
            case 14, 15: try save()
            case 16: try rollBack()
            case 17: try obtainIDs()
            case 18: try fetchPage()
            default: try expectGraph(context, graph, "at work")
            }
            for context in family.contexts { try context.checkInvariants() }
        }

        // MARK: Levels

        private mutating func goDown() throws {
            guard level < 2 else { return }
            level += 1
            if fresh < level { try context.refreshAllObjects() }
            fresh = level
            graph = graphs[level]
            try expectGraph(context, graph, "entering level \(level)")
        }

        private mutating func save() throws {
            try context.save()
            graphs[level] = graph
            #expect(!context.hasChanges, "seed \(seed)")
            if level == 0 { try expectGraph(family.office.newContext(), graph, "read anew") }
            // The parent has them now. What was fresh stays so, whether it follows or not: it showed these changes before
            // they were saved.
            for other in max(level - 1, 0)...fresh {
                try expectGraph(family.contexts[other], graphs[level], "at level \(other), \(level) saved")
            }
            if level > 0 { level -= 1 }
        }

        private mutating func rollBack() throws {
            context.rollback()
            graph = graphs[level]
            fresh = level
            try expectGraph(context, graph, "rolled back")
            if level > 0, Bool.random(using: &random) { level -= 1 }
        }

        private mutating func obtainIDs() throws {
            let some = try someEmployees().map(employee)
            try context.obtainPermanentIDs(for: some)
            #expect(!some.contains { $0.anyObjectID.isTemporaryID }, "seed \(seed)")
        }

        // MARK: Changes

        private func employee(_ name: String) throws -> Office.Employee {
            try #require(try context.all(Office.Employee.self).first { $0.name == name }, "seed \(seed)")
        }

        private func department(_ name: String) throws -> Office.Department {
            try #require(try context.all(Office.Department.self).first { $0.name == name }, "seed \(seed)")
        }

        private func company(_ context: ManagedObjectContext) throws -> Office.Company {
            try family.only(Office.Company.self, in: context)
        }

        private mutating func anyEmployee() -> String? { graph.ages.keys.sorted().randomElement(using: &random) }

        private mutating func someEmployees() -> Set<String> {
            Set(graph.ages.keys.sorted().filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
        }

        private mutating func newName(_ prefix: String) -> String {
            lastName += 1
            return "\(prefix)\(lastName)"
        }

        private mutating func createEmployee() throws {
            guard graph.ages.count < 8 else { return }
            let name = newName("e")
            _ = try context.employee(name)
            graph.ages[name] = 0
            fresh = level
        }

        private mutating func createDepartment() throws {
            guard graph.departments.count < 4 else { return }
            let name = newName("d")
            let company = try company(context)
            company.departments.append(try context.department(name))
            graph.departments.append(name)
            fresh = level
        }

        private mutating func changeAge() throws {
            guard let name = anyEmployee() else { return }
            let age = Int.random(in: 0..<5, using: &random)
            try employee(name).age = age
            graph.ages[name] = age
            fresh = level
        }

        private mutating func move() throws {
            guard let name = anyEmployee() else { return }
            let target = Bool.random(using: &random) ? graph.departments.randomElement(using: &random) : nil
            if let target, Bool.random(using: &random) {
                try department(target).employees.insert(try employee(name))
            } else {
                try employee(name).department = target.map(department)
            }
            graph.department[name] = target
            fresh = level
        }

        private mutating func setFriends() throws {
            guard let name = anyEmployee() else { return }
            let friends = someEmployees()
            try employee(name).friends = Set(friends.map(employee))
            graph.setFriends(name, friends)
            fresh = level
        }

        private mutating func setManager() throws {
            guard let name = anyEmployee(), let manager = anyEmployee() else { return }
            try employee(name).manager = try employee(manager)
            graph.managers[name] = manager
            fresh = level
        }

        private mutating func reorder() throws {
            let order = graph.departments.shuffled(using: &random)
            try company(context).departments = try order.map(department)
            graph.departments = order
            fresh = level
        }

        private mutating func deleteEmployee() throws {
            guard let name = anyEmployee() else { return }
            context.delete(try employee(name))
            graph.deleteEmployee(name)
            fresh = level
        }

        private mutating func deleteDepartment() throws {
            guard let name = graph.departments.randomElement(using: &random) else { return }
            context.delete(try department(name))
            graph.deleteDepartment(name)
            fresh = level
        }

        // MARK: Comparing

        private mutating func fetchPage() throws {
            let bound = Int.random(in: 0..<6, using: &random)
            var request = FetchRequest(
                entityName: "Employee", condition: .compare("age", .lessThan, .int(Int64(bound))))
            request.sortTerms = [SortTerm("age"), SortTerm("name")]
            request.fetchLimit = Int.random(in: 0..<5, using: &random)
            request.fetchOffset = Int.random(in: 0..<3, using: &random)
            let names = try context.fetch(request).compactMap { ($0 as? Office.Employee)?.name }
            let expected = graph.names(youngerThan: bound).dropFirst(request.fetchOffset)
                .prefix(request.fetchLimit == 0 ? 100 : request.fetchLimit)
            #expect(names == Array(expected), "seed \(seed)")
            #expect(try context.count(request) == expected.count, "seed \(seed)")
        }

        private func expectGraph(_ context: ManagedObjectContext, _ expected: PlainGraph, _ when: String) throws {
            var found = PlainGraph()
            found.departments = try company(context).departments.map(\.name)
            for employee in try context.all(Office.Employee.self) {
                found.ages[employee.name] = employee.age
                found.department[employee.name] = employee.department?.name
                found.managers[employee.name] = employee.manager?.name
                found.friends[employee.name] = Set(employee.friends.map(\.name))
                for friend in employee.friends { #expect(friend.friends.contains(employee), "seed \(seed), \(when)") }
                for report in employee.reports { #expect(report.manager === employee, "seed \(seed), \(when)") }
                if let manager = employee.manager {
                    #expect(manager.reports.contains(employee), "seed \(seed), \(when)")
                }
                if let department = employee.department {
                    #expect(department.employees.contains(employee), "seed \(seed), \(when)")
                }
            }
            for department in try context.all(Office.Department.self) {
                let agrees = department.employees.allSatisfy { $0.department === department }
                #expect(agrees, "seed \(seed), \(when)")
            }
            if found == expected { return }
            Issue.record("seed \(seed), \(when):\n  expected \(expected)\n  found    \(found)")
        }
    }
#endif
