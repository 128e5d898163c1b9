#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// The history of a store on a server: what is recorded, and what is not.
    @Suite struct ServerHistoryTests {
        private let stage: ItemStore

        init() throws { stage = try ItemStore() }

        private func coordinator(_ url: ServerURL? = nil) throws -> PersistentStoreCoordinator {
            try stage.coordinator(url, options: .patient().trackingHistory())
        }

        /// Opens the store, as another process does, on any thread.
        private static func coordinator(
            _ url: ServerURL, _ namespace: ServerNamespace
        ) throws -> PersistentStoreCoordinator {
            let coordinator = PersistentStoreCoordinator(model: try ItemStore.model())
            try coordinator.add(
                ServerStore(
                    url, namespace: namespace, directory: coordinator.directory, index: 0,
                    settings: .patient().trackingHistory()))
            return coordinator
        }

        /// Creates a user with all rights on the tables that are there.
        private func clerk() throws -> (role: String, url: ServerURL) {
            let role = "clerk_\(UUID().uuidString.lowercased().prefix(8))"
            let schema = "SCHEMA \"\(stage.namespace.name)\""
            try stage.run("CREATE ROLE \(role) LOGIN")
            try stage.run("GRANT USAGE ON \(schema) TO \(role)")
            try stage.run("GRANT ALL ON ALL TABLES IN \(schema) TO \(role)")
            try stage.run("GRANT ALL ON ALL SEQUENCES IN \(schema) TO \(role)")
            var url = try PostgresServer.shared.get().url()
            url.user = role
            return (role, url)
        }

        private func insertItems(_ numbers: ClosedRange<Int64>, in coordinator: PersistentStoreCoordinator) throws {
            let context = ManagedObjectContext(coordinator: coordinator)
            for number in numbers { _ = try context.insert("Item", number: number) }
            try context.save()
        }

        // MARK: Changes

        /// Changes of every kind. Returns the history as text, in which ids are those of the tables.
        private func describedHistory(of coordinator: PersistentStoreCoordinator) throws -> [String] {
            let context = ManagedObjectContext(coordinator: coordinator)
            (context.name, context.transactionAuthor) = ("desk", "monk")
            let items = try (1...3).map { try context.insert("Item", number: $0) }
            let (tag, box) = (try context.insert("Tag"), try context.insert("Box"))
            try context.save()
            try items[0].setValue(7, forKey: "number")
            try items[0].setObjects([tag], forKey: "tags")
            try box.setObjects([items[1]], forKey: "items")
            try items[2].setObjects([tag], forKey: "tags")
            try context.save()
            context.transactionAuthor = nil
            try items[0].setObjects([ManagedObject](), forKey: "tags")
            context.delete(box)
            context.delete(items[2])
            try context.save()
            try context.execute(
                BatchInsertRequest(entityName: "Item", objects: (11...13).map { ["number": .int($0)] }))
            try context.execute(
                BatchUpdateRequest(
                    entityName: "Item", condition: .compare("number", .equal, 12),
                    propertiesToUpdate: ["number": 20, "code": "x"]))
            try context.execute(
                BatchDeleteRequest(
                    fetchRequest: FetchRequest(
                        entityName: "Item", condition: .compare("number", .equal, 20))))
            return try coordinator.history().flatMap { transaction in
                ["\(transaction.transactionNumber) \(transaction.author ?? "") \(transaction.contextName ?? "")"]
                    + transaction.changes.map { change in
                        let names = change.updatedProperties?.sorted().joined(separator: ",") ?? "-"
                        let object = change.changedObjectID
                        return
                            "\(change.changeID) \(change.changeType) \(object.entityName) \(object.key.primaryKey) \(names)"
                    }
            }
        }

        @Test func `it is the history of a store in memory after the same changes`() throws {
            let memory = PersistentStoreCoordinator(model: try ItemStore.model())
            try memory.add(InMemoryStore(directory: memory.directory, index: 0, tracksHistory: true))
            let expected = try describedHistory(of: memory)
            #expect(expected.count > 20)
            #expect(try describedHistory(of: coordinator()) == expected)
        }

        @Test func `a tombstone has each value as it was`() throws {
            let values: [(AttributeType, ManagedValue)] = [
                (.integer16, .int(-3)), (.integer32, 70_000), (.integer64, .int(.max)),
                (.decimal, .decimal(Decimal(sign: .minus, exponent: -5, significand: 123_456_789))),
                (.double, .double(.infinity)), (.float, 1.5), (.string, "a'\n\u{1f}ß"), (.boolean, .bool(true)),
                (.date, .date(Date(timeIntervalSinceReferenceDate: 0.25))), (.binary, .data(Data([0, 1, 255]))),
                (.uuid, .uuid(UUID())), (.uri, .url(try #require(URL(string: "https://example.com/a?b")))),
            ]
            let model = try ManagedObjectModel(entities: [
                EntityDescription(
                    "Note",
                    properties: values.indices.map { index in
                        .attribute(
                            AttributeDescription(
                                "value\(index)", values[index].0, preservesValueInHistoryOnDeletion: true))
                    } + [
                        .attribute(AttributeDescription("empty", .string, preservesValueInHistoryOnDeletion: true)),
                        .attribute(AttributeDescription("forgotten", .string)),
                    ])
            ])
            let coordinator = PersistentStoreCoordinator(model: model)
            try coordinator.add(
                ServerStore(
                    PostgresServer.shared.get().url(), namespace: stage.namespace, directory: coordinator.directory,
                    index: 0, settings: .patient().trackingHistory()))
            let context = ManagedObjectContext(coordinator: coordinator)
            let notes = try (0..<2).map { _ in try context.insert("Note") }
            for note in notes {
                for (index, value) in values.enumerated() { try note.setValue(value.1, forKey: "value\(index)") }
                try note.setValue("x", forKey: "forgotten")
            }
            try context.save()
            context.delete(notes[0])
            try context.save()
            // A batch request has not read it.
            try context.execute(BatchDeleteRequest(fetchRequest: FetchRequest(entityName: "Note")))
            let expected = Dictionary(uniqueKeysWithValues: values.indices.map { ("value\($0)", values[$0].1) })
            let changes = try coordinator.history().flatMap(\.changes)
            #expect(changes.map(\.tombstone) == [[:], [:], expected, expected])
        }

        @Test func `saves of a group are transactions in their order, and a refused one leaves nothing`() throws {
            let coordinator = try coordinator()
            try insertItems(1...3, in: coordinator)
            try stage.run("UPDATE \(stage.items) SET code = 'taken' WHERE number = 3")
            let contexts = try (0..<5).map { index in
                let context = ManagedObjectContext(coordinator: coordinator)
                context.transactionAuthor = "\(index)"
                let items = try context.all("Item")
                // The second one changes what the first one has changed.
                try items[[0, 0, 1, 1, 2][index]].setValue(.int(Int64(100 + index)), forKey: "number")
                // This one is refused after it was recorded.
                if index == 3 { try items[1].setValue("taken", forKey: "code") }
                context.endTurn()
                return context
            }
            contexts[2].transactionAuthor = "2\u{0}"
            #expect(try coordinator.saveTogether(contexts) == [true, false, false, false, true])
            let history = try coordinator.history()
            #expect(history.map(\.author) == [nil, "0", "4"])
            #expect(history.map(\.transactionNumber) == [1, 2, 3])
            #expect(history.flatMap { $0.changes.map(\.changeID) } == [1, 2, 3, 4, 5])
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.changes)") == [5])
        }

        @Test func `values that move between objects are recorded once`() throws {
            let coordinator = try coordinator()
            let context = ManagedObjectContext(coordinator: coordinator)
            let items = try ["a", "b", "c"].map { code in
                let item = try context.insert("Item")
                try item.setValue(.string(code), forKey: "code")
                return item
            }
            try context.save()
            try items[0].setValue("b", forKey: "code")
            try items[1].setValue("a", forKey: "code")
            context.delete(items[2])
            try context.save()
            let types = try coordinator.history().map { $0.changes.map(\.changeType) }
            #expect(types == [[.insert, .insert, .insert], [.update, .update, .delete]])
        }

        @Test func `a batch insertion is one transaction, however many of its values were taken`() throws {
            let coordinator = try coordinator()
            let context = ManagedObjectContext(coordinator: coordinator)
            for number in 0..<3 { try context.insert("Item").setValue(.string("taken \(number)"), forKey: "code") }
            try context.save()
            // One in each part of a thousand.
            let objects = (0..<3_000).map { number -> [String: ManagedValue] in
                ["code": .string(number % 1_000 == 500 ? "taken \(number / 1_000)" : "\(number)"), "number": 1]
            }
            var request = BatchInsertRequest(entityName: "Item", objects: objects)
            request.duplicates = .updated
            try context.execute(request)
            #expect(try coordinator.history().map(\.changes.count) == [3, 3_000])
        }

        @Test func `ten thousand changes and more are complete, and deleted in parts`() throws {
            let coordinator = try coordinator()
            try insertItems(1...25_000, in: coordinator)
            try insertItems(1...2, in: coordinator)
            let history = try coordinator.history()
            #expect(history.map(\.changes.count) == [25_000, 2])
            let changes = history.flatMap(\.changes)
            #expect(changes.map(\.changeID) == (1...25_002).map { Int64($0) })
            #expect(Set(changes.map(\.changedObjectID)).count == 25_002)
            #expect(try coordinator.execute(.deleteHistory(before: history[1])).count == 1)
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.changes)") == [2])
        }

        @Test func `a save takes no round trip more`() throws {
            let proxy = FaultyProxy(try PostgresServer.shared.get(), delay: .milliseconds(20))
            let context = ManagedObjectContext(coordinator: try coordinator(proxy.url))
            for number in 1...20 { _ = try context.insert("Item", number: Int64(number)) }
            try context.save()
            let items = try context.all("Item")
            context.endTurn()
            var round: Int64 = 0
            let count = try proxy.fewestRoundTrips(downTo: 2) {
                round += 1
                for item in items { try item.setValue(.int(round), forKey: "number") }
                try context.save()
            }
            // As many as without a history: see ServerCommitTests.
            #expect(count == 2)
        }

        @Test func `an entity that the model does not have is left out`() throws {
            let coordinator = try coordinator()
            try insertItems(1...2, in: coordinator)
            try stage.run("UPDATE \(stage.changes) SET entity = 99 WHERE place = 0")
            #expect(try coordinator.history().flatMap { $0.changes.map(\.changeID) } == [2])
        }

        // MARK: The store's setting

        @Test func `a process that has the store open keeps the history that another one asks for`() throws {
            let first = try stage.coordinator()
            try insertItems(1...1, in: first)
            let error = #expect(throws: StoreError.self) { try first.history() }
            #expect(error?.code == .unsupportedRequest)
            let second = try coordinator()
            try insertItems(2...2, in: first)
            try insertItems(3...3, in: second)
            // One that does not ask for it does not end it.
            try insertItems(4...4, in: stage.coordinator())
            #expect(try first.history().count == 3 && second.history().count == 3)
            #expect(try coordinator().history().count == 3)
        }

        @Test func `a history begins in a schema whose name needs quotes of every kind`() throws {
            let namespace = ServerNamespace(name: "o'brien \"\(UUID().uuidString)\"")
            let coordinator = try Self.coordinator(PostgresServer.shared.get().url(), namespace)
            try insertItems(1...1, in: coordinator)
            #expect(try coordinator.history().count == 1)
        }

        @Test func `a history that is lost is reported once, and begins again when the store is opened`() throws {
            let coordinator = try coordinator()
            let reports = Locked<[String]>([])
            coordinator.directory.setErrorHandler { error in reports.withLock { $0.append("\(error)") } }
            try insertItems(1...1, in: coordinator)
            // As on a standby that did not have it.
            try stage.run("DROP TABLE \(stage.history), \(stage.changes)")
            for number in 2...3 { try insertItems(Int64(number)...Int64(number), in: coordinator) }
            #expect(reports.withLock { $0.count } == 1)
            #expect(reports.withLock { $0.first?.contains("history") } == true)
            let again = try self.coordinator()
            try insertItems(4...4, in: coordinator)
            #expect(try again.history().count == 1 && coordinator.history().count == 1)
        }

        @Test func `a history begins behind the transactions that are under way, which have none`() throws {
            let first = try stage.coordinator()
            try insertItems(1...1, in: first)
            let transaction = try first.stores[0].beginTransaction()
            let (done, result) = (DispatchGroup(), Locked<PersistentStoreCoordinator?>(nil))
            let (namespace, url) = (stage.namespace, try PostgresServer.shared.get().url())
            Thread.detachNewThread(in: done) {
                let coordinator = try Self.coordinator(url, namespace)
                result.withLock { $0 = coordinator }
            }
            try stage.connection.wait(
                forProcess: "wait_event_type = 'Lock' AND query LIKE 'LOCK TABLE \"\(stage.namespace.name)\"%'")
            #expect(result.withLock { $0 == nil })
            try transaction.commit()
            transaction.end()
            done.wait()
            let second = try #require(result.withLock { $0 })
            #expect(try second.history().isEmpty)
            try insertItems(2...2, in: first)
            #expect(try second.history().count == 1)
        }

        @Test func `processes that ask for a history at a time all have it`() throws {
            let (done, opened) = (DispatchGroup(), Locked<[PersistentStoreCoordinator]>([]))
            let (namespace, url) = (stage.namespace, try PostgresServer.shared.get().url())
            for _ in 0..<4 {
                Thread.detachNewThread(in: done) {
                    let coordinator = try Self.coordinator(url, namespace)
                    opened.withLock { $0.append(coordinator) }
                }
            }
            done.wait()
            let coordinators = opened.withLock { $0 }
            for (index, coordinator) in coordinators.enumerated() {
                try insertItems(Int64(index)...Int64(index), in: coordinator)
            }
            #expect(try coordinators.map { try $0.history().count } == [4, 4, 4, 4])
        }

        @Test func `a history that cannot begin is refused, and the others go on`() throws {
            let first = try stage.coordinator()
            try insertItems(1...1, in: first)
            let transaction = try first.stores[0].beginTransaction()
            let error = #expect(throws: StoreError.self) {
                try stage.coordinator(options: ServerStoreSettings(timeout: .seconds(2)).trackingHistory())
            }
            #expect(error?.code == .timeout)
            transaction.rollBack()
            transaction.end()
            try insertItems(2...2, in: first)
            #expect(throws: StoreError.self) { try first.history() }
            #expect(try coordinator().history().isEmpty)
        }

        @Test func `a user without rights to the history saves nothing`() throws {
            try insertItems(1...1, in: coordinator())
            let (role, url) = try clerk()
            try stage.run("REVOKE ALL ON \(stage.history) FROM \(role)")
            let coordinator = try coordinator(url)
            let saving = #expect(throws: StoreError.self) { try insertItems(2...2, in: coordinator) }
            #expect(saving?.code == .noWritePermission)
            let reading = #expect(throws: StoreError.self) { try coordinator.history() }
            #expect(reading?.code == .noReadPermission)
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [1])
            try stage.run("GRANT ALL ON \(stage.history) TO \(role)")
            try insertItems(2...2, in: coordinator)
            #expect(try coordinator.history().count == 2)
        }

        @Test func `whoever may commit may record it, whoever began the history`() throws {
            let first = try stage.coordinator()
            let (_, url) = try clerk()
            let second = try stage.coordinator(url)
            _ = try coordinator()
            try insertItems(1...1, in: first)
            try insertItems(2...2, in: second)
            #expect(try second.history().count == 2)
        }

        @Test func `a history is deleted up to the first transaction that stays, whatever clocks say`() throws {
            let coordinator = try coordinator()
            for number in 1...4 { try insertItems(Int64(number)...Int64(number), in: coordinator) }
            try stage.run("UPDATE \(stage.history) SET written = now() - interval '2 days' WHERE number IN (1, 3)")
            let yesterday = Date(timeIntervalSinceNow: -86_400)
            #expect(try coordinator.execute(.deleteHistory(before: yesterday)).count == 1)
            #expect(try coordinator.history().map(\.transactionNumber) == [2, 3, 4])
        }

        @Test func `nothing is committed without a history that could not be written`() throws {
            let coordinator = try coordinator()
            try insertItems(1...1, in: coordinator)
            try stage.run("ALTER TABLE \(stage.history) ADD CHECK (number < 2)")
            #expect(throws: (any Error).self) { try insertItems(2...2, in: coordinator) }
            #expect(try stage.numbers("SELECT number FROM \(stage.items)") == [1])
        }
    }

    extension ServerStoreSettings {
        /// Settings with a history.
        func trackingHistory() -> Self {
            var settings = self
            settings.tracksHistory = true
            return settings
        }
    }

    extension ItemStore {
        var history: String { namespace.qualified("_history") }
        var changes: String { namespace.qualified("_history_changes") }
    }

    extension PersistentStoreCoordinator {
        func history(after token: HistoryToken? = nil) throws -> [HistoryTransaction] {
            try execute(.fetchHistory(after: token)).transactions
        }
    }
#endif
