#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// Random edits in events, with saves, merges and faults between them: undoing all gives the start, redoing all the end,
    /// and every state in between is met on the way.
    @Suite(.serialized) struct `Random undo` {
        @Test(arguments: StoreKind.allCases)
        func `undoing everything gives the start, redoing everything the end`(kind: StoreKind) throws {
            for seed in UInt64(1)...(kind == .memory ? 80 : 15) {
                var run = try UndoRun(kind, seed: seed)
                try run.edit(events: 25)
                try run.goBackAndForth()
            }
        }
    }

    /// The whole graph as plain values, by the objects' own numbers.
    private struct UndoGraph: Equatable, CustomStringConvertible {
        var lines: [String: [String]] = [:]

        var description: String { "\(lines.count) objects" }

        func differences(from found: UndoGraph) -> String {
            Set(lines.keys).union(found.lines.keys).sorted().filter { lines[$0] != found.lines[$0] }
                .map { "\n    \($0): expected \(lines[$0] ?? []), found \(found.lines[$0] ?? [])" }.joined()
        }
    }

    /// One run: a context at work, and its state after each event.
    /// Links without an inverse take no part: whoever is deleted does not know who leads to it.
    private struct UndoRun {
        private let office: OfficeStack
        private let context: ManagedObjectContext
        private let other: ManagedObjectContext
        private let undo = ContextUndoManager(levelsOfUndo: 0)
        private var random: SeededGenerator
        private let seed: UInt64
        private var lastName = 0
        /// After each step; the first is the start.
        private var states: [UndoGraph] = []

        init(_ kind: StoreKind, seed: UInt64) throws {
            office = try OfficeStack(kind)
            context = office.newContext(.mergeByPropertyObjectTrump)
            other = office.newContext()
            random = SeededGenerator(seed: seed)
            self.seed = seed
            for _ in 0..<6 { try create() }
            try context.save()
            context.undoManager = undo
            states = [try graph(context)]
        }

        // MARK: The run

        mutating func edit(events: Int) throws {
            for _ in 0..<events {
                let before = states.count
                let isGroup = chance(5)
                if isGroup { undo.beginUndoGrouping() }
                for _ in 0...Int.random(in: 0..<4, using: &random) {
                    try change()
                    if isGroup, chance(2) { context.processPendingChanges() }
                    if isGroup, chance(6) { try context.save() }
                }
                if isGroup { undo.endUndoGrouping() }
                context.processPendingChanges()
                try context.checkInvariants()
                let state = try graph(context)
                // An event that changed nothing is no step.
                if undo.stepCount == before { states.append(state) }
                #expect(undo.stepCount == states.count - 1, "seed \(seed)")
                try expect(states[states.count - 1], "event \(before)")
                try disturb()
            }
        }

        mutating func goBackAndForth() throws {
            for _ in 0..<3 {
                for step in states.indices.dropLast().reversed() {
                    context.undo()
                    try expect(states[step], "undo to \(step)")
                    try disturb()
                }
                #expect(!undo.canUndo, "seed \(seed)")
                for step in states.indices.dropFirst() {
                    context.redo()
                    try expect(states[step], "redo to \(step)")
                    try disturb()
                }
                #expect(!undo.canRedo, "seed \(seed)")
            }
            try context.save()
            try expect(states[states.count - 1], "read anew", in: office.newContext())
        }

        /// What is no step, and changes nothing that this run looks at.
        private mutating func disturb() throws {
            switch Int.random(in: 0..<8, using: &random) {
            case 0, 1: try context.save()
            case 2: try context.refreshAllObjects()
            case 3:
                try context.save()
                // Another context touches a value that no step does.
                other.mergeCommits()
                for employee in try other.all(Office.Employee.self) where chance(2) {
                    employee.note = "\(Int.random(in: 0..<1_000, using: &random))"
                }
                try other.save()
                context.mergeCommits()
            default: break
            }
        }

        private func expect(_ state: UndoGraph, _ when: String, in context: ManagedObjectContext? = nil) throws {
            let found = try graph(context ?? self.context)
            // One difference is enough: what follows builds upon it.
            try #require(found == state, "seed \(seed), \(when): \(state.differences(from: found))")
        }

        // MARK: Changes

        private mutating func chance(_ one: Int) -> Bool { Int.random(in: 0..<one, using: &random) == 0 }

        private mutating func any<Object: ManagedObject>(_ type: Object.Type) throws -> Object? {
            try context.all(type).sorted { Self.name($0) < Self.name($1) }.randomElement(using: &random)
        }

        private mutating func some<Object: ManagedObject>(_ type: Object.Type) throws -> [Object] {
            try context.all(type).sorted { Self.name($0) < Self.name($1) }.filter { _ in chance(2) }
                .shuffled(using: &random)
        }

        private mutating func newName(_ prefix: String) -> String {
            lastName += 1
            return "\(prefix)\(lastName)"
        }

        private mutating func create() throws {
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                let company = try context.insert(Office.Company.self)
                company.name = newName("c")
                company.departments = try some(Office.Department.self)
            case 1:
                let department = try context.department(newName("d"))
                department.company = try any(Office.Company.self)
                department.employees = Set(try some(Office.Employee.self))
            case 2:
                let badge = try context.insert(Office.Badge.self)
                badge.code = newName("b")
                badge.owner = try any(Office.Employee.self)
            case 3:
                let skill = try context.insert(Office.Skill.self)
                skill.name = newName("s")
                skill.employees = Set(try some(Office.Employee.self))
            default:
                let employee = try context.employee(newName("e"))
                employee.department = try any(Office.Department.self)
            }
        }

        private mutating func change() throws {
            switch Int.random(in: 0..<14, using: &random) {
            case 0, 1, 2: try create()
            case 3: try any(Office.Employee.self)?.age = Int.random(in: 0..<5, using: &random)
            case 4: try any(Office.Employee.self)?.department = try any(Office.Department.self)
            case 5: try any(Office.Employee.self)?.friends = Set(try some(Office.Employee.self))
            case 6: try any(Office.Employee.self)?.skills = Set(try some(Office.Skill.self))
            case 7: try any(Office.Badge.self)?.owner = try any(Office.Employee.self)
            case 8: try any(Office.Company.self)?.departments = try some(Office.Department.self)
            case 9: try any(Office.Employee.self)?.name += "'"
            case 10: try any(Office.Employee.self)?.manager = try any(Office.Employee.self)
            case 11:
                let types: [ManagedObject.Type] = [
                    Office.Company.self, Office.Department.self, Office.Employee.self, Office.Badge.self,
                    Office.Skill.self,
                ]
                if let type = types.randomElement(using: &random), let object = try any(type) { context.delete(object) }
            default: try any(Office.Department.self)?.employees = Set(try some(Office.Employee.self))
            }
        }

        // MARK: Plain values

        private static func name(_ object: ManagedObject) -> String {
            let key = object.entity.name == "Badge" ? "code" : "name"
            guard case .string(let name)? = try? object.value(forKey: key) else { return "" }
            return name
        }

        private func names(_ objects: some Sequence<ManagedObject>) -> String {
            objects.map(Self.name).sorted().joined(separator: " ")
        }

        private func graph(_ context: ManagedObjectContext) throws -> UndoGraph {
            var graph = UndoGraph()
            for company in try context.all(Office.Company.self) {
                graph.lines[company.name] = company.departments.map(\.name)
            }
            for department in try context.all(Office.Department.self) {
                graph.lines[department.name] = [
                    department.company?.name ?? "-", names(department.employees),
                ]
            }
            for employee in try context.all(Office.Employee.self) {
                graph.lines[employee.name] = [
                    "\(employee.age)", employee.department?.name ?? "-", employee.badge?.code ?? "-",
                    employee.manager?.name ?? "-", names(employee.reports), names(employee.friends),
                    names(employee.skills),
                ]
            }
            for badge in try context.all(Office.Badge.self) {
                graph.lines[badge.code ?? ""] = [badge.owner?.name ?? "-"]
            }
            for skill in try context.all(Office.Skill.self) { graph.lines[skill.name] = [names(skill.employees)] }
            return graph
        }
    }
#endif
