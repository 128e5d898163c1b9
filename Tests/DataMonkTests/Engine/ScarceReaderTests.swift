#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Contexts that nobody runs keep their snapshots; a store has few readers.
    @Suite struct `Scarce readers` {
        @Test func `any number of contexts that never end their turn can read`() throws {
            let office = try OfficeStack(.file)
            let writer = office.newContext()
            let department = try writer.department("kitchen")
            for number in 0..<3 { try writer.employee("\(number)").department = department }
            try writer.save()
            writer.endTurn()
            // Made here: those of the stage end each other's turns.
            let contexts = (0..<30).map { _ in ManagedObjectContext(coordinator: office.stack.coordinator) }
            for context in contexts { #expect(try context.all(Office.Employee.self).count == 3) }
            office.stack.coordinator.noteForeignChanges()
            for context in contexts {
                let employees = try context.all(Office.Employee.self)
                #expect(Set(employees.map { $0.department?.name }) == ["kitchen"])
                #expect(employees.first?.department?.employees.count == 3)
                #expect(try context.count(FetchRequest(entityName: "Employee")) == 3)
                try context.checkInvariants()
            }
            for context in contexts.reversed() {
                _ = try context.employee("new")
                try context.save()
            }
            #expect(try contexts[0].all(Office.Employee.self).count == 33)
        }
    }
#endif
