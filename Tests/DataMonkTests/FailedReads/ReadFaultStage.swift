#if Macros
    import DataMonk
    import DataMonkSQLite
    import DataMonkTesting
    import Foundation

    /// A filled store under a stack whose reads can fail, and a coordinator of another program over the same store.
    struct ReadFaultStage: Sendable {
        let stack: Stack
        let store: FaultInjectingStore
        private let file: URL?
        private let writer: PersistentStoreCoordinator

        /// **Value.** What became of a write path.
        struct Outcome {
            /// What stopped it; nil if it was committed.
            var error: (any Error)?
            var reads = 0
            /// Whether a second attempt after a rollback was committed.
            var isHealed = false
            var stored: [String] = []
        }

        /// In memory.
        init() throws {
            file = nil
            writer = PersistentStoreCoordinator(model: try Harbours.model.get())
            let memory = InMemoryStore(directory: writer.directory, index: 0)
            try writer.add(memory)
            stack = Stack(model: try Harbours.model.get())
            store = FaultInjectingStore(memory)
            try fill()
        }

        /// In a file. Nobody waits for a lock.
        init(file: URL) throws {
            self.file = file
            writer = PersistentStoreCoordinator(model: try Harbours.model.get())
            try writer.add(Self.open(file, writer))
            stack = Stack(model: try Harbours.model.get())
            store = FaultInjectingStore(try Self.open(file, stack.coordinator))
            try fill()
        }

        private static func open(_ file: URL, _ coordinator: PersistentStoreCoordinator) throws -> SQLiteStore {
            try SQLiteStore.open(
                file, configuration: nil, directory: coordinator.directory, index: 0, durability: .normal,
                busyTimeout: .zero)
        }

        private func fill() throws {
            let writing = ManagedObjectContext(coordinator: writer)
            try Harbours.fill(writing)
            try writing.save()
            try stack.coordinator.add(store)
        }

        /// Every object as text, read from the store: from the file anew, if there is one.
        func stored() throws -> [String] {
            guard let file else { return try Self.stored(by: stack.coordinator) }
            let reading = PersistentStoreCoordinator(model: try Harbours.model.get())
            let store = try Self.open(file, reading)
            try reading.add(store)
            let stored = try Self.stored(by: reading)
            try store.close()
            return stored
        }

        private static func stored(by coordinator: PersistentStoreCoordinator) throws -> [String] {
            let context = ManagedObjectContext(coordinator: coordinator)
            defer { context.endTurn() }
            context.stalenessInterval = .zero
            return try Harbours.dump(context)
        }

        func close() throws {
            try stack.close()
            try writer.close()
        }

        /// Runs a write path and commits it. After an error it does so once more: rolled back, and with reads that succeed.
        ///
        /// - Parameters:
        ///   - readsAgain: whether everything is read before the commit.
        ///   - heal: ends what fails reads, before everything is read again and after an error.
        func run(_ path: WritePath, readsAgain: Bool, heal: () -> Void = {}) throws -> Outcome {
            let context = try Context(stack: stack, mergePolicy: path.policy)
            var outcome = Outcome()
            store.readCount = 0
            let isHealed = Locked(false)
            // nonisolated(unsafe): this thread waits while the update calls it.
            nonisolated(unsafe) let heal = heal
            do {
                try context.beginUpdateAndWait { update in
                    do {
                        try path.run(update)
                        if let change = path.changesOfOthers { try writeElsewhere(change) }
                        if readsAgain {
                            heal()
                            try Self.readEverything(update)
                        }
                        try update.commit()
                    } catch {
                        heal()
                        store.heal()
                        update.rollback()
                        if path.changesOfOthers == nil {
                            try path.run(update)
                            try update.commit()
                            isHealed.withLock { $0 = true }
                        }
                        throw error
                    }
                }
            } catch {
                outcome.error = error
                outcome.isHealed = isHealed.withLock { $0 }
            }
            outcome.reads = store.readCount
            heal()
            store.heal()
            outcome.stored = try stored()
            return outcome
        }

        /// Reads every object of the update's context.
        private static func readEverything(_ update: Update) throws {
            guard let context = try update.fetchAll(Harbours.Harbour.self).first?.managedObjectContext else { return }
            _ = try Harbours.dump(context)
        }

        private func writeElsewhere(_ change: (ManagedObjectContext) throws -> Void) throws {
            let context = ManagedObjectContext(coordinator: writer)
            defer { context.endTurn() }
            context.stalenessInterval = .zero
            try change(context)
            try context.save()
        }
    }
#endif
