#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    /// Records the errors that reach the error handler of a stack.
    final class HandlerRecord: Sendable {
        let errors = Locked<[any Error]>([])
        let stacks = Locked<[Stack]>([])

        func handle(_ error: any Error) { errors.withLock { $0.append(error) } }

        /// A stack whose errors are recorded.
        func stack(_ model: ManagedObjectModel) -> Stack {
            let stack = Stack(model: model)
            stack.onError { [errors] error in errors.withLock { $0.append(error) } }
            stacks.withLock { $0.append(stack) }
            return stack
        }

        /// A stack over stores that fail when they are asked to.
        func stack(failing count: Int) throws -> (Stack, [FaultInjectingStore]) {
            let stack = stack(try Bookcase.model.get())
            let stores = (0..<count).map { number in
                FaultInjectingStore(InMemoryStore(directory: stack.coordinator.directory, index: number))
            }
            for store in stores { try stack.coordinator.add(store) }
            return (stack, stores)
        }
    }

    /// A failure that no caller can catch, and what is told of it.
    enum UncaughtFailure: String, CaseIterable, Sendable {
        case retriedCommit, refusedWatch, looks, closing, closingStores, reset
        case sweepRemoving, sweepExamining, sweepLocking

        /// The row of the article's tables.
        var row: String {
            switch self {
            case .retriedCommit: "A commit was written a second time"
            case .refusedWatch: "The system does not report writes to a file"
            case .looks: "Other processes' commits could not be looked for"
            case .closing: "The log could not be moved at the first attempt to close"
            case .closingStores: "A further store could not be closed properly"
            case .reset: "A store was put aside for `resetOnFailure`"
            case .sweepRemoving, .sweepExamining, .sweepLocking: "Files of large values could not be removed"
            }
        }

        var code: StoreError.Code {
            switch self {
            case .retriedCommit, .closing, .sweepRemoving: .writeFailed
            case .refusedWatch: .operationFailed
            case .looks, .sweepExamining, .sweepLocking: .readFailed
            case .closingStores: .outOfSpace
            case .reset: .incompatibleVersionHash
            }
        }

        /// The words that the message contains.
        var word: String {
            switch self {
            case .retriedCommit: "retried"
            case .refusedWatch: "max_user_watches"
            case .looks: "other processes"
            case .closing: "shop.sqlite"
            case .closingStores: "second"
            case .reset: "moved to"
            case .sweepRemoving, .sweepExamining, .sweepLocking: "_SUPPORT"
            }
        }

        func plant(_ record: HandlerRecord) async throws {
            switch self {
            case .retriedCommit: try Self.retryCommit(record)
            case .refusedWatch: try await Self.refuseWatch(record)
            case .looks: try Self.failLooks(record)
            case .closing: try Self.failClosing(record)
            case .closingStores: try Self.failClosingStores(record)
            case .reset: try Self.putAside(record)
            case .sweepRemoving: try Self.failSweep(record, .remove)
            case .sweepExamining: try Self.failSweep(record, .examine)
            case .sweepLocking: try Self.failSweep(record, .lock)
            }
        }

        private static func open(_ record: HandlerRecord) throws -> (FaultyDisk, TemporaryFolder, Stack) {
            let folder = try TemporaryFolder()
            let disk = try FaultyDisk(folder: folder.url)
            let stack = record.stack(try Bookcase.model.get())
            try stack.addDatabaseStore(fileURL: folder.file("shop.sqlite"), synchronous: .normal)
            return (disk, folder, stack)
        }

        private static func commit(_ stack: Stack) throws {
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            try context.insert(Bookcase.Tag.self).name = "tag"
            try context.save()
            context.endTurn()
        }

        private static func retryCommit(_ record: HandlerRecord) throws {
            let (disk, folder, stack) = try open(record)
            disk.fail(FaultPlan(.inputOutputError, on: [.write], ofFile: "-wal"))
            try commit(stack)
            try stack.close()
            withExtendedLifetime(folder) {}
        }

        private static func refuseWatch(_ record: HandlerRecord) async throws {
            let (disk, folder, stack) = try open(record)
            disk.fail(FaultPlan(.diskFull, on: [.watch], times: .max))
            let world = try await MainActor.run { try MainContext(stack: stack) }
            // The second refusal is no news.
            while disk.faultCount < 2 || record.errors.withLock({ $0.isEmpty }) { await Task.yield() }
            withExtendedLifetime((world, folder)) {}
            try stack.close()
        }

        private static func failLooks(_ record: HandlerRecord) throws {
            let (stack, stores) = try record.stack(failing: 1)
            for _ in 0..<3 {
                stores[0].fail(.look)
                stack.coordinator.lookForForeignCommits()
            }
        }

        private static func failClosing(_ record: HandlerRecord) throws {
            let (disk, folder, stack) = try open(record)
            try commit(stack)
            disk.fail(FaultPlan(.inputOutputError, on: [.sync], ofFile: "-wal"))
            try stack.close()
            withExtendedLifetime(folder) {}
        }

        private static func failClosingStores(_ record: HandlerRecord) throws {
            let (stack, stores) = try record.stack(failing: 2)
            stores[0].fail(.close, with: StoreError(.readFailed, "The first fails."))
            stores[1].fail(.close, with: StoreError(.outOfSpace, "The second fails."))
            let error = #expect(throws: StoreError.self) { try stack.close() }
            #expect(error?.code == .readFailed)
        }

        private static func putAside(_ record: HandlerRecord) throws {
            let shop = try PhotoShop()
            try shop.openStack().close()
            let stack = record.stack(try Bookcase.model.get())
            try stack.addDatabaseStore(fileURL: shop.url, autoMigrating: false, resetOnFailure: true)
            try stack.close()
        }

        private static func failSweep(_ record: HandlerRecord, _ operation: FileOperation) throws {
            let shop = try PhotoShop()
            let disk = try FaultyDisk(folder: shop.folder.url)
            let stack = record.stack(try shop.model())
            try stack.addDatabaseStore(fileURL: shop.url, synchronous: .normal)
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            let photo = try shop.insert("one", PhotoShop.bytes(200_000), context)
            try context.save()
            context.delete(photo)
            try context.save()
            context.endTurn()
            try shop.age()
            let file = operation == .lock ? "_EXTERNAL_DATA" : try #require(try shop.files().first)
            disk.fail(FaultPlan(.inputOutputError, on: [operation], ofFile: file))
            try stack.close()
            #expect(try shop.files().count == 1)
            try shop.openStack().close()
            #expect(try shop.files() == [])
        }
    }
#endif
