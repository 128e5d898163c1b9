#if Postgres
    import DataMonk
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// A main context whose server does not answer any more, although its connections stay.
    @MainActor @Suite struct CutNetworkTests {
        @Test func `reads on the main actor fail, and go on once the network is back`() async throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get())
            var options = ServerStoreOptions()
            options.schemaName = "cut_\(UUID().uuidString)"
            options.mainActorTimeout = .seconds(1)
            options.readConnectionCount = 2
            let stack = try Stack(BankAccount.self)
            try await stack.addServerStore(
                "postgresql://postgres@127.0.0.1:\(proxy.port)/postgres?sslmode=disable", options: options)
            stack.onError { _ in }
            // Opens a connection, for which the main actor might not wait long enough.
            _ = try await Context(stack: stack).read { try $0.count(BankAccount.self) }
            let World = try MainContext(stack: stack)
            #expect(try World.fetchAll(BankAccount.self).isEmpty)
            proxy.setFault(.init(direction: .toClient, byteCount: 0, effect: .stall))
            var times: [Duration] = []
            for _ in 0..<4 * testEffort {
                await Task.yield()
                let start = ContinuousClock.now
                #expect(throws: StoreError.self) { try World.fetchAll(BankAccount.self) }
                times.append(start.duration(to: .now))
            }
            times.sort()
            print("Reads on the main actor without a network: \(times.count), p99 \(times[times.count * 99 / 100])")
            proxy.setFault(nil)
            var isBack = false
            while !isBack {
                await Task.yield()
                isBack = (try? World.fetchAll(BankAccount.self)) != nil
            }
            try await stack.closeStores()
            withExtendedLifetime(proxy) {}
        }
    }
#endif
