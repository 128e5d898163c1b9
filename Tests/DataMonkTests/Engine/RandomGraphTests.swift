#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// What the graph should be: a plain model of names, written without any cleverness.
    private struct ExpectedGraph: Equatable {
        var ages: [String: Int] = [:]
        var department: [String: String] = [:]
        var badge: [String: String] = [:]
        var friends: [String: Set<String>] = [:]
        var departments: Set<String> = []

        mutating func setFriends(_ name: String, _ others: Set<String>) {
            for other in friends[name] ?? [] where other != name { friends[other]?.remove(name) }
            friends[name] = others
            for other in others { friends[other, default: []].insert(name) }
        }

        mutating func setBadge(_ name: String, _ code: String?) {
            badge[name] = nil
            guard let code else { return }
            for holder in badge.keys where badge[holder] == code { badge[holder] = nil }
            badge[name] = code
        }

        mutating func setMembers(_ name: String, _ members: Set<String>) {
            for employee in department.keys where department[employee] == name { department[employee] = nil }
            for member in members { department[member] = name }
        }

        mutating func deleteEmployee(_ name: String) {
            setFriends(name, [])
            friends[name] = nil
            badge[name] = nil
            department[name] = nil
            ages[name] = nil
        }

        mutating func deleteDepartment(_ name: String) {
            setMembers(name, [])
            departments.remove(name)
        }
    }

    /// Random changes of a graph, compared after each save and rollback with a plain model, in the context that made them
    /// and in one that reads everything anew.
    @Suite(.serialized) struct `Random graphs` {
        @Test(arguments: StoreKind.allCases) func `random changes give what a plain model says`(kind: StoreKind) throws
        {
            for seed in UInt64(1)...(kind == .memory ? 60 : 15) {
                var run = try RandomRun(kind, seed: seed)
                for _ in 0..<120 { try run.step() }
            }
        }
    }

    /// One run: a context at work, and what it should hold.
    private struct RandomRun {
        private let office: OfficeStack
        private var context: ManagedObjectContext
        private var random: SeededGenerator
        private let seed: UInt64
        private var expected = ExpectedGraph()
        private var saved = ExpectedGraph()
        private var lastName = 0

        init(_ kind: StoreKind, seed: UInt64) throws {
            office = try OfficeStack(kind)
            context = office.newContext()
            random = SeededGenerator(seed: seed)
            self.seed = seed
        }

        private func employee(_ name: String) throws -> Office.Employee {
            try #require(try context.all(Office.Employee.self).first { $0.name == name }, "seed \(seed)")
        }

        private func department(_ name: String) throws -> Office.Department {
            try #require(try context.all(Office.Department.self).first { $0.name == name }, "seed \(seed)")
        }

        private mutating func anyEmployee() -> String? { expected.ages.keys.sorted().randomElement(using: &random) }
        private mutating func anyDepartment() -> String? {
            expected.departments.sorted().randomElement(using: &random)
        }
        private mutating func someEmployees() -> Set<String> {
            Set(expected.ages.keys.sorted().filter { _ in Int.random(in: 0..<3, using: &random) == 0 })
        }
        private mutating func newName(_ prefix: String) -> String {
            lastName += 1
            return "\(prefix)\(lastName)"
        }

        mutating func step() throws {
            switch Int.random(in: 0..<16, using: &random) {
            case 0, 1, 2: try create()
            case 3, 4: try changeAge()
            case 5, 6: try moveEmployee()
            case 7: try setMembers()
            case 8, 9: try setFriends()
            case 10, 11: try setBadge()
            case 12: try delete()
            case 13, 14: try save()
            default: try rollBack()
            }
        }

        // MARK: Steps

        private mutating func create() throws {
            if expected.departments.count < 3 {
                let name = newName("d")
                _ = try context.department(name)
                expected.departments.insert(name)
            }
            guard expected.ages.count < 8 else { return }
            let name = newName("e")
            _ = try context.employee(name)
            expected.ages[name] = 0
        }

        private mutating func changeAge() throws {
            guard let name = anyEmployee() else { return }
            let age = Int.random(in: 0..<3, using: &random)
            try employee(name).age = age
            expected.ages[name] = age
        }

        private mutating func moveEmployee() throws {
            guard let name = anyEmployee() else { return }
            let target = Bool.random(using: &random) ? anyDepartment() : nil
            try employee(name).department = target.map(department)
            expected.department[name] = target
        }

        private mutating func setMembers() throws {
            guard let name = anyDepartment() else { return }
            let members = someEmployees()
            try department(name).employees = Set(members.map(employee))
            expected.setMembers(name, members)
        }

        private mutating func setFriends() throws {
            guard let name = anyEmployee() else { return }
            let friends = someEmployees()
            try employee(name).friends = Set(friends.map(employee))
            expected.setFriends(name, friends)
        }

        private mutating func setBadge() throws {
            guard let name = anyEmployee() else { return }
            let employee = try employee(name)
            switch Int.random(in: 0..<3, using: &random) {
            case 0:
                employee.badge = nil
                expected.setBadge(name, nil)
            case 1:
                let badge = try context.insert(Office.Badge.self)
                badge.code = newName("b")
                employee.badge = badge
                expected.setBadge(name, badge.code)
            default:
                guard let other = anyEmployee(), let badge = try self.employee(other).badge else { return }
                // From the other side.
                badge.owner = employee
                if other != name { expected.setBadge(name, badge.code) }
            }
        }

        private mutating func delete() throws {
            if Bool.random(using: &random), let name = anyDepartment() {
                context.delete(try department(name))
                expected.deleteDepartment(name)
            } else if let name = anyEmployee() {
                context.delete(try employee(name))
                expected.deleteEmployee(name)
            }
        }

        private mutating func save() throws {
            try expect(context, expected, "before the save")
            try context.save()
            saved = expected
            #expect(!context.hasChanges, "seed \(seed)")
            try expect(context, expected, "after the save")
            try expect(office.newContext(), expected, "read anew")
            // Sometimes go on with objects that have just been read.
            if Bool.random(using: &random) { context = office.newContext() }
        }

        private mutating func rollBack() throws {
            context.rollback()
            expected = saved
            try expect(context, expected, "after the rollback")
        }

        // MARK: Comparing

        private func expect(_ context: ManagedObjectContext, _ expected: ExpectedGraph, _ when: Comment) throws {
            let found = try graph(context)
            if found == expected { return }
            Issue.record("seed \(seed), \(when):\n  expected \(expected)\n  found    \(found)")
        }

        /// The graph as the context shows it, each relationship from its one side; that the other side agrees is checked.
        private func graph(_ context: ManagedObjectContext) throws -> ExpectedGraph {
            var graph = ExpectedGraph()
            for department in try context.all(Office.Department.self) { graph.departments.insert(department.name) }
            for employee in try context.all(Office.Employee.self) {
                graph.ages[employee.name] = employee.age
                graph.department[employee.name] = employee.department?.name
                graph.badge[employee.name] = employee.badge?.code
                graph.friends[employee.name] = Set(employee.friends.map(\.name))
                if let badge = employee.badge { #expect(badge.owner === employee, "seed \(seed)") }
                for friend in employee.friends { #expect(friend.friends.contains(employee), "seed \(seed)") }
                if let department = employee.department {
                    #expect(department.employees.contains(employee), "seed \(seed)")
                }
            }
            for department in try context.all(Office.Department.self) {
                #expect(department.employees.allSatisfy { $0.department === department }, "seed \(seed)")
            }
            return graph
        }
    }

    extension ExpectedGraph {
        /// Employees without friends have an empty set, as the graph shows them.
        static func == (left: ExpectedGraph, right: ExpectedGraph) -> Bool {
            left.ages == right.ages && left.department == right.department && left.badge == right.badge
                && left.departments == right.departments
                && left.friends.filter { !$0.value.isEmpty } == right.friends.filter { !$0.value.isEmpty }
        }
    }
#endif
