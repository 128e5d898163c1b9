package import DataMonkCore

/// **Value.** How a store of another version is migrated when it is opened.
package struct StoreMigrationOptions: Sendable {
    /// Versions of the model that the application still has, asked for where the store does not hold its own.
    package var earlierModels: @Sendable () throws -> [ManagedObjectModel]
    /// Told of each step before it is done, on the thread that opens the store. What it throws cancels the migration.
    package var observer: (@Sendable (MigrationProgress) throws -> Void)?

    package init(
        earlierModels: @escaping @Sendable () throws -> [ManagedObjectModel] = { [] },
        observer: (@Sendable (MigrationProgress) throws -> Void)? = nil
    ) {
        self.earlierModels = earlierModels
        self.observer = observer
    }
}
