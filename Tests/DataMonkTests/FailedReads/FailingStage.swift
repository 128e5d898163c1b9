#if Macros
    import DataMonk
    import DataMonkTesting
    import Testing

    /// A store over which reads can fail, written by a coordinator of its own: rows are in no cache.
    struct FailingStage {
        let store: FaultInjectingStore
        /// Errors that reached the handler.
        let errors = Locked<[any Error]>([])
        private let writer: PersistentStoreCoordinator
        private let coordinator: PersistentStoreCoordinator

        init() throws {
            writer = PersistentStoreCoordinator(model: try Office.model.get())
            let memory = InMemoryStore(directory: writer.directory, index: 0)
            try writer.add(memory)
            coordinator = PersistentStoreCoordinator(model: try Office.model.get())
            store = FaultInjectingStore(memory)
            try coordinator.add(store)
            let errors = errors
            coordinator.setErrorHandler { error in errors.withLock { $0.append(error) } }
        }

        func newContext(followsCommits: Bool = true) -> ManagedObjectContext {
            ManagedObjectContext(coordinator: coordinator, followsCommits: followsCommits)
        }

        /// Writes an employee of the kitchen, once.
        func write() throws {
            try write { writing in
                if try writing.count(FetchRequest(entityName: "Employee")) > 0 { return }
                let monk = try writing.employee("Monk")
                monk.age = 40
                monk.department = try writing.department("kitchen")
            }
        }

        /// Writes what `body` makes in a context.
        func write(_ body: (ManagedObjectContext) throws -> Void) throws {
            let writing = ManagedObjectContext(coordinator: writer)
            defer { writing.endTurn() }
            try body(writing)
            try writing.save()
        }

        /// The employee as a fault, whose row the store will not give the next time.
        func failingEmployee(in context: ManagedObjectContext) throws -> Office.Employee {
            try write()
            store.heal()
            var request = FetchRequest(entityName: "Employee")
            request.includesPropertyValues = false
            request.condition = .compare("name", .equal, "Monk")
            let monk = try #require(try context.fetch(request).first as? Office.Employee)
            if !monk.isFault { try context.refresh(monk, mergeChanges: false) }
            context.stalenessInterval = .zero
            context.endTurn()
            store.fail(.read)
            return monk
        }
    }
#endif
