#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Serial orders that contexts share, and who waits in them.
    @Suite(.inOwnProcess) struct `Concurrency in shared lines` {
        /// Reads, awaits and writes, once for each of many tasks over two contexts.
        private func add(_ contexts: [any Updating], _ id: ObjectID<Treasury.Account>) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<200 {
                    let context = contexts[number % contexts.count]
                    group.addTask {
                        try await context.update { update in
                            let account = try update.use(id)
                            let balance = account.balance
                            await Task.yield()
                            account.balance = balance + 1
                            try update.commit()
                        }
                    }
                }
                try await group.waitForAll()
            }
        }

        @Test func `contexts of a serial stack take turns`() async throws {
            let folder = try TemporaryFolder()
            let stack = Stack(model: try Treasury.model.get(), updateOrder: .serial)
            try stack.addDatabaseStore(fileURL: folder.file("treasury.sqlite"), synchronous: .normal)
            let (first, world) = (try Context(stack: stack), try await MainContext(stack: stack))
            let id = try await first.update { update in
                let account = try update.create(Treasury.Account.self)
                try update.commit()
                return account.objectID
            }
            try await add([first, world], id)
            #expect(try await first.read { try $0.use(id).balance } == 200)
        }

        @Test func `contexts with one line take turns, and others do not`() async throws {
            let treasury = try Treasury(.file)
            let line = UpdateLine()
            let first = try Context(stack: treasury.stack, updateOrder: .line(line))
            let second = try Context(stack: treasury.stack, updateOrder: .line(line))
            try await add([first, second], treasury.id)
            #expect(try treasury.stored().balance == 200)
            let third = try Context(stack: treasury.stack, updateOrder: .serial)
            try await first.update { _ in try await third.update { _ in } }
            await #expect(throws: UpdateError.self) {
                try await first.update { _ in try await second.update { _ in } }
            }
        }

        @Test @MainActor func `a draft commits while a serial update is at work`() async throws {
            let treasury = try Treasury(.file)
            let world = try MainContext(stack: treasury.stack, updateOrder: .serial)
            let draft = world.draft()
            try draft.use(treasury.id).note = "drafted"
            try await world.update { _ in try await draft.commit() }
            #expect(try treasury.stored().note == "drafted")
        }

        @Test @MainActor func `main waits behind serial updates that cannot suspend`() throws {
            let treasury = try Treasury(.file)
            let world = try MainContext(stack: treasury.stack, updateOrder: .serial)
            let id = treasury.id
            for _ in 0..<50 {
                world.beginUpdate { update in
                    try update.use(id).balance += 1
                    try update.commit()
                }
                world.beginUpdate(using: id) { update, account in
                    account.balance += 1
                    try update.commit()
                }
                let context = world.beginUpdateContext()
                context.beginPerform { update in
                    try update.use(id).balance += 1
                    try update.commit()
                }
                try context.performAndWait { update in
                    try update.use(id).balance += 1
                    try update.commit()
                }
                try world.beginUpdateAndWait { update in
                    try update.use(id).balance += 1
                    try update.commit()
                }
            }
            #expect(try treasury.stored().balance == 250)
        }

        @Test @MainActor func `main is refused at once where one ahead can suspend`() throws {
            let treasury = try Treasury()
            let world = try MainContext(stack: treasury.stack, updateOrder: .serial)
            world.beginUpdate { _ in await Task.yield() }
            // Its turn may have come and gone; one that holds main up has not.
            world.beginUpdate { _ in await MainActor.run {} }
            world.beginUpdate { _ in }
            let error = try #require(throws: UpdateError.self) { try world.beginUpdateAndWait { _ in } }
            #expect(error.code == .wouldDeadlock)
        }
    }
#endif
