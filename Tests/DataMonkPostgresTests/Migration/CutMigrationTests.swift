#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Migrations whose connection is cut at any byte.
    @Suite struct CutMigrationTests {
        private static func model(_ properties: [PropertyDescription] = []) throws -> ManagedObjectModel {
            try ManagedObjectModel(entities: [
                EntityDescription(
                    "Monk", properties: [.attribute(AttributeDescription("name", .string))] + properties)
            ])
        }

        private static func url(of proxy: FaultyProxy) -> String {
            "postgresql://postgres@127.0.0.1:\(proxy.port)/postgres?sslmode=disable"
        }

        /// A store with an object.
        private func filled() throws -> MigrationStore {
            let stage = try MigrationStore()
            let context = try stage.context(try Self.model())
            try context.add("Monk", ["name": "a"])
            try context.save()
            context.endTurn()
            return stage
        }

        /// Migrates through a proxy, and returns the bytes that pass.
        private func byteCount(_ direction: FaultyProxy.Direction, to new: ManagedObjectModel) throws -> Int {
            let (stage, proxy) = (try filled(), FaultyProxy(try PostgresServer.shared.get()))
            #expect(try !stage.call(new, isPlan: false, url: Self.url(of: proxy)).isEmpty)
            return direction == .toServer ? proxy.counts.toServer : proxy.counts.toClient
        }

        @Test(arguments: [FaultyProxy.Direction.toServer, .toClient])
        func `a migration that is cut at any byte tells the truth`(direction: FaultyProxy.Direction) throws {
            let new = try Self.model([
                .attribute(AttributeDescription("rank", .integer64, isOptional: false, defaultValue: 7))
            ])
            let total = try byteCount(direction, to: new)
            let proxy = FaultyProxy(try PostgresServer.shared.get())
            // The end, with the commit, the flush and the notification, in small steps.
            let end = total - 700
            let counts = Array(stride(from: 100, to: end, by: total / 25)) + Array(stride(from: end, to: total, by: 11))
            var committed = 0
            for count in counts {
                let stage = try filled()
                // Another connection is not cut.
                proxy.setFault(
                    FaultyProxy.Fault(
                        direction: direction, byteCount: count, effect: .close, action: { proxy.setFault(nil) }))
                do {
                    _ = try stage.call(new, isPlan: false, url: Self.url(of: proxy))
                    committed += 1
                    #expect(try stage.context(new).values("Monk", "rank") == [7], "\(count)")
                } catch let error as StoreError {
                    #expect(error.code != .outcomeUnknown, "\(count)")
                    #expect(try stage.context(Self.model()).values("Monk", "name") == ["a"], "\(count)")
                    #expect(try !stage.call(new, isPlan: false).isEmpty, "\(count)")
                }
            }
            // Cut behind the commit, or in its answer.
            #expect(committed > 0 && committed < counts.count)
        }

        @Test func `a migration ends on the server when its process is gone, whatever statement runs`() throws {
            let (stage, proxy) = (try filled(), FaultyProxy(try PostgresServer.shared.get()))
            let watch = try stage.watching()
            try stage.holdOrder()
            let (done, result) = (DispatchGroup(), Locked<StoreError?>(nil))
            let (url, name) = (Self.url(of: proxy), stage.namespace.name)
            let new = try Self.model([.attribute(AttributeDescription("rank", .integer64))])
            Thread.detachNewThread(in: done) {
                let error = #expect(throws: StoreError.self) {
                    try ServerStoreOpener.migrate(
                        url, schemaName: name, to: new, configuration: nil, discarding: [], settings: .patient(),
                        isPlan: false, report: { Issue.record($0) })
                }
                result.withLock { $0 = error }
            }
            let isOver: () -> Bool = { result.withLock { $0 != nil } }
            let process = try #require(try watch.waitForOrder(isOver))
            proxy.cut()
            done.wait()
            // The server looks every five seconds.
            try watch.run("SET lock_timeout TO '60s'")
            try watch.run("BEGIN")
            try watch.run("LOCK TABLE \(stage.table("monk")) IN ACCESS SHARE MODE")
            #expect(try watch.numbers("SELECT count(*) FROM pg_locks WHERE pid = \(process)") == [0])
        }

        /// In the answer of the commit, and in that of the flush behind it.
        @Test(arguments: [390, 250])
        func `a migration whose commit nobody can be asked for has an unknown outcome`(fromEnd: Int) throws {
            let new = try Self.model([.attribute(AttributeDescription("rank", .integer64))])
            let total = try byteCount(.toClient, to: new)
            let (stage, proxy) = (try filled(), FaultyProxy(try PostgresServer.shared.get()))
            var settings = ServerStoreSettings.patient()
            settings.lookUpTimeout = .milliseconds(100)
            // Before the connection ends, so that no other one is answered.
            proxy.setFault(
                FaultyProxy.Fault(direction: .toClient, byteCount: total - fromEnd, effect: .close, action: proxy.cut))
            let error = #expect(throws: StoreError.self) {
                try stage.call(new, isPlan: false, settings: settings, url: Self.url(of: proxy))
            }
            #expect(error?.code == .outcomeUnknown)
            if fromEnd == 390 {
                // The reason of the look-up is told, behind that of the commit.
                #expect((error?.underlyingError as? PostgresFailure)?.isConnectionLost == false)
                #expect(error?.message.contains("could not be asked for the commit afterwards") == true)
            }
            #expect(try stage.call(new, isPlan: false).isEmpty)
        }
    }
#endif
