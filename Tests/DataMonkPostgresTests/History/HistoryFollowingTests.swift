#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Followers of a history on a server: tokens, deletion, and commits that are lost.
    @Suite struct HistoryFollowingTests {
        private let stage: ItemStore

        init() throws { stage = try ItemStore() }

        private func coordinator(_ url: ServerURL? = nil) throws -> PersistentStoreCoordinator {
            try stage.coordinator(url, options: .patient().trackingHistory())
        }

        @discardableResult
        private static func insertItem(
            _ number: Int64, in coordinator: PersistentStoreCoordinator, by author: String? = nil
        ) throws -> AnyObjectID {
            let context = ManagedObjectContext(coordinator: coordinator)
            context.transactionAuthor = author
            let item = try context.insert("Item", number: number)
            try context.save()
            return item.anyObjectID
        }

        private func expectExpired(_ body: () throws -> Void) {
            let error = #expect(throws: StoreError.self, performing: body)
            #expect(error?.code == .historyTokenExpired)
        }

        // MARK: Tokens

        @Test func `a token of one process continues in another one, as data`() throws {
            let coordinators = try (0..<2).map { _ in try coordinator() }
            #expect(try coordinators[0].currentHistoryToken() == nil)
            for number in 1...4 {
                try Self.insertItem(Int64(number), in: coordinators[number % 2], by: "\(number % 2)")
            }
            let all = try coordinators[0].history()
            #expect(all.map(\.author) == ["1", "0", "1", "0"])
            #expect(try coordinators[1].history().map(\.token) == all.map(\.token))
            let data = try JSONEncoder().encode(all[1].token)
            let token = try JSONDecoder().decode(HistoryToken.self, from: data)
            #expect(token == all[1].token)
            #expect(try coordinators[1].history(after: token).map(\.transactionNumber) == [3, 4])
            #expect(try coordinators[1].currentHistoryToken() == all[3].token)
            #expect(try coordinators[1].history(after: coordinators[1].currentHistoryToken()).isEmpty)
            #expect(token.merging(all[3].token) == all[3].token && all[3].token.merging(token) == all[3].token)
        }

        @Test func `results have what was asked for`() throws {
            let coordinator = try coordinator()
            for number in 1...3 { try Self.insertItem(Int64(number), in: coordinator, by: number == 2 ? "two" : nil) }
            var request = HistoryRequest.fetchHistory(after: nil)
            request.resultType = .transactions
            let transactions = try coordinator.execute(request).transactions
            #expect(transactions.map(\.changes.count) == [0, 0, 0])
            request = .fetchHistory(
                matching: FetchRequest(entityName: "Transaction", condition: .compare("author", .equal, "two")))
            #expect(try coordinator.execute(request).transactions.map(\.transactionNumber) == [2])
            let dates = [transactions[1].timestamp, .distantPast, .distantFuture, Date(timeIntervalSince1970: 1e15)]
            let counts = try dates.map { try coordinator.execute(.fetchHistory(after: $0)).transactions.count }
            #expect(counts == [1, 3, 0, 0])
            #expect(transactions[0].processID == ProcessInfo.processInfo.processName)
        }

        @Test func `a follower sees each commit of several writers once`() async throws {
            let rounds = 60 * testEffort
            let follower = try coordinator()
            let writers = try (0..<3).map { _ in try coordinator() }
            let left = Locked(writers.count)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, writer) in writers.enumerated() {
                    group.addTask {
                        defer { left.withLock { $0 -= 1 } }
                        for round in 0..<rounds {
                            try Self.insertItem(Int64(index * rounds + round), in: writer, by: "\(index) \(round)")
                        }
                    }
                }
                group.addTask {
                    var (token, seen): (HistoryToken?, [HistoryTransaction]) = (nil, [])
                    var isOver = false
                    while !isOver {
                        // Before the last look.
                        isOver = left.withLock { $0 == 0 }
                        let new = try follower.history(after: token)
                        seen += new
                        token = new.last?.token ?? token
                    }
                    #expect(seen.map(\.transactionNumber) == (1...Int64(3 * rounds)).map { $0 })
                    let authors = (0..<3).flatMap { index in (0..<rounds).map { "\(index) \($0)" } }
                    #expect(seen.compactMap(\.author).sorted() == authors.sorted())
                    #expect(seen.allSatisfy { $0.changes.count == 1 })
                }
                try await group.waitForAll()
            }
        }

        // MARK: Deletion

        @Test func `the transactions before a token are deleted, and their tokens have expired`() throws {
            let coordinator = try coordinator()
            for number in 1...4 { try Self.insertItem(Int64(number), in: coordinator) }
            let all = try coordinator.history()
            for count in [2, 0] {
                #expect(try coordinator.execute(.deleteHistory(before: all[2])).count == count)
            }
            #expect(try coordinator.history() == Array(all[2...]))
            #expect(try coordinator.history(after: all[2].token) == [all[3]])
            expectExpired { _ = try coordinator.history(after: all[1].token) }
            // An expired token deletes nothing.
            #expect(try coordinator.execute(.deleteHistory(before: all[1])).count == 0)
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.changes)") == [2])
        }

        @Test func `a history that was deleted as a whole goes on with new numbers`() throws {
            let coordinator = try coordinator()
            for number in 1...2 { try Self.insertItem(Int64(number), in: coordinator) }
            let all = try coordinator.history()
            for count in [2, 0] {
                #expect(try coordinator.execute(.deleteHistory(before: Date.distantFuture)).count == count)
                #expect(try coordinator.history().isEmpty && coordinator.currentHistoryToken() == nil)
            }
            expectExpired { _ = try coordinator.history(after: all[1].token) }
            try Self.insertItem(3, in: self.coordinator())
            #expect(try coordinator.history().map(\.transactionNumber) == [3])
            #expect(try coordinator.history().flatMap { $0.changes.map(\.changeID) } == [3])
            #expect(try coordinator.execute(.deleteHistory(before: Date.distantPast)).count == 0)
            #expect(try coordinator.execute(.deleteHistory(before: coordinator.history()[0])).count == 0)
            #expect(try stage.numbers("SELECT number FROM \(stage.history)") == [3])
        }

        @Test func `a deletion that others are in the way of is repeated, and counts once`() throws {
            let coordinator = try coordinator()
            for number in 1...3 { try Self.insertItem(Int64(number), in: coordinator) }
            let (function, attempts) = (stage.namespace.qualified("refuse"), stage.namespace.qualified("attempts"))
            try stage.run("CREATE SEQUENCE \(attempts)")
            // The first commit, after the deletion. Sequences are not rolled back.
            try stage.run(
                """
                CREATE FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN \
                IF nextval('\(attempts)') = 1 THEN RAISE EXCEPTION 'refused' USING ERRCODE = '40P01'; END IF; \
                RETURN NULL; END $$
                """)
            try stage.run(
                """
                CREATE CONSTRAINT TRIGGER refuse AFTER DELETE ON \(stage.changes) DEFERRABLE INITIALLY DEFERRED \
                FOR EACH ROW EXECUTE FUNCTION \(function)()
                """)
            #expect(try coordinator.execute(.deleteHistory(before: Date.distantFuture)).count == 3)
            #expect(try stage.numbers("SELECT last_value FROM \(attempts)") == [4])
        }

        @Test func `a reader sees what is deleted meanwhile`() throws {
            let coordinator = try coordinator()
            for number in 1...3 { try Self.insertItem(Int64(number), in: coordinator) }
            let reader = try coordinator.stores[0].openReader()
            defer { reader.end() }
            try self.coordinator().execute(.deleteHistory(before: Date.distantFuture))
            let records = try #require(try reader.history(after: .start, includingChanges: true))
            #expect(records.map(\.changes.count) == [1, 1, 1])
            #expect(try coordinator.history().isEmpty)
        }

        @Test func `processes that delete and write at a time lose no transaction`() async throws {
            let rounds = 20 * testEffort
            let coordinators = try (0..<3).map { _ in try coordinator() }
            let deleted = Locked(0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, coordinator) in coordinators.enumerated() {
                    group.addTask {
                        for round in 0..<rounds {
                            try Self.insertItem(Int64(index * rounds + round), in: coordinator)
                            let count = try coordinator.execute(.deleteHistory(before: Date.distantFuture)).count
                            deleted.withLock { $0 += count }
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try deleted.withLock(\.self) + coordinators[0].history().count == 3 * rounds)
            #expect(try stage.numbers("SELECT max(number) FROM \(stage.history)") == [Int64(3 * rounds)])
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.changes)") == [0])
        }

        // MARK: Commits that are lost

        /// Loses the last transaction, as a failover to a standby without it does.
        private func loseLastCommit() throws {
            for table in [stage.items, stage.changes] {
                try stage.run("DELETE FROM \(table) WHERE ctid = (SELECT max(ctid) FROM \(table))")
            }
            for table in [stage.log, stage.history] {
                try stage.run("DELETE FROM \(table) WHERE number = (SELECT max(number) FROM \(table))")
            }
        }

        @Test func `a token of a lost commit has expired, though another commit has its number`() throws {
            let coordinator = try coordinator()
            for number in 1...2 { try Self.insertItem(Int64(number), in: coordinator) }
            let all = try coordinator.history()
            try loseLastCommit()
            for _ in 0..<2 {
                expectExpired { _ = try coordinator.history(after: all[1].token) }
                // Those that took the place of lost ones were perhaps never read.
                expectExpired { try coordinator.execute(.deleteHistory(before: all[1])) }
                #expect(try coordinator.history(after: all[0].token).count == coordinator.history().count - 1)
                try Self.insertItem(3, in: self.coordinator())
            }
            #expect(try coordinator.history().map(\.transactionNumber) == [1, 2, 3])
        }

        @Test
        func `a transaction that is killed before its commit leaves nothing, and is recorded once it is repeated`()
            throws
        {
            let coordinator = try coordinator()
            try Self.insertItem(1, in: coordinator)
            try stage.holdOrder()
            let done = DispatchGroup()
            Thread.detachNewThread(in: done) { try Self.insertItem(2, in: coordinator, by: "repeated") }
            let other = try PostgresServer.shared.get().connect()
            let isWaiting = "\(stage.connection.serverProcessID) = ANY (pg_blocking_pids(pid))"
            try other.wait(forProcess: isWaiting)
            _ = try other.run(
                PostgresStatement("SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity WHERE \(isWaiting)"),
                until: farDeadline)
            // The save is tried once more, on another connection.
            try other.wait(forProcess: isWaiting)
            let reader = try self.coordinator()
            #expect(try reader.history().map(\.transactionNumber) == [1])
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.changes)") == [1])
            try stage.openGate()
            done.wait()
            #expect(try reader.history().map(\.author) == [nil, "repeated"])
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.changes)") == [2])
        }

        @Test(arguments: [FaultyProxy.Direction.toServer, .toClient])
        func `a save that is cut at any byte is recorded once, or not at all`(
            direction: FaultyProxy.Direction
        ) throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get())
            let coordinator = try coordinator(proxy.url)
            let context = ManagedObjectContext(coordinator: coordinator)
            var (byteCount, refusedCount) = (0, 0)
            while true {
                let (proxy, happened) = (proxy, Locked(false))
                proxy.setFault(
                    .init(direction: direction, byteCount: byteCount, effect: .close) {
                        // Once: the look-up gets through.
                        happened.withLock { $0 = true }
                        proxy.setFault(nil)
                    })
                _ = try context.insert("Item", number: Int64(byteCount))
                do {
                    try context.save()
                } catch {
                    refusedCount += 1
                    context.rollback()
                }
                if !happened.withLock(\.self) { break }
                byteCount += testEffort > 1 ? 1 : 29
            }
            proxy.setFault(nil)
            let recorded = try coordinator.history().map { $0.changes.map(\.changedObjectID.key.primaryKey) }
            #expect(refusedCount > 0 && recorded.allSatisfy { $0.count == 1 })
            #expect(try recorded.joined().sorted() == stage.numbers("SELECT _id FROM \(stage.items) ORDER BY 1"))
        }

        @Test func `a commit of unknown outcome is in the history once it is found`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get())
            var settings = ServerStoreSettings.patient().trackingHistory()
            settings.lookUpTimeout = .milliseconds(100)
            let coordinator = try stage.coordinator(proxy.url, options: settings)
            try Self.insertItem(1, in: coordinator)
            proxy.setFault(nil)
            try Self.insertItem(2, in: coordinator)
            // Within the answers of the commit, the flush and the notification.
            proxy.setFault(.init(direction: .toClient, byteCount: proxy.counts.toClient - 350, effect: .close))
            let error = #expect(throws: StoreError.self) { try Self.insertItem(3, in: coordinator) }
            #expect(error?.code == .outcomeUnknown)
            proxy.setFault(nil)
            let again = #expect(throws: StoreError.self) { try Self.insertItem(3, in: coordinator) }
            #expect(again?.code == .outcomeUnknown)
            try Self.insertItem(4, in: coordinator)
            #expect(try coordinator.history().map(\.transactionNumber) == [1, 2, 3, 4])
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY 1") == [1, 2, 3, 4])
        }
    }
#endif
