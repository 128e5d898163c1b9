#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// Each commit gives all employees the same age. A context that merges turn by turn, and meanwhile reads, changes and
    /// discards objects, never shows two ages.
    @Suite(.serialized) struct `Whole commits` {
        @Test(arguments: StoreKind.allCases)
        func `a context shows each commit whole or not at all`(kind: StoreKind) throws {
            for seed in UInt64(1)...(kind == .memory ? 150 : 20) {
                var run = try WholeCommitRun(kind, seed: seed)
                try run.start()
                for number in 0..<80 {
                    let step = try run.step()
                    try run.check("seed \(seed), step \(number), \(step)")
                }
            }
        }
    }

    private struct WholeCommitRun {
        private let office: OfficeStack
        private let context: ManagedObjectContext
        private let writer: ManagedObjectContext
        private let undo = ContextUndoManager(levelsOfUndo: 0)
        private var random: SeededGenerator
        private var held: [Office.Employee] = []
        private var departments: [Office.Department] = []
        private var lastAge = 0
        private var shownAge = 0

        init(_ kind: StoreKind, seed: UInt64) throws {
            office = try OfficeStack(kind)
            context = office.newContext(.mergeByPropertyObjectTrump)
            writer = office.newContext(.mergeByPropertyObjectTrump)
            random = SeededGenerator(seed: seed)
        }

        mutating func start() throws {
            for name in ["x", "y", "z"] {
                let department = try writer.department(name)
                for number in 0..<7 { try writer.employee("\(name)\(number)").department = department }
            }
            try writer.save()
            context.undoManager = undo
            try hold()
        }

        /// Fetches everything, half of the time without values.
        private mutating func hold() throws {
            var request = FetchRequest(entityName: "Employee")
            request.includesPropertyValues = Bool.random(using: &random)
            held = try context.fetch(request).compactMap { $0 as? Office.Employee }
            departments = try context.all(Office.Department.self)
        }

        private mutating func anyone() -> Office.Employee? {
            held.filter { $0.managedObjectContext != nil && !$0.isDeleted }.randomElement(using: &random)
        }

        // MARK: Steps

        /// Returns the number of the kind of step.
        mutating func step() throws -> Int {
            let kind = Int.random(in: 0..<24, using: &random)
            switch kind {
            case 0...2: try commit()
            case 3...12: _ = context.mergeCommits(examiningAtMost: 5)
            case 13: _ = try context.count(FetchRequest(entityName: "Skill"))
            case 14, 15: holdMembers()
            case 16, 17: anyone()?.note = "\(Int.random(in: 0..<1_000, using: &random))"
            case 18: context.rollback()
            case 19: if let employee = anyone() { context.delete(employee) }
            case 20: if let employee = anyone() { try context.refresh(employee, mergeChanges: false) }
            case 21: try undoOrSave()
            case 22: try hold()
            default:
                context.reset()
                try hold()
            }
            return kind
        }

        /// Commits a new age of all employees; some of them move, come or go with it.
        private mutating func commit() throws {
            lastAge += 1
            let departments = try writer.all(Office.Department.self)
            let employees = try writer.all(Office.Employee.self)
            for employee in employees {
                employee.age = lastAge
                if Int.random(in: 0..<8, using: &random) == 0 {
                    employee.department = departments.randomElement(using: &random)
                }
            }
            if Bool.random(using: &random), employees.count > 10 { writer.delete(employees[0]) }
            if Bool.random(using: &random) {
                let new = try writer.employee("new \(lastAge)")
                new.age = lastAge
                new.department = departments.randomElement(using: &random)
            }
            try writer.save()
        }

        private mutating func holdMembers() {
            guard let department = departments.randomElement(using: &random) else { return }
            for employee in department.employees where !held.contains(employee) { held.append(employee) }
        }

        private mutating func undoOrSave() throws {
            if Bool.random(using: &random) {
                context.processPendingChanges()
                if undo.canUndo { context.undo() }
                return
            }
            do { try context.save() } catch { context.rollback() }
            // A deletion that was saved would be undone by new objects with the age of then.
            undo.removeAllActions()
        }

        // MARK: Checks

        mutating func check(_ place: String) throws {
            // Half of the time, unread objects stay unread.
            let reads = Bool.random(using: &random)
            let clean = held.filter { employee in
                employee.managedObjectContext != nil && !employee.hasChanges && (reads || !employee.isFault)
            }
            // An object whose row is gone is known to be deleted once it has been read.
            let ages = Set(clean.map { ($0.age, $0.isDeleted) }.filter { !$0.1 }.map(\.0))
            #expect(ages.count <= 1, "\(place): \(ages)")
            if let age = ages.first {
                #expect(age >= shownAge, "\(place)")
                shownAge = max(age, shownAge)
            }
            if reads, !context.hasChanges { checkDepartments(place) }
            #expect(throws: Never.self, "\(place)") { try context.checkInvariants() }
        }

        private func checkDepartments(_ place: String) {
            for department in departments {
                for employee in department.employees {
                    #expect(employee.department === department && employee.age == shownAge, "\(place)")
                }
            }
        }
    }
#endif
