#if Postgres
    import DataMonk
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Stacks over a store on a server, by the public API alone, as two processes have them.
    @Suite struct ServerStackTests {
        private let url: String
        private let options: ServerStoreOptions

        init() throws {
            url = try PostgresServer.shared.get().publicURL
            var options = ServerStoreOptions()
            options.schemaName = "stack_\(UUID().uuidString)"
            options.timeout = .seconds(600)
            options.mainActorTimeout = .seconds(600)
            self.options = options
        }

        private func stack(_ changes: (inout ServerStoreOptions) -> Void = { _ in }) async throws -> Stack {
            var options = options
            changes(&options)
            let stack = try Stack(Wallet.self)
            try await stack.addServerStore(url, options: options)
            return stack
        }

        private func fill(_ stack: Stack) async throws {
            try await Context(stack: stack).update { update in
                for owner in ["Monk", "Abbot"] {
                    let wallet = try update.create(Wallet.self)
                    (wallet.owner, wallet.coins) = (owner, 100)
                }
                try update.commit()
            }
        }

        private func pay(_ coins: Int, to owner: String, in stack: Stack) async throws {
            try await Context(stack: stack).update { update in
                let wallet = try update.fetch(Wallet.self, %"owner" == owner)
                try update.increment(\.coins, by: coins, of: wallet)
                try update.commit()
            }
        }

        private func coins(of owner: String, in stack: Stack) async throws -> Int {
            try await Context(stack: stack).read { try $0.fetch(Wallet.self, %"owner" == owner).coins }
        }

        @Test func `a description of the store does not add it to another stack, for want of a URL`() async throws {
            let description = try #require(await stack().storeDescriptions.first)
            let other = try Stack(Wallet.self)
            let error = await #expect(throws: StoreError.self) { try await other.addStore(description) }
            #expect(error?.code == .openFailed && other.storeDescriptions.isEmpty)
        }

        @Test func `a migration ends with its task`() async throws {
            let stage = try MigrationStore()
            let old = try ManagedObjectModel(entities: [EntityDescription("Wallet", properties: [])])
            _ = try stage.context(old)
            try stage.holdOrder()
            var options = options
            options.schemaName = stage.namespace.name
            let task = Task { [url, options] in
                try await Stack(Wallet.self).migrateServerStore(url, options: options)
            }
            task.cancel()
            let error = await #expect(throws: StoreError.self) { try await task.value }
            #expect(error?.code == .cancelled)
            try stage.run("COMMIT")
            #expect(try stage.context(old).all("Wallet").isEmpty)
        }

        @Test func `updates of two stacks count all`() async throws {
            let stacks = [try await stack(), try await stack()]
            try await fill(stacks[0])
            try await withThrowingTaskGroup(of: Void.self) { tasks in
                for number in 0..<40 {
                    tasks.addTask { try await pay(1, to: number % 3 == 0 ? "Monk" : "Abbot", in: stacks[number % 2]) }
                }
                try await tasks.waitForAll()
            }
            #expect(try await coins(of: "Monk", in: stacks[1]) == 114)
            #expect(try await coins(of: "Abbot", in: stacks[0]) == 126)
        }

        @Test func `a history is kept by each stack once one has asked for it`() async throws {
            let stacks = [try await stack(), try await stack { $0.tracksHistory = true }]
            try await fill(stacks[0])
            let token = try #require(try stacks[1].currentHistoryToken())
            try await pay(1, to: "Monk", in: stacks[0])
            try await pay(1, to: "Abbot", in: stacks[1])
            let new = try stacks[0].history(after: token)
            #expect(new.map { $0.changes.map(\.updatedProperties) } == [[["coins"]], [["coins"]]])
            #expect(
                try stacks[0].history().map { $0.changes.map(\.changeType) } == [
                    [.insert, .insert], [.update], [.update],
                ])
            #expect(try stacks[1].deleteHistory(before: new[1].token) == 2)
            let error = #expect(throws: StoreError.self) { try stacks[0].history(after: token) }
            #expect(error?.code == .historyTokenExpired)
        }

        @Test func `a taken unique value and an invalid value are refused`() async throws {
            let stack = try await stack()
            try await fill(stack)
            await #expect(throws: SaveError.self) {
                try await Context(stack: stack).update { update in
                    try update.create(Wallet.self).owner = "Monk"
                    try update.commit()
                }
            }
            await #expect(throws: SaveError.self) { try await pay(-101, to: "Monk", in: stack) }
            #expect(try await coins(of: "Monk", in: stack) == 100)
        }

        /// A list, and an object that it holds, in a stack whose process is idle.
        @Test(arguments: [true, false]) @MainActor
        func `lists and objects follow another process`(listens: Bool) async throws {
            let stack = try await stack {
                $0.listens = listens
                // Either of them alone.
                $0.pollInterval = listens ? .seconds(3_600) : .milliseconds(100)
            }
            try await fill(stack)
            let World = try MainContext(stack: stack)
            let rich = try World.fetchedResults(Wallet.self, %"coins" >= 100, orderBy: .Ascending("owner"))
            #expect(rich.objects.map(\.owner) == ["Abbot", "Monk"])
            let held = try World.fetch(Wallet.self, %"owner" == "Monk")
            var changes = rich.changes.makeAsyncIterator()
            let other = try await self.stack()
            try await pay(-5, to: "Monk", in: other)
            _ = await changes.next()
            #expect(rich.objects.map(\.owner) == ["Abbot"] && held.coins == 95)
            try await pay(7, to: "Monk", in: other)
            _ = await changes.next()
            #expect(rich.objects.map(\.owner) == ["Abbot", "Monk"] && held.coins == 102)
        }

        @Test @MainActor func `reads on the main actor end soon if the server does not answer`() async throws {
            let (proxy, stack) = (FaultyProxy(try PostgresServer.shared.get()), try Stack(Wallet.self))
            var options = options
            options.mainActorTimeout = .seconds(1)
            let url = "postgresql://postgres@127.0.0.1:\(proxy.port)/postgres?sslmode=disable"
            try await stack.addServerStore(url, options: options)
            try await fill(stack)
            // Opens a connection, for which the main actor might not wait long enough.
            _ = try await Context(stack: stack).read { try $0.count(Wallet.self) }
            let World = try MainContext(stack: stack)
            let wallet = try World.fetch(Wallet.self, %"owner" == "Monk")
            World.managedObjectContext.endTurn()
            let (isOver, watching) = (DispatchSemaphore(value: 0), DispatchGroup())
            Thread.detachNewThread(in: watching) {
                #expect(isOver.wait(timeout: .now() + 60) == .success)
                proxy.cut()
            }
            proxy.setFault(.init(direction: .toClient, byteCount: 0, effect: .stall))
            let error = #expect(throws: StoreError.self) { try World.fetchAll(Wallet.self) }
            #expect(error?.code == .timeout)
            #expect(throws: StoreError.self) { try World.count(Wallet.self) }
            isOver.signal()
            watching.wait()
            withExtendedLifetime(wallet) {}
        }

        @Test @MainActor func `a list follows a process of its own`() async throws {
            let stack = try await stack()
            try await fill(stack)
            let World = try MainContext(stack: stack)
            let poor = try World.fetchedResults(Wallet.self, %"coins" < 100, orderBy: .Ascending("owner"))
            var changes = poor.changes.makeAsyncIterator()
            let (url, schemaName) = (url, options.schemaName)
            async let exit = #expect(processExitsWith: .success) {
                [url = url as String, schemaName = schemaName as String] in
                var options = ServerStoreOptions()
                options.schemaName = schemaName
                let stack = try Stack(Wallet.self)
                try await stack.addServerStore(url, options: options)
                try await Context(stack: stack).update { update in
                    try update.fetch(Wallet.self, %"owner" == "Monk").coins = 1
                    try update.commit()
                }
                try await stack.closeStores()
            }
            _ = await changes.next()
            #expect(poor.objects.map(\.owner) == ["Monk"] && poor.objects.map(\.coins) == [1])
            _ = await exit
        }

        // MARK: Opening

        @Test(arguments: [
            ("postgresql://app:tr0ub4dor@127.0.0.1:1/shop", "refused. Check the server"),
            ("postgresql://app:tr0ub4@dor@127.0.0.1/shop", "Percent-encode"),
            ("mysql://app:tr0ub4dor@127.0.0.1/shop", "postgresql://"),
        ])
        func `a URL that leads nowhere is refused without its password`(url: String, part: String) async throws {
            let stack = try Stack(Wallet.self)
            let error = await #expect(throws: StoreError.self) { try await stack.addServerStore(url) }
            let text = "\(String(describing: error)) \(String(reflecting: error))"
            #expect(error?.code == .openFailed && text.contains(part) && !text.contains("tr0ub4"), "\(text)")
            #expect(stack.storeDescriptions.isEmpty)
        }

        @Test func `a store on a server is its stack's only one, and can be removed`() async throws {
            let stack = try await stack()
            #expect(stack.storeDescriptions.map(\.type) == [.server] && stack.storeDescriptions[0].url == nil)
            await #expect(throws: StoreError.self) { try await stack.addServerStore(url, options: options) }
            await #expect(throws: StoreError.self) { try await stack.addStore(.inMemory()) }
            try await fill(stack)
            try await stack.removeStore(at: nil)
            try stack.addInMemoryStore()
            await #expect(throws: StoreError.self) { try await stack.addServerStore(url, options: options) }
            #expect(try await coins(of: "Monk", in: try await self.stack()) == 100)
        }
    }

    final class Wallet: ManagedObject {
        var owner: String {
            get { property(at: 0) }
            set { setProperty(newValue, at: 0) }
        }
        var coins: Int {
            get { property(at: 1) }
            set { setProperty(newValue, at: 1) }
        }
        override nonisolated class var entityDeclaration: EntityDeclaration? {
            EntityDeclaration(
                "Wallet", class: Wallet.self,
                properties: [
                    .property("owner", String.self, default: "", options: [.unique]),
                    .property("coins", Int.self, default: 0, options: [.minimum(0)]),
                ])
        }
        override nonisolated class var keyNames: [AnyKeyPath: String] {
            [\Wallet.owner: "owner", \Wallet.coins: "coins"]
        }
    }
#endif
