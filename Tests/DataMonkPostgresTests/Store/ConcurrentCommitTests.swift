#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Commits of others between the beginning of a transaction and its writes.
    @Suite struct ConcurrentCommitTests {
        private let stage: ItemStore

        init() throws { stage = try ItemStore() }

        /// Runs `body` while another transaction holds the rows of a table, which commits changes as soon as `body` waits.
        private func whileHolding(
            _ table: String, andThen statements: [String], _ body: () throws -> Void
        ) throws {
            try stage.run("BEGIN")
            try stage.run("SELECT _id FROM \(stage.namespace.qualified(table)) FOR UPDATE")
            let process = stage.connection.serverProcessID
            // nonisolated(unsafe): the other thread has the stage until it ends; `body` waits for its commit.
            nonisolated(unsafe) let stage = stage
            nonisolated(unsafe) let watching = try PostgresServer.shared.get().connect()
            let end = Wakeup<Void>()
            Thread.detachNewThread {
                defer { end.wake(with: ()) }
                #expect(throws: Never.self) {
                    try watching.wait(forProcess: "\(process) = ANY (pg_blocking_pids(pid))")
                    for statement in statements { try stage.run(statement) }
                    try stage.appendToLog()
                    try stage.run("COMMIT")
                }
            }
            // Also when `body` throws: the caller uses the connection next.
            defer { #expect(end.wait(until: farDeadline) != nil) }
            try body()
        }

        @Test func `an object that others begin to refer to is not deleted`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            let (tag, item) = (try context.insert("Tag"), try context.insert("Item", number: 1))
            try context.save()
            context.delete(tag)
            let links = try stage.run(
                """
                SELECT relname::text FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace \
                WHERE nspname = '\(stage.namespace.name)' AND relkind = 'r' AND relname LIKE '%tag%' AND relname <> 'tag'
                """
            ).column(of: String.self)
            let table = stage.namespace.qualified(try #require(links.first))
            // Whichever column comes first.
            #expect(item.objectKey.primaryKey == 1 && tag.objectKey.primaryKey == 1)
            #expect(throws: SaveError.self) {
                try whileHolding("tag", andThen: ["INSERT INTO \(table) VALUES (1, 1)"]) { try context.save() }
            }
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.namespace.qualified("tag"))") == [1])
            #expect(try stage.numbers("SELECT count(*) FROM \(table)") == [1])
        }

        @Test func `an object that others delete is not referred to`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            let (label, item) = (try context.insert("Label"), try context.insert("Item", number: 1))
            try context.save()
            try item.setValue(.object(label.anyObjectID), forKey: "label")
            #expect(throws: SaveError.self) {
                try whileHolding("item", andThen: ["DELETE FROM \(stage.namespace.qualified("label"))"]) {
                    try context.save()
                }
            }
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.items) WHERE label IS NOT NULL") == [0])
        }

        @Test func `an increment of what others change meanwhile meets no conflict`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get(), delay: .milliseconds(20))
            let context = ManagedObjectContext(coordinator: try stage.coordinator(proxy.url))
            let item = try context.insert("Item", number: 1)
            try context.save()
            let change = "UPDATE \(stage.items) SET number = number + 10, _version = _version + 1"
            var rounds: Int64 = 0
            let count = try proxy.fewestRoundTrips(downTo: 3) {
                rounds += 1
                try whileHolding("item", andThen: [change]) {
                    try item.incrementValue(forKey: "number", by: 1)
                    try context.save()
                }
            }
            // To begin and lock, to read, and to write and commit; a conflict would take them twice.
            #expect(count == 3)
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [1 + 11 * rounds])
        }

        @Test func `increments of many objects are read together`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get(), delay: .milliseconds(20))
            let context = ManagedObjectContext(coordinator: try stage.coordinator(proxy.url))
            let items = try (1...50).map { try context.insert("Item", number: 1_000 * $0) }
            try context.save()
            var rounds: Int64 = 0
            let count = try proxy.fewestRoundTrips(downTo: 3) {
                rounds += 1
                try stage.run(
                    "UPDATE \(stage.items) SET number = number + 10, _version = _version + 1 WHERE number / 1000 = 7")
                try stage.appendToLog()
                for item in items { try item.incrementValue(forKey: "number", by: 1) }
                try context.save()
            }
            // One by one, they would take fifty.
            #expect(count == 3)
            let numbers = try stage.numbers("SELECT number FROM \(stage.items) ORDER BY number")
            #expect(numbers == (1...50).map { 1_000 * $0 + ($0 == 7 ? 11 : 1) * rounds })
        }

        @Test func `increments of objects that nobody has changed read no row`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get())
            let context = ManagedObjectContext(coordinator: try stage.coordinator(proxy.url))
            let items = try (1...50).map { (number: Int64) in
                let item = try context.insert("Item", number: number)
                try item.setValue(.string(String(repeating: "a", count: 2_000) + "\(number)"), forKey: "code")
                return item
            }
            try context.save()
            for item in items { try item.incrementValue(forKey: "number", by: 1) }
            proxy.setFault(nil)
            try context.save()
            #expect(proxy.counts.toClient < 50_000, "\(proxy.counts.toClient)")
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY number") == Array(2...51))
        }

        @Test func `a batch deletion leaves alone what others have just moved to another owner`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            let boxes = try (0..<2).map { _ in try context.insert("Box") }
            let item = try context.insert("Item", number: 1)
            try item.setValue(.object(boxes[0].anyObjectID), forKey: "box")
            try context.save()
            let other = boxes[1].objectKey.primaryKey
            let request = BatchDeleteRequest(objectIDs: [boxes[0].anyObjectID])
            let change = "UPDATE \(stage.items) SET box = \(other), _version = _version + 1"
            try whileHolding("item", andThen: [change]) { _ = try context.execute(request) }
            #expect(try stage.numbers("SELECT _id FROM \(stage.namespace.qualified("box"))") == [other])
            #expect(try stage.numbers("SELECT coalesce(box, 0) FROM \(stage.items)") == [other])
        }

        private var upsert: BatchInsertRequest {
            var request = BatchInsertRequest(entityName: "Item", objects: [["code": "a", "number": 5]])
            request.duplicates = .updated
            return request
        }

        @Test func `an upsert is of the object that others have just changed`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            try context.insert("Item", number: 1).setValue("a", forKey: "code")
            try context.save()
            let change = "UPDATE \(stage.items) SET number = number + 10, _version = _version + 1"
            try whileHolding("item", andThen: [change]) { _ = try context.execute(upsert) }
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [5])
            #expect(try stage.numbers("SELECT _version FROM \(stage.items)") == [3])
        }

        @Test func `an upsert leaves the object whose unique value others have just changed`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            try context.insert("Item", number: 1).setValue("a", forKey: "code")
            try context.save()
            let change = "UPDATE \(stage.items) SET code = 'b', _version = _version + 1"
            try whileHolding("item", andThen: [change]) { _ = try context.execute(upsert) }
            #expect(try stage.numbers("SELECT number FROM \(stage.items) ORDER BY code DESC") == [1, 5])
        }

        @Test func `an upsert inserts the object that others have just deleted`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            try context.insert("Item", number: 1).setValue("a", forKey: "code")
            try context.save()
            try whileHolding("item", andThen: ["DELETE FROM \(stage.items)"]) { _ = try context.execute(upsert) }
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [5])
            #expect(try context.all("Item").map { try $0.value(forKey: "number") } == [5])
        }

        private var increment: BatchUpdateRequest {
            BatchUpdateRequest(entityName: "Item", propertiesToUpdate: ["number": .keyPath("number") + 1])
        }

        @Test func `a batch update is of the values that others have just committed`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            _ = try context.insert("Item", number: 1)
            try context.save()
            let change = "UPDATE \(stage.items) SET number = number + 10, _version = _version + 1"
            try whileHolding("item", andThen: [change]) { _ = try context.execute(increment) }
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [12])
        }

        @Test func `a batch deletion spares what others have just changed`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            for number in 1...2 { _ = try context.insert("Item", number: Int64(number)) }
            try context.save()
            let change = "UPDATE \(stage.items) SET number = 10, _version = _version + 1 WHERE number = 1"
            let doomed = FetchRequest(entityName: "Item", condition: .compare("number", .lessThan, 5))
            try whileHolding("item", andThen: [change]) {
                let deleted = try context.execute(BatchDeleteRequest(fetchRequest: doomed))
                #expect(deleted.count == 1)
            }
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [10])
        }

        @Test func `batch updates of several processes count all`() async throws {
            let first = ManagedObjectContext(coordinator: try stage.coordinator())
            for _ in 0..<20 { _ = try first.insert("Item") }
            try first.save()
            let coordinators = try (0..<3).map { _ in try stage.coordinator() }
            let (increment, rounds) = (increment, 10 * testEffort)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for coordinator in coordinators {
                    group.addTask {
                        let context = ManagedObjectContext(coordinator: coordinator)
                        for _ in 0..<rounds { _ = try context.execute(increment) }
                    }
                }
                try await group.waitForAll()
            }
            let numbers = try stage.numbers("SELECT DISTINCT number FROM \(stage.items)")
            #expect(numbers == [Int64(3 * rounds)])
        }
    }
#endif
