#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// To-manys changed one object at a time.
    @Suite struct `Members` {
        private let recorder = StatementRecorder()
        private let folder: TemporaryFolder
        private let writer: ManagedObjectContext
        private let context: ManagedObjectContext

        init() throws {
            folder = try TemporaryFolder()
            let url = folder.file("office.sqlite")
            let stack = Stack(model: try Office.model.get())
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
            writer = ManagedObjectContext(coordinator: stack.coordinator)
            let cold = Stack(model: try Office.model.get(), trace: { [recorder] in recorder.record($0, by: "cold") })
            try cold.addDatabaseStore(fileURL: url, synchronous: .normal)
            context = ManagedObjectContext(coordinator: cold.coordinator)
        }

        private func first<Object: ManagedObject>(_ type: Object.Type) throws -> Object {
            try #require(try context.all(type).first)
        }

        @Test func `adding to a large set reads and touches none of the others`() throws {
            let department = try writer.department("kitchen")
            for number in 0..<1_000 { try writer.employee("\(number)").department = department }
            try writer.save()
            let mine = try first(Office.Department.self)
            let monk = try context.employee("Monk")
            #expect(recorder.queries { mine.add(monk, to: \.employees) }.isEmpty)
            #expect(monk.department === mine)
            #expect(context.registeredObjects.count == 2)
            try context.save()
            #expect(mine.employees.count == 1_001 && mine.employees.contains(monk))
            mine.remove(monk, from: \.employees)
            #expect(monk.department == nil && mine.employees.count == 1_000 && !mine.employees.contains(monk))
            try context.checkInvariants()
        }

        @Test func `an object moves from its owner to the next`() throws {
            let (old, new) = (try context.department("old"), try context.department("new"))
            let monk = try context.employee("Monk")
            old.add(monk, to: \.employees)
            new.add(monk, to: \.employees)
            #expect(old.employees.isEmpty && new.employees == [monk] && monk.department === new)
        }

        @Test func `what is not a member is not removed`() throws {
            let (one, other) = (try context.department("one"), try context.department("other"))
            let monk = try context.employee("Monk")
            one.add(monk, to: \.employees)
            other.remove(monk, from: \.employees)
            #expect(one.employees == [monk] && monk.department === one)
        }

        @Test func `both sides of a many-to-many follow`() throws {
            let monk = try context.employee("Monk")
            let skill = try context.insert(Office.Skill.self)
            try context.save()
            monk.add(skill, to: \.skills)
            #expect(skill.employees == [monk])
            try context.save()
            skill.remove(monk, from: \.employees)
            #expect(monk.skills.isEmpty && monk.hasChanges)
            try context.save()
            try context.refreshAllObjects()
            #expect(monk.skills.isEmpty && skill.employees.isEmpty)
        }

        @Test func `an ordered to-many grows at its end`() throws {
            let company = try writer.insert(Office.Company.self)
            company.departments = try ["c", "a"].map(writer.department)
            try writer.save()
            let mine = try first(Office.Company.self)
            mine.add(try context.department("b"), to: \.departments)
            try context.save()
            try context.refreshAllObjects()
            #expect(mine.departments.map(\.name) == ["c", "a", "b"])
            mine.remove(mine.departments[0], from: \.departments)
            #expect(mine.departments.map(\.name) == ["a", "b"])
        }

        @Test func `a set is changed in place`() throws {
            let department = try context.department("kitchen")
            let people = try (0..<4).map { try context.employee("\($0)") }
            department.employees = Set(people[0...2])
            department.employees.insert(people[3])
            department.employees.remove(people[0])
            #expect(department.employees == Set(people[1...3]))
            #expect(people[0].department == nil && people[3].department === department)
            department.employees.formIntersection([people[1]])
            #expect(department.employees == [people[1]] && people[2].department == nil)
            try context.save()
            try context.checkInvariants()
        }

        @Test func `a key path to nothing that is kept stops the program`() async {
            await #expect(processExitsWith: .failure) {
                let context = try OfficeStack().newContext()
                try context.employee("Monk").add(try context.employee("Abbot"), to: \.noRelationship)
            }
        }
    }

    extension Office.Employee {
        fileprivate var noRelationship: Set<Office.Employee> { [] }
    }
#endif
