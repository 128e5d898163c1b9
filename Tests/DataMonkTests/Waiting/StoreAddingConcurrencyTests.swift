#if Macros
    import DataMonk
    import Foundation
    import Testing

    /// Stores are added and closed without blocking, one at a time.
    @Suite(.inOwnProcess) struct `Concurrency of adding stores` {
        private let folder: TemporaryFolder
        private let stack: Stack

        init() throws {
            folder = try TemporaryFolder()
            stack = Stack(model: try Office.model.get())
        }

        @Test func `stores that are added at the same time get places of their own`() async throws {
            let (stack, folder) = (stack, folder)
            try await watched("ten stores at once") {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 0..<10 {
                        let url = folder.url.appending(path: "\(number % 5).sqlite")
                        group.addTask { try await stack.addStore(.database(fileURL: url)) }
                        group.addTask { try await onThread { try stack.addInMemoryStore() } }
                    }
                    try await group.waitForAll()
                }
            }
            #expect(stack.coordinator.stores.count == 15)
            try await stack.closeStores()
            #expect(stack.coordinator.stores.isEmpty)
            await #expect(throws: StoreError.self) { try await stack.addStore(.inMemory()) }
        }

        @Test @MainActor func `main adds a store by either form while others do`() async throws {
            let stack = stack
            let tasks = (0..<20).map { _ in Task.detached { try await stack.addStore(.inMemory()) } }
            try Self.add(to: stack)
            try await stack.addStore(.inMemory())
            for task in tasks { try await task.value }
            #expect(stack.coordinator.stores.count == 22)
        }

        private static func add(to stack: Stack) throws { try stack.addInMemoryStore() }

        @Test func `a store that is added in the turn of a fetch takes part in the next one`() async throws {
            let stack = stack
            try stack.addInMemoryStore()
            try await Context(stack: stack).update { update in
                #expect(try update.count(Office.Employee.self) == 0)
                try stack.addInMemoryStore()
                #expect(try update.count(Office.Employee.self) == 0)
                #expect(try update.fetchAll(Office.Employee.self).isEmpty)
            }
        }

        @Test func `a file that cannot be opened throws, and the next one is added`() async throws {
            let url = folder.url.appending(path: "text.sqlite")
            try Data("no database, and long enough to be none".utf8).write(to: url)
            let error = await #expect(throws: StoreError.self) { try await stack.addStore(.database(fileURL: url)) }
            #expect(error?.code == .notADatabase)
            try await stack.addStore(.inMemory())
        }
    }
#endif
