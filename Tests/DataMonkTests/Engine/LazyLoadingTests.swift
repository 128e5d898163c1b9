#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// What contexts do that are not to read when a property is touched.
    @Suite struct `Lazy loading` {
        private let office: OfficeStack
        private let writer: ManagedObjectContext
        private let context: ManagedObjectContext

        init() throws {
            office = try OfficeStack(.file)
            writer = office.newContext()
            let department = try writer.department("kitchen")
            for number in 0..<3 { try writer.employee("\(number)").department = department }
            try writer.save()
            // Nobody's rows are cached.
            office.stack.coordinator.noteForeignChanges()
            context = office.newContext()
        }

        private var reported: [FetchError] { office.errors.withLock { $0.compactMap { $0 as? FetchError } } }

        @Test func `is not reported unless asked for`() throws {
            for employee in try context.all(Office.Employee.self) { _ = employee.department?.employees }
            #expect(reported.isEmpty)
        }

        @Test func `is reported with the remedy, once for what is read together`() throws {
            context.lazyLoading = .reported
            for employee in try context.all(Office.Employee.self) { #expect(employee.department?.name == "kitchen") }
            #expect(reported.map(\.code) == [.lazyLoading])
            #expect(reported.first?.message.contains(".Prefetch([\"department\"])") == true)
            for department in try context.all(Office.Department.self) { #expect(department.employees.count == 3) }
            #expect(reported.count == 2 && reported.last?.keyPath == "employees")
        }

        @Test func `is not reported for what was prefetched, or is asked for`() throws {
            context.lazyLoading = .reported
            var request = FetchRequest(entityName: "Employee")
            request.relationshipKeyPathsForPrefetching = ["department.employees"]
            for case let employee as Office.Employee in try context.fetch(request) {
                #expect(employee.department?.employees.count == 3)
            }
            let other = office.newContext()
            other.lazyLoading = .refused
            for employee in try other.all(Office.Employee.self) {
                try employee.department?.fault()
                #expect(employee.department?.name == "kitchen")
            }
            #expect(reported.isEmpty)
        }

        @Test func `is not reported for what changes have to read`() throws {
            context.lazyLoading = .refused
            context.delete(try #require(try context.all(Office.Department.self).first))
            try context.save()
            #expect(try office.newContext().all(Office.Employee.self).allSatisfy { $0.department == nil })
        }

        @Test func `that is refused throws where that is possible`() throws {
            context.lazyLoading = .refused
            let employees = try context.all(Office.Employee.self)
            let department = try #require(employees.first?.department)
            #expect(try #require(throws: FetchError.self) { try department.value(forKey: "name") }.code == .lazyLoading)
            let error = try #require(throws: FetchError.self) { try department.objects(forKey: "employees") }
            #expect(error.code == .lazyLoading && error.keyPath == "employees")
        }

        @Test func `that is refused stops the program where a property is touched`() async {
            await #expect(processExitsWith: .failure) {
                let office = try OfficeStack(.file)
                let writer = office.newContext()
                try writer.employee("Monk").department = try writer.department("kitchen")
                try writer.save()
                office.stack.coordinator.noteForeignChanges()
                let context = office.newContext()
                context.lazyLoading = .refused
                _ = try context.all(Office.Employee.self).first?.department?.name
            }
        }

        @Test func `is what the coordinator says for contexts made afterwards`() throws {
            office.stack.coordinator.lazyLoading = .reported
            let strict = office.newContext()
            #expect(strict.lazyLoading == .reported && ManagedObjectContext(parent: strict).lazyLoading == .reported)
            #expect(context.lazyLoading == .automatic)
        }
    }
#endif
