#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// Every read of a program that deletes, changes, undoes and redoes fails once: what it saves is right, or the save
    /// throws.
    @Suite struct `Undo and redo beside a failed read` {
        private typealias Program = (ManagedObjectContext) throws -> Void

        /// The departments by name, each with its employees.
        private struct Contents: Equatable, CustomStringConvertible {
            var departments: [String: [String]]
            var description: String { "\(departments)" }
        }

        private func makeStage() throws -> FailingStage {
            let stage = try FailingStage()
            try stage.write { context in
                for name in ["attic", "bar", "cellar"] {
                    let department = try context.department(name)
                    for number in 0..<3 {
                        let employee = try context.employee("\(name) \(number)")
                        employee.age = 40
                        employee.department = department
                    }
                }
            }
            return stage
        }

        private func contents(of stage: FailingStage) throws -> Contents {
            let context = stage.newContext()
            defer { context.endTurn() }
            var contents = Contents(departments: [:])
            for department in try context.all(Office.Department.self) { contents.departments[department.name] = [] }
            for employee in try context.all(Office.Employee.self) {
                contents.departments[employee.department?.name ?? "", default: []]
                    .append("\(employee.name) \(employee.age)")
            }
            for name in contents.departments.keys { contents.departments[name]?.sort() }
            return contents
        }

        private func run(_ program: Program, on stage: FailingStage) throws {
            let context = stage.newContext()
            defer { context.endTurn() }
            context.undoManager = ContextUndoManager()
            try program(context)
            try context.save()
            try context.checkInvariants()
        }

        /// - Parameter minimum: The least number of failed reads that a save must tell of.
        private func failEachRead(of program: Program, telling minimum: Int) throws {
            let before = try contents(of: makeStage())
            let reference = try makeStage()
            reference.store.readCount = 0
            try run(program, on: reference)
            let count = reference.store.readCount
            let after = try contents(of: reference)
            var told = 0
            for number in 0..<count {
                let stage = try makeStage()
                stage.store.readCount = 0
                stage.store.failRead(number, with: StoreError(.readFailed, "Injected."))
                do {
                    try run(program, on: stage)
                    stage.store.heal()
                    #expect(try contents(of: stage) == after, "read \(number) of \(count)")
                } catch {
                    told += 1
                    stage.store.heal()
                    #expect(try contents(of: stage) == before, "read \(number) of \(count): \(error)")
                    try run(program, on: stage)
                    #expect(try contents(of: stage) == after, "read \(number) of \(count), again after \(error)")
                }
            }
            #expect(count > minimum && told >= minimum)
        }

        private static func departments(_ context: ManagedObjectContext) throws -> [Office.Department] {
            try context.all(Office.Department.self).sorted { $0.name < $1.name }
        }

        @Test func `reverts the steps that were asked for`() throws {
            try failEachRead(
                of: { context in
                    let departments = try Self.departments(context)
                    departments[0].name += "!"
                    context.processPendingChanges()
                    context.delete(departments[1])
                    context.processPendingChanges()
                    departments[2].employees = []
                    context.processPendingChanges()
                    for employee in departments[0].employees { employee.age += 1 }
                    context.processPendingChanges()
                    for _ in 0..<3 { context.undo() }
                    context.redo()
                }, telling: 2)
        }

        @Test func `reverts deletions one after the other`() throws {
            try failEachRead(
                of: { context in
                    for department in try Self.departments(context) {
                        context.delete(department)
                        context.processPendingChanges()
                    }
                    context.undo()
                    context.undo()
                    context.redo()
                }, telling: 1)
        }

        @Test func `reverts changes of what a deletion was about to change`() throws {
            try failEachRead(
                of: { context in
                    let departments = try Self.departments(context)
                    context.delete(departments[0])
                    context.processPendingChanges()
                    for employee in try context.all(Office.Employee.self) { employee.age += 1 }
                    context.undo()
                }, telling: 1)
        }

        @Test func `reverts a deletion, and what was changed in the same event`() throws {
            try failEachRead(
                of: { context in
                    let departments = try Self.departments(context)
                    context.delete(departments[0])
                    departments[1].name += "!"
                    context.processPendingChanges()
                    departments[2].name += "!"
                    context.undo()
                    context.redo()
                    context.undo()
                }, telling: 1)
        }
    }
#endif
