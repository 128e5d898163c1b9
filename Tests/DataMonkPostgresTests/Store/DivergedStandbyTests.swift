#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// A standby that has gone on with commits which the primary has lost.
    @Suite struct DivergedStandbyTests: StandbySuite {
        let pair: PostgresPair
        private let proxy: FaultyProxy

        init() throws {
            pair = try PostgresPair()
            proxy = FaultyProxy(pair.primary)
        }

        /// Opens the store as a process that reaches the primary by the proxy.
        private func coordinator() throws -> (PersistentStoreCoordinator, Locked<[String]>) {
            var url = proxy.url
            url.hosts += pair.standby.url().hosts
            url.parameters["target_session_attrs"] = "prefer-standby"
            let coordinator = try coordinator(at: url)
            let reports = Locked<[String]>([])
            coordinator.directory.setErrorHandler { error in reports.withLock { $0.append("\(error)") } }
            return (coordinator, reports)
        }

        private func isReadFromStandby(_ coordinator: PersistentStoreCoordinator) throws -> Bool {
            let reader = try #require(coordinator.stores[0].openReplicaReader { nil } as? ServerReader)
            defer { reader.end() }
            return try reader.run(PostgresStatement("SELECT pg_is_in_recovery() FROM pg_sleep(0.03)"))
                .required(row: 0, column: 0)
        }

        /// Lets the primary lose the row of the log with a number, which the standby keeps: as if another one had taken over.
        private static func loseRow(_ number: Int, of pair: PostgresPair) throws {
            let row = "FROM items._log WHERE number = \(number)"
            while try pair.standby.run("SELECT count(*) \(row)").column(of: Int64.self) == [0] {}
            try pair.primary.run("ALTER SYSTEM SET synchronous_standby_names TO ''")
            try pair.primary.run("SELECT pg_reload_conf()")
            try pair.detachStandby()
            try pair.primary.run("DELETE \(row)")
        }

        @Test func `a lost commit that a standby still has is read no more`() throws {
            let (coordinator, reports) = try coordinator()
            for number in 1...2 { try save(Int64(number), in: coordinator) }
            while try !isReadFromStandby(coordinator) {}
            try Self.loseRow(2, of: pair)
            try pair.primary.run("DELETE FROM items.item WHERE number = 2")
            // The primary tells.
            coordinator.lookForForeignCommits()
            for _ in 0..<5 {
                #expect(try numbers(coordinator) == [1])
                #expect(try !isReadFromStandby(coordinator))
                coordinator.lookForForeignCommits()
            }
            try save(3, in: self.coordinator().0)
            coordinator.lookForForeignCommits()
            for _ in 0..<5 {
                #expect(try numbers(coordinator) == [1, 3])
                #expect(try !isReadFromStandby(coordinator))
            }
            #expect(reports.withLock { $0.count } == 1)
        }

        @Test func `a commit that was kept out is not read from a standby that has it`() throws {
            let (coordinator, _) = try coordinator()
            let store = try #require(coordinator.stores[0] as? ServerStore)
            func commit() throws {
                let transaction = try store.beginTransaction()
                defer { transaction.end() }
                try transaction.commit()
            }
            try commit()
            proxy.setFault(nil)
            try commit()
            let answerCount = proxy.counts.toClient
            while try !isReadFromStandby(coordinator) { coordinator.lookForForeignCommits() }
            // The last answers are those of the commit, the flush and the notification.
            let (pair, proxy) = (pair, proxy)
            proxy.setFault(
                .init(direction: .toClient, byteCount: answerCount - 350, effect: .close) {
                    #expect(throws: Never.self) { try Self.loseRow(3, of: pair) }
                    proxy.setFault(nil)
                })
            #expect(throws: StoreError.self) { try commit() }
            let fences = try pair.primary.run("SELECT is_fence FROM items._log ORDER BY number").column(of: Bool.self)
            #expect(fences == [false, false, true])
            for _ in 0..<5 { #expect(try !isReadFromStandby(coordinator)) }
        }
    }
#endif
