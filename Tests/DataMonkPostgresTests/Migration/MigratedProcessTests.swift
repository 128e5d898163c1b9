#if Postgres
    import DataMonkCore
    import DataMonkTesting
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// Migrations of a store that other processes have open, that somebody ends, or that are called twice.
    @Suite struct MigratedProcessTests {
        private let stage: MigrationStore
        private let old: ManagedObjectModel
        /// With additions alone.
        private let added: ManagedObjectModel
        /// With an attribute less.
        private let changed: ManagedObjectModel

        init() throws {
            stage = try MigrationStore()
            old = try Self.model()
            added = try Self.model(
                [
                    .attribute(AttributeDescription("coins", .integer64, isOptional: false, defaultValue: 7)),
                    .relationship(RelationshipDescription("letters", to: "Letter", inverse: "monk", isToMany: true)),
                ],
                [
                    EntityDescription(
                        "Letter",
                        properties: [
                            .attribute(AttributeDescription("name", .string)),
                            .relationship(RelationshipDescription("monk", to: "Monk", inverse: "letters")),
                        ])
                ])
            changed = try Self.model([], without: "rank")
        }

        private static func model(
            _ properties: [PropertyDescription] = [], _ entities: [EntityDescription] = [], without name: String = ""
        ) throws -> ManagedObjectModel {
            let own = [AttributeDescription("name", .string), AttributeDescription("rank", .integer64)]
            return try ManagedObjectModel(
                entities: [
                    EntityDescription(
                        "Monk", properties: own.filter { $0.name != name }.map { .attribute($0) } + properties)
                ] + entities)
        }

        /// Runs a call on another thread.
        private func inBackground<Result>(
            _ body: @escaping @Sendable () throws -> Result
        ) -> (DispatchGroup, Locked<Swift.Result<Result, any Error>?>) {
            let (group, result) = (DispatchGroup(), Locked<Swift.Result<Result, any Error>?>(nil))
            Thread.detachNewThread(in: group) {
                let found = Swift.Result { try body() }
                result.withLock { $0 = found }
            }
            return (group, result)
        }

        /// Migrates on another thread.
        private func migrating(
            _ model: ManagedObjectModel, discarding: DiscardableData = [], settings: ServerStoreSettings = .patient(),
            url: String? = nil, interrupt: PostgresInterrupt? = nil
        ) throws -> (DispatchGroup, Locked<Swift.Result<MigrationPlan, any Error>?>) {
            let (url, name) = (try url ?? PostgresServer.shared.get().publicURL, stage.namespace.name)
            return inBackground {
                try ServerStoreOpener.migrate(
                    url, schemaName: name, to: model, configuration: nil, discarding: discarding, settings: settings,
                    isPlan: false, interrupt: interrupt, report: { Issue.record($0) })
            }
        }

        // MARK: Versions

        @Test func `a process of the version before goes on across additions, and may be started`() throws {
            let running = try stage.context(old)
            try running.add("Monk", ["name": "a", "rank": 1])
            try running.save()
            #expect(try stage.migrate(added).isAdditive)
            let new = try stage.context(added)
            let monk = try new.all("Monk")[0]
            try new.add("Letter", ["name": "l", "monk": .object(monk.anyObjectID)])
            try new.save()
            // It reads, and writes what the new version has a default for.
            #expect(try running.values("Monk", "rank") == [1])
            try running.add("Monk", ["name": "b", "rank": 2])
            try running.save()
            let started = try stage.context(old)
            try started.add("Monk", ["name": "c"])
            try started.save()
            new.endTurn()
            #expect(try new.values("Monk", "coins") == [7, 7, 7])
            // A link that it does not know keeps it from deleting.
            try started.delete(started.all("Monk")[0])
            #expect(throws: (any Error).self) { try started.save() }
            new.endTurn()
            #expect(try new.names("Monk", "a", "letters") == ["l"])
        }

        @Test func `a process of the version before is told to end, by a read and by a save`() throws {
            let (reading, writing) = (try stage.context(old), try stage.context(old))
            try writing.add("Monk", ["name": "a"])
            try writing.save()
            reading.endTurn()
            try writing.add("Monk", ["name": "b"])
            try stage.migrate(changed)
            let error = #expect(throws: StoreError.self) { try reading.all("Monk") }
            #expect(error?.code == .schemaChanged)
            let refused = #expect(throws: StoreError.self) { try writing.save() }
            #expect(refused?.code == .schemaChanged)
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.table("monk"))") == [1])
            let started = #expect(throws: MigrationError.self) { try stage.context(old) }
            #expect(started?.code == .newerStore)
        }

        @Test func `after additions to what it does not have, a process is still told to end`() throws {
            let running = try stage.context(old)
            try stage.migrate(changed)
            try stage.migrate(try Self.model([.attribute(AttributeDescription("coins", .integer64))], without: "rank"))
            let error = #expect(throws: StoreError.self) { try running.all("Monk") }
            #expect(error?.code == .schemaChanged)
            _ = try stage.context(changed)
        }

        @Test func `a store of another version is refused when it is opened, by the name of what migrates it`() throws {
            _ = try stage.context(old)
            let error = #expect(throws: StoreError.self) { try stage.context(added) }
            #expect(error?.code == .incompatibleVersionHash)
            #expect(error?.message.contains("Stack.migrateServerStore") == true)
            #expect(error?.message.contains("datamonk migrate") == true)
        }

        @Test func `others read everything again after a migration`() throws {
            let running = try stage.context(old)
            try running.add("Monk", ["name": "a", "rank": 1])
            try running.save()
            let id = try running.all("Monk")[0].anyObjectID
            running.endTurn()
            func rank() throws -> ManagedValue {
                let context = ManagedObjectContext(coordinator: running.coordinator)
                return try context.existingObject(with: id).value(forKey: "rank")
            }
            // By no commit: the row that the process has cached counts as the present one.
            try stage.run("UPDATE \(stage.table("monk")) SET rank = 5")
            #expect(try rank() == 1)
            try stage.migrate(added)
            #expect(try rank() == 5)
        }

        // MARK: Locks

        @Test func `a migration waits for an open snapshot, which goes on reading`() throws {
            let running = try stage.context(old)
            for number in 1...3 { try running.add("Monk", ["name": .string("\(number)")]) }
            try running.save()
            let reader = try running.coordinator.stores[0].openReader()
            let (group, result) = try migrating(changed)
            try stage.waitForWaiter(at: "_store", in: "AccessExclusiveLock") { result.withLock { $0 != nil } }
            // It waits for the one that waits, and must not see an empty table, or the old ones.
            let model = old
            let name = stage.namespace
            let (late, found) = inBackground {
                let coordinator = PersistentStoreCoordinator(model: model)
                try coordinator.add(
                    ServerStore(
                        PostgresServer.shared.get().url(), namespace: name, directory: coordinator.directory, index: 0,
                        settings: .patient()))
                return try ManagedObjectContext(coordinator: coordinator).all("Monk").count
            }
            let fetch = try ResolvedFetch(FetchRequest(entityName: "Monk"), model: old)
            #expect(try reader.count(fetch) == 3)
            #expect(result.withLock { $0 == nil })
            reader.end()
            group.wait()
            late.wait()
            #expect(try result.withLock { try $0?.get().stages.count } == 1)
            // In time, or refused.
            switch found.withLock({ $0 }) {
            case .success(let count)?: #expect(count == 3)
            case .failure(let error)?: #expect((error as? MigrationError)?.code == .newerStore)
            case nil: Issue.record("It has ended.")
            }
        }

        @Test func `a migration gives up on a snapshot that stays, and says so`() throws {
            let running = try stage.context(old)
            try running.add("Monk", ["name": "a"])
            try running.save()
            let reader = try running.coordinator.stores[0].openReader()
            defer { reader.end() }
            // Each attempt opens a connection, which takes a while on a busy machine.
            var settings = ServerStoreSettings(timeout: .seconds(10))
            settings.lockTimeout = .milliseconds(100)
            let before = try stage.contents(["monk"])
            let error = #expect(throws: StoreError.self) {
                try stage.call(changed, isPlan: false, settings: settings)
            }
            #expect(error?.code == .locked)
            #expect(error?.message.contains(stage.namespace.name) == true)
            #expect(try stage.contents(["monk"]) == before)
            // Nor has anybody else lost anything.
            #expect(try stage.context(old).values("Monk", "name") == ["a"])
        }

        @Test func `who comes during a migration waits, and sees the new tables`() throws {
            let (running, second) = (try stage.context(old), try stage.context(old))
            for number in 1...3 { try running.add("Monk", ["name": .string("\(number)"), "rank": 1]) }
            try running.save()
            try stage.holdOrder()
            let (group, result) = try migrating(added)
            let watch = try stage.watching()
            #expect(try watch.waitForOrder { result.withLock { $0 != nil } } != nil)
            // nonisolated(unsafe): this thread leaves the context to the other one.
            nonisolated(unsafe) let other = second
            let (late, found) = inBackground { try other.all("Monk").count }
            try watch.waitForWaiter(at: "_store") { found.withLock { $0 != nil } }
            try stage.run("COMMIT")
            group.wait()
            late.wait()
            #expect(try result.withLock { try $0?.get().isAdditive } == true)
            #expect(try found.withLock { try $0?.get() } == 3)
        }

        @Test func `a program that reads a table keeps the migration waiting, and is not disturbed`() throws {
            _ = try stage.context(old)
            try stage.run("BEGIN")
            try stage.run("LOCK TABLE \(stage.table("monk")) IN ACCESS SHARE MODE")
            let (group, result) = try migrating(added)
            try stage.watching().waitForWaiter(at: "monk", in: "AccessExclusiveLock") { result.withLock { $0 != nil } }
            #expect(try stage.numbers("SELECT count(*) FROM \(stage.table("monk"))") == [0])
            try stage.run("COMMIT")
            group.wait()
            #expect(try result.withLock { try $0?.get().isAdditive } == true)
        }

        // MARK: Faults

        @Test func `a migration whose connection ends in the middle changes nothing, and succeeds again`() throws {
            let running = try stage.context(old)
            try running.add("Monk", ["name": "a", "rank": 1])
            try running.save()
            running.endTurn()
            let (structure, before) = (try stage.structure(), try stage.contents(["monk"]))
            let watch = try stage.watching()
            try stage.holdOrder()
            let (group, result) = try migrating(added)
            // All but the commit is done.
            let waiting = try #require(try watch.waitForOrder { result.withLock { $0 != nil } })
            try watch.run("SELECT pg_terminate_backend(\(waiting)::int4)")
            group.wait()
            try stage.run("COMMIT")
            let error = #expect(throws: StoreError.self) { try result.withLock { try $0?.get() } }
            #expect(error?.code == .writeFailed || error?.code == .operationFailed)
            #expect(try stage.structure() == structure && stage.contents(["monk"]) == before)
            #expect(try running.values("Monk", "rank") == [1])
            running.endTurn()
            #expect(try stage.migrate(added).stages.count == 1)
        }

        @Test func `a migration that is interrupted in the middle changes nothing, and succeeds again`() throws {
            _ = try stage.context(old)
            let (structure, before) = (try stage.structure(), try stage.contents(["monk"]))
            let (interrupt, watch) = (try PostgresInterrupt(), try stage.watching())
            try stage.holdOrder()
            let (group, result) = try migrating(added, interrupt: interrupt)
            #expect(try watch.waitForOrder { result.withLock { $0 != nil } } != nil)
            interrupt.trigger()
            group.wait()
            try stage.run("COMMIT")
            let error = #expect(throws: StoreError.self) { try result.withLock { try $0?.get() } }
            #expect(error?.code == .cancelled)
            #expect(try stage.structure() == structure && stage.contents(["monk"]) == before)
            #expect(try stage.migrate(added).stages.count == 1)
        }

        @Test func `of two migrations at once, one does it, and the other one finds it done`() throws {
            let running = try stage.context(old)
            try running.add("Monk", ["name": "a", "rank": 1])
            try running.save()
            running.endTurn()
            let calls = try (0..<2).map { _ in try migrating(changed, discarding: .everything) }
            for (group, _) in calls { group.wait() }
            let counts = try calls.map { try $0.1.withLock { try $0?.get().stages.count } }
            #expect(counts.compactMap(\.self).sorted() == [0, 1])
            #expect(try stage.numbers("SELECT version::int8 FROM \(stage.table("_store"))") == [2])
        }

        @Test func `a second migration has nothing to do, and a plan changes nothing`() throws {
            let running = try stage.context(old)
            try running.add("Monk", ["name": "a", "rank": 1])
            try running.save()
            running.endTurn()
            let before = try stage.contents(["monk"])
            let steps = try stage.plan(added).steps.map(\.description)
            #expect(Set(steps) == ["Add Monk.coins", "Add Monk.letters", "Add the entity Letter"] && steps.count == 3)
            #expect(try stage.contents(["monk"]) == before)
            try stage.migrate(added)
            let after = try stage.contents(["monk", "letter"])
            #expect(try stage.migrate(added).isEmpty && stage.plan(added).isEmpty)
            #expect(try stage.contents(["monk", "letter"]) == after)
        }

        @Test func `metadata of the application, and ids, go on`() throws {
            let running = try stage.context(old)
            try running.add("Monk", ["name": "a"])
            try running.save()
            try running.coordinator.setMetadata(["owner": "abbot"])
            try running.save()
            try stage.migrate(added)
            let new = try stage.context(added)
            #expect(try new.coordinator.stores[0].metadata()["owner"] == "abbot")
            try new.add("Monk", ["name": "b"])
            try new.save()
            #expect(try stage.numbers("SELECT count(DISTINCT _id) FROM \(stage.table("monk"))") == [2])
        }

        @Test func `additions keep the history, and other migrations let its tokens expire`() throws {
            let running = ManagedObjectContext(
                coordinator: try stage.coordinator(old, settings: .patient().trackingHistory()))
            try running.add("Monk", ["name": "a"])
            try running.save()
            _ = try stage.call(added, isPlan: false)
            try running.add("Monk", ["name": "b"])
            try running.save()
            let history = try running.coordinator.history()
            #expect(history.count == 2)
            _ = try stage.call(old, discarding: [.laterVersions, .everything], isPlan: false)
            let back = try stage.context(old)
            let error = #expect(throws: StoreError.self) { try back.coordinator.history(after: history[0].token) }
            #expect(error?.code == .historyTokenExpired)
            try back.add("Monk", ["name": "c"])
            try back.save()
            #expect(try back.coordinator.history().map(\.transactionNumber) == [3])
        }
    }
#endif
