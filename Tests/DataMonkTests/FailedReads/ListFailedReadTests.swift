#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Values that the cells or the filter of a list read, and that cannot be read for a while.
    @Suite @MainActor struct `A list that shows a value which could not be read` {
        private let World: MainContext
        private let store: FaultInjectingStore
        private let table = StandInTable()
        private let provider: ListDataProvider<Office.Employee, String>

        init() throws {
            let writer = PersistentStoreCoordinator(model: try Office.model.get())
            let memory = InMemoryStore(directory: writer.directory, index: 0)
            try writer.add(memory)
            let context = ManagedObjectContext(coordinator: writer)
            for (name, department) in [("Cook", "garden"), ("Monk", "kitchen")] {
                try context.employee(name).department = try context.department(department)
            }
            try context.save()
            let stack = Stack(model: try Office.model.get())
            store = FaultInjectingStore(memory)
            try stack.coordinator.add(store)
            World = try MainContext(stack: stack)
            provider = ListDataProvider(context: World)
            let provider = provider
            table.rows.counts = { [unowned provider] in
                (0..<provider.numberOfSections).map(provider.numberOfObjects)
            }
            table.rows.cell = { [unowned provider] in provider.cell(at: $0) ?? "nothing" }
            provider.bind(table, animation: .fade) { employee, _ in
                "\(employee.name) \(employee.department?.name ?? "nowhere")"
            }
        }

        @Test func `draws its cells again once it can be read`() throws {
            try provider.load(orderBy: .Ascending("name"))
            store.fail(.read)
            #expect(table.rows.cells == [["Cook ", "Monk kitchen"]])
            let reloads = table.rows.reloads
            World.managedObjectContext.catchUpLists()
            #expect(table.rows.cells == [["Cook garden", "Monk kitchen"]] && table.rows.reloads == reloads + 1)
            World.managedObjectContext.catchUpLists()
            #expect(table.rows.reloads == reloads + 1 && table.rows.problems.isEmpty)
        }

        @Test func `is not drawn in vain while it cannot be read`() throws {
            // The department of another one would be read together with this one's.
            try provider.load(%"name" == "Cook", orderBy: .Ascending("name"))
            store.fail(.read)
            #expect(table.rows.cells == [["Cook "]])
            let reloads = table.rows.reloads
            for _ in 0..<3 {
                store.fail(.read)
                World.managedObjectContext.catchUpLists()
                #expect(table.rows.reloads == reloads)
            }
            World.managedObjectContext.catchUpLists()
            #expect(table.rows.cells == [["Cook garden"]] && table.rows.reloads == reloads + 1)
        }

        @Test func `filters again once it can be read`() throws {
            try provider.load(orderBy: .Ascending("name"))
            store.fail(.read)
            provider.objectFilter = { $0.map { $0.filter { $0.department?.name == "garden" } } }
            #expect(provider.numberOfObjects(inSection: 0) == 0)
            World.managedObjectContext.catchUpLists()
            #expect(table.rows.cells == [["Cook garden"]])
        }

        @Test func `counts in the context of the list that is shown`() throws {
            let other = ListDataProvider<Office.Employee, String>(context: try MainContext(stack: World.stack))
            other.bind(table, animation: .fade) { employee, _ in employee.department?.name ?? "nowhere" }
            other.show(try World.fetchedResults(Office.Employee.self, orderBy: .Ascending("name")))
            store.fail(.read)
            #expect(other.cell(at: [0, 0]) == "")
            let reloads = table.rows.reloads
            World.managedObjectContext.catchUpLists()
            #expect(other.cell(at: [0, 0]) == "garden" && table.rows.reloads == reloads + 1)
        }

        @Test func `asks its context for another attempt`() async throws {
            try provider.load(orderBy: .Ascending("name"))
            store.fail(.read)
            #expect(table.rows.cells == [["Cook ", "Monk kitchen"]])
            await withCheckedContinuation { continuation in
                provider.onDataChanged = { continuation.resume() }
            }
            #expect(table.rows.cells == [["Cook garden", "Monk kitchen"]])
        }
    }
#endif
