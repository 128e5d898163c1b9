#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Every read of every write path fails once: what is saved is never computed from an empty value.
    @Suite struct `Read faults` {
        private static let errors = [
            StoreError(.readFailed, "The disk is on fire."), StoreError(.locked, "Somebody has the store."),
            StoreError(.openFailed, "Too many open files."), StoreError(.corrupt, "A page is damaged."),
            StoreError(.fileNotFound, "A file is gone."),
        ]

        /// **Value.** A read that fails.
        private struct Fault {
            let number: Int
            let error: StoreError
        }

        /// **Value.** What became of a path.
        private struct Outcome {
            /// What stopped it; nil if it was committed.
            var error: (any Error)?
            var reads = 0
            /// Whether a second attempt after a rollback was committed.
            var isHealed = false
            var stored: [String] = []
        }

        @Test(arguments: WritePath.all)
        func `save the state of the undisturbed run, or nothing`(path: WritePath) throws {
            let undisturbed = try run(path, nil, readsAgain: false)
            #expect(undisturbed.error == nil, "\(path.testDescription) fails by itself")
            let before = try Stage().stored()
            #expect(undisturbed.stored != before, "\(path.testDescription) changes nothing")
            var refused = 0
            for number in 0..<undisturbed.reads {
                for (index, error) in Self.errors.enumerated() {
                    let readsAgain = (number + index) % 2 == 0
                    let outcome = try run(path, Fault(number: number, error: error), readsAgain: readsAgain)
                    let place = "\(path.testDescription): read \(number), \(error), read again: \(readsAgain)"
                    if outcome.error == nil {
                        #expect(outcome.stored == undisturbed.stored, "\(place): another state was saved")
                        continue
                    }
                    refused += 1
                    // Another coordinator has changed the store meanwhile, and the second attempt starts from there.
                    if path.changesOfOthers != nil { continue }
                    #expect(outcome.isHealed, "\(place): a rollback does not heal")
                    #expect(outcome.stored == undisturbed.stored, "\(place): the second attempt saves another state")
                }
            }
            let points = undisturbed.reads * Self.errors.count
            print("\(path.testDescription): \(undisturbed.reads) reads, \(points) faults, \(refused) refused")
            #expect(undisturbed.reads >= 3 && refused > 0)
        }

        private func run(_ path: WritePath, _ fault: Fault?, readsAgain: Bool) throws -> Outcome {
            let stage = try Stage()
            let context = try Context(stack: stage.stack, mergePolicy: path.policy)
            var outcome = Outcome()
            let store = stage.store
            store.readCount = 0
            if let fault { store.failRead(fault.number, with: fault.error) }
            let isHealed = Locked(false)
            do {
                try context.beginUpdateAndWait { update in
                    do {
                        try path.run(update)
                        if let change = path.changesOfOthers { try stage.writeElsewhere(change) }
                        if readsAgain { try Self.readEverything(update) }
                        try update.commit()
                    } catch {
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
            store.heal()
            outcome.stored = try stage.stored()
            return outcome
        }

        /// Reads every object of the update's context.
        private static func readEverything(_ update: Update) throws {
            guard let context = try update.fetchAll(Harbours.Harbour.self).first?.managedObjectContext else { return }
            _ = try Harbours.dump(context)
        }

        /// A filled store under a stack whose reads can fail, and a coordinator of another program over the same store.
        private struct Stage: Sendable {
            let stack: Stack
            let store: FaultInjectingStore
            private let writer: PersistentStoreCoordinator

            init() throws {
                writer = PersistentStoreCoordinator(model: try Harbours.model.get())
                let memory = InMemoryStore(directory: writer.directory, index: 0)
                try writer.add(memory)
                let writing = ManagedObjectContext(coordinator: writer)
                try Harbours.fill(writing)
                try writing.save()
                stack = Stack(model: try Harbours.model.get())
                store = FaultInjectingStore(memory)
                try stack.coordinator.add(store)
            }

            func stored() throws -> [String] {
                let context = ManagedObjectContext(coordinator: stack.coordinator)
                context.stalenessInterval = .zero
                return try Harbours.dump(context)
            }

            func writeElsewhere(_ change: (ManagedObjectContext) throws -> Void) throws {
                let context = ManagedObjectContext(coordinator: writer)
                context.stalenessInterval = .zero
                try change(context)
                try context.save()
            }
        }
    }
#endif
