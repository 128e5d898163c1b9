#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Cohorts in a child, which reads through its parents.
    @Suite struct `Cohorts of a child` {
        private let recorder = StatementRecorder()
        private let folder: TemporaryFolder
        private let parent: ManagedObjectContext
        private let child: ManagedObjectContext

        init() throws {
            folder = try TemporaryFolder()
            let url = folder.file("office.sqlite")
            let stack = Stack(model: try Office.model.get())
            try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
            let writer = ManagedObjectContext(coordinator: stack.coordinator)
            let departments = try (0..<10).map { try writer.department("department \($0)") }
            for number in 0..<100 { try writer.employee("\(number)").department = departments[number % 10] }
            try writer.save()
            let cold = Stack(model: try Office.model.get(), trace: { [recorder] in recorder.record($0, by: "cold") })
            try cold.addDatabaseStore(fileURL: url)
            parent = ManagedObjectContext(coordinator: cold.coordinator)
            child = ManagedObjectContext(parent: parent)
        }

        @Test func `to-ones are one statement`() throws {
            let queries = try recorder.queries {
                for employee in try child.all(Office.Employee.self) {
                    #expect(employee.department?.name.hasPrefix("department") == true)
                }
            }
            #expect(queries.count == 2)
            #expect(parent.registeredObjects.isEmpty)
            try child.checkInvariants()
        }

        @Test func `to-manys are one statement`() throws {
            let queries = try recorder.queries {
                for department in try child.all(Office.Department.self) { #expect(department.employees.count == 10) }
            }
            #expect(queries.count == 2)
        }

        @Test func `what the parent has changed is the parent's`() throws {
            let department = try #require(try parent.all(Office.Department.self).first { $0.name == "department 3" })
            let employee = try #require(try parent.all(Office.Employee.self).first { $0.name == "7" })
            let lost = try #require(try parent.all(Office.Employee.self).first { $0.name == "8" })
            department.name = "renamed"
            employee.department = department
            parent.delete(lost)
            var counts: [String: Int] = [:]
            for department in try child.all(Office.Department.self) {
                counts[department.name] = department.employees.count
            }
            #expect(counts["renamed"] == 11 && counts["department 7"] == 9 && counts["department 8"] == 9)
            #expect(counts["department 1"] == 10 && counts.count == 10)
            try child.checkInvariants()
            let other = ManagedObjectContext(coordinator: parent.coordinator)
            #expect(try other.all(Office.Department.self).allSatisfy { $0.name != "renamed" })
        }

        @Test func `what the parent has loaded is no statement`() throws {
            let departments = try parent.all(Office.Department.self)
            #expect(departments.allSatisfy { $0.employees.count == 10 })
            let queries = try recorder.queries {
                for department in try child.all(Office.Department.self) {
                    #expect(department.employees.allSatisfy { !$0.name.isEmpty })
                }
            }
            #expect(queries.count == 1)
        }

        @Test func `a temporary id finds its object when nobody held it since`() throws {
            let temporary = try child.employee("new").anyObjectID
            try child.save()
            try parent.save()
            #expect(parent.registeredObjects.isEmpty && child.registeredObjects.isEmpty)
            #expect(try child.existingObject(with: temporary).value(forKey: "name") == "new")
        }

        @Test func `a child lets go of what nobody holds`() throws {
            _ = try child.all(Office.Employee.self)
            #expect(child.registeredObjects.isEmpty)
            let held = try #require(try child.all(Office.Department.self).first)
            #expect(held.employees.count == 10)
            #expect(child.registeredObjects.count == 11)
        }
    }
#endif
