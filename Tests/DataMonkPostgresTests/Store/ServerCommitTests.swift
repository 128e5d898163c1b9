#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Commits to a server: what they write, how many round trips they take, and what others see of them.
    @Suite struct ServerCommitTests {
        private let stage: ItemStore

        init() throws { stage = try ItemStore() }

        @Test func `what one process saves, another one sees`() throws {
            let writing = ManagedObjectContext(coordinator: try stage.coordinator())
            let reading = ManagedObjectContext(coordinator: try stage.coordinator())
            #expect(try reading.all("Item").isEmpty)
            reading.endTurn()
            let box = try writing.insert("Box")
            for number in 1...3 {
                try writing.insert("Item", number: Int64(number)).setValue(.object(box.anyObjectID), forKey: "box")
            }
            try writing.save()
            let found = try reading.all("Item")
            #expect(try found.map { try $0.value(forKey: "number") } == [1, 2, 3])
            #expect(try reading.all("Box")[0].objects(forKey: "items").count == 3)
            reading.endTurn()
            try found[0].setValue(7, forKey: "number")
            try reading.save()
            #expect(try writing.all("Item").map { try $0.value(forKey: "number") } == [7, 2, 3])
            #expect(try stage.numbers("SELECT number FROM \(stage.log) ORDER BY 1") == [1, 2])
        }

        @Test func `a change of what another process has changed is a conflict`() throws {
            let first = ManagedObjectContext(coordinator: try stage.coordinator())
            let second = ManagedObjectContext(coordinator: try stage.coordinator())
            _ = try first.insert("Item", number: 1)
            try first.save()
            let (one, other) = (try first.all("Item")[0], try second.all("Item")[0])
            try one.setValue(2, forKey: "number")
            try other.setValue(3, forKey: "number")
            try first.save()
            #expect(throws: SaveError.self) { try second.save() }
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [2])
            second.mergePolicy = .mergeByPropertyObjectTrump
            try second.save()
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [3])
        }

        @Test func `a reference to what another process has deleted meanwhile is refused at the commit`() throws {
            let coordinator = try stage.coordinator()
            let context = ManagedObjectContext(coordinator: coordinator)
            let (box, item) = (try context.insert("Box"), try context.insert("Item", number: 1))
            try context.save()
            let transaction = try coordinator.stores[0].beginTransaction()
            defer { transaction.end() }
            let row = try #require(try transaction.stored(item.objectKey).row)
            let layout = coordinator.directory.layout(of: item.objectKey)
            let draft = DraftRow(copying: row.pointer, of: layout, base: row)
            let slot = try #require(item.entity.relationship(named: "box")).slot
            let editor = RowEditor(draft)
            editor.setInt64(Int64(bitPattern: box.objectKey.rawValue), at: slot)
            var arena = RowArena()
            var changes = ChangeSet()
            changes.updated = [
                .init(
                    key: item.objectKey, row: layout.seal(draft, version: row.version + 1, in: &arena), base: row,
                    changed: SlotSet([slot]))
            ]
            #expect(try transaction.write(changes).isEmpty)
            try stage.run("DELETE FROM \(stage.namespace.qualified("box"))")
            let error = #expect(throws: StoreError.self) { try transaction.commit() }
            #expect(error?.code == .constraintViolation && !transaction.isOutcomeUnknown && !transaction.isStanding)
            transaction.rollBack()
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.items) WHERE box IS NOT NULL") == [0])
            #expect(try stage.numbers("SELECT number FROM \(stage.log)") == [1])
        }

        @Test func `a commit of others during a save is seen after it`() throws {
            let coordinator = try stage.coordinator()
            let context = ManagedObjectContext(coordinator: coordinator)
            _ = try context.insert("Item", number: 1)
            try context.save()
            let generation = coordinator.publishedGeneration
            let transaction = try coordinator.stores[0].beginTransaction()
            #expect(!transaction.sawForeignChanges)
            let other = ManagedObjectContext(coordinator: try stage.coordinator())
            _ = try other.insert("Item", number: 2)
            try other.save()
            try transaction.commit()
            // So that it is published together with the commit.
            #expect(transaction.isBehindOthers)
            transaction.end()
            #expect(coordinator.publishedGeneration == generation)
            coordinator.noteForeignChanges()
            #expect(try context.all("Item").count == 2)
        }

        @Test func `a snapshot looks at those rows of the log alone that it does not know`() throws {
            let coordinator = try stage.coordinator()
            let context = ManagedObjectContext(coordinator: coordinator)
            for number in 1...3 {
                _ = try context.insert("Item", number: Int64(number))
                try context.save()
            }
            let store = try #require(coordinator.stores[0] as? ServerStore)
            let question = try store.log.headQuestion(in: stage.namespace)
            let result = try stage.connection.run(question.statement, until: farDeadline)
            let head = try question.head(in: result)
            #expect(head.position.number == 3 && head.foreignNumber == nil && head.attempt == 3 && head.isContinued)
            #expect(store.log.position == head.position)
        }

        @Test func `a saved date has the microseconds that the server keeps`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            let item = try context.insert("Item")
            let date = Date(timeIntervalSinceReferenceDate: 445_103_622.123_456_789)
            try item.setValue(.date(date), forKey: "time")
            try context.save()
            let rounded = ManagedValue.date(try date.roundedForPostgres())
            #expect(try item.value(forKey: "time") == rounded && rounded != .date(date))
            let other = ManagedObjectContext(coordinator: try stage.coordinator())
            #expect(try other.all("Item")[0].value(forKey: "time") == rounded)
        }

        @Test func `saved dates and floats of a composite attribute are those that the server keeps`() throws {
            let model = try ManagedObjectModel(entities: [
                EntityDescription(
                    "Monk",
                    properties: [
                        .attribute(
                            AttributeDescription(
                                "stay", .composite,
                                elements: [AttributeDescription("start", .date), AttributeDescription("cost", .float)]))
                    ])
            ])
            let stage = try MigrationStore()
            let context = try stage.context(model)
            let date = Date(timeIntervalSinceReferenceDate: 445_103_622.123_456_789)
            let monk = try context.add("Monk", ["stay": .dictionary(["start": .date(date), "cost": .double(0.1)])])
            try context.save()
            let stored = ManagedValue.dictionary([
                "start": .date(try date.roundedForPostgres()), "cost": .double(Double(Float(0.1))),
            ])
            #expect(try monk.value(forKey: "stay") == stored)
            #expect(try stage.context(model).all("Monk")[0].value(forKey: "stay") == stored)
        }

        @Test func `a save of a date that the server rounds does not read the object`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get(), delay: .milliseconds(20))
            let context = ManagedObjectContext(coordinator: try stage.coordinator(proxy.url))
            let item = try context.insert("Item")
            try context.save()
            context.endTurn()
            var seconds = 0.123_456_789
            let count = try proxy.fewestRoundTrips(downTo: 2) {
                seconds += 1
                try item.setValue(.date(Date(timeIntervalSinceReferenceDate: seconds)), forKey: "time")
                try context.save()
            }
            #expect(count == 2)
        }

        @Test func `text with NUL is refused, and nothing is saved`() throws {
            let context = ManagedObjectContext(coordinator: try stage.coordinator())
            _ = try context.insert("Item", number: 1)
            try context.insert("Item", number: 2).setValue("a\u{0}", forKey: "code")
            let error = #expect(throws: (any Error).self) { try context.save() }
            #expect("\(String(describing: error))".contains("NUL"))
            #expect(try stage.numbers("SELECT number FROM \(stage.items)").isEmpty)
        }

        @Test func `a save takes a round trip to begin and lock rows, and one to write and commit`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get(), delay: .milliseconds(20))
            let context = ManagedObjectContext(coordinator: try stage.coordinator(proxy.url))
            // Opens the connections, and takes a block of ids.
            for number in 1...20 { _ = try context.insert("Item", number: Int64(number)) }
            try context.save()
            let items = try context.all("Item")
            context.endTurn()
            // COMMIT is sent behind the writes at once, the flush behind COMMIT, and the notification behind that.
            var round: Int64 = 0
            let changes = try proxy.fewestRoundTrips(downTo: 2) {
                round += 1
                for item in items { try item.setValue(.int(round), forKey: "number") }
                try context.save()
            }
            #expect(changes == 2)
            // Sometimes a block of ids is taken first.
            let insertions = try proxy.fewestRoundTrips(downTo: 2) {
                for _ in 1...5 { _ = try context.insert("Box") }
                try context.save()
            }
            #expect(insertions == 2)
        }

        @Test func `a transaction of many rows has more time between its statements`() throws {
            let coordinator = try stage.coordinator()
            let transaction = try #require(try coordinator.stores[0].beginTransaction() as? ServerTransaction)
            defer { transaction.end() }
            func idleTime() throws -> String {
                try transaction.run([PostgresStatement("SHOW idle_in_transaction_session_timeout")])[0]
                    .required(row: 0, column: 0)
            }
            let box = try #require(coordinator.model.entitiesByName["Box"])
            let keys = (1...30_000).map { ObjectKey(store: 0, entity: box.index, primaryKey: $0) }
            #expect(try idleTime() == "5s")
            try transaction.lockRows(of: Array(keys.prefix(10)))
            #expect(try idleTime() == "5s")
            try transaction.lockRows(of: Array(keys.prefix(20_000)))
            #expect(try idleTime() == "7s")
            var changes = ChangeSet()
            changes.inserted = keys.map { key in
                let row = coordinator.directory.layout(of: key).initialRow
                return ChangeSet.ObjectChange(key: key, row: row, base: nil, changed: SlotSet())
            }
            #expect(try transaction.write(changes).isEmpty)
            #expect(try idleTime() == "8s")
            transaction.rollBack()
        }

        @Test func `large saves get ids in blocks that nobody else has`() throws {
            let contexts = try (0..<3).map { _ in ManagedObjectContext(coordinator: try stage.coordinator()) }
            for round in 0..<3 {
                for (index, context) in contexts.enumerated() {
                    for number in 0..<(1 + 70 * index * round) { _ = try context.insert("Item", number: Int64(number)) }
                    try context.save()
                }
            }
            let counts = try stage.numbers("SELECT count(DISTINCT _id) FROM \(stage.items)")
            #expect(counts == [639])
        }

        // MARK: Several at once

        @Test func `counters that several processes raise count every acknowledged commit`() async throws {
            let first = ManagedObjectContext(coordinator: try stage.coordinator())
            for _ in 0..<3 { _ = try first.insert("Item") }
            try first.save()
            let rounds = 40 * testEffort
            let coordinators = try (0..<3).map { _ in try stage.coordinator() }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, coordinator) in coordinators.enumerated() {
                    group.addTask { try Self.raise(rounds, seed: testSeed + UInt64(index), coordinator) }
                }
                try await group.waitForAll()
            }
            let sum = try stage.run("SELECT sum(number)::int8 FROM \(stage.items)").required(
                Int64.self, row: 0, column: 0)
            #expect(sum == Int64(3 * rounds))
            // One row for each commit, without gaps.
            let numbers = try stage.numbers("SELECT number FROM \(stage.log) ORDER BY 1")
            #expect(numbers == (1...Int64(3 * rounds + 1)).map { $0 })
        }

        /// Raises counters by one, with another run after each conflict.
        private static func raise(_ rounds: Int, seed: UInt64, _ coordinator: PersistentStoreCoordinator) throws {
            var generator = SeededGenerator(seed: seed)
            let context = ManagedObjectContext(coordinator: coordinator)
            var done = 0
            while done < rounds {
                let item = try #require(try context.all("Item").randomElement(using: &generator))
                guard case .int(let number) = try item.value(forKey: "number") else { return #expect(Bool(false)) }
                try item.setValue(.int(number + 1), forKey: "number")
                do {
                    try context.save()
                    done += 1
                } catch is SaveError {
                    context.rollback()
                }
                context.endTurn()
            }
        }
    }
#endif
