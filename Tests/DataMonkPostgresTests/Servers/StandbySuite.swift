#if Postgres
    import DataMonkCore
    import Foundation
    import Testing

    @testable import DataMonkPostgres

    /// The tests of a primary and its standby: a store of items on both, and its reads and saves.
    protocol StandbySuite {
        var pair: PostgresPair { get }
    }

    extension StandbySuite {
        /// Opens the store as a process that does not ask the primary now and then.
        func coordinator(
            at url: ServerURL, change: (inout ServerStoreSettings) -> Void = { _ in }
        ) throws -> PersistentStoreCoordinator {
            var settings = ServerStoreSettings.patient()
            settings.pollInterval = .seconds(86_400)
            change(&settings)
            let coordinator = PersistentStoreCoordinator(model: try ItemStore.model())
            try coordinator.add(
                ServerStore(
                    url, namespace: ServerNamespace(name: "items"), directory: coordinator.directory, index: 0,
                    settings: settings))
            return coordinator
        }

        /// Saves an item with a number.
        func save(_ number: Int64, in coordinator: PersistentStoreCoordinator) throws {
            let context = ManagedObjectContext(coordinator: coordinator)
            _ = try context.insert("Item", number: number)
            try context.save()
        }

        /// Returns the numbers of all items, as a context that does not write sees them.
        func numbers(_ coordinator: PersistentStoreCoordinator) throws -> [ManagedValue] {
            let context = ManagedObjectContext(coordinator: coordinator, isReadOnly: true)
            return try context.all("Item").map { try $0.value(forKey: "number") }
        }

        func isOnStandby(_ reader: ServerReader) throws -> Bool {
            try reader.run(PostgresStatement("SELECT pg_is_in_recovery()")).required(row: 0, column: 0)
        }
    }
#endif
