import DataMonkCore

/// **Shared.** Commits change sets on a thread of the worker pool, for code that must not wait for a disk.
actor StoreWriter {
    private let executor = PoolExecutor()
    private let coordinator: PersistentStoreCoordinator

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ coordinator: PersistentStoreCoordinator) { self.coordinator = coordinator }

    func commit(_ changes: ChangeSet, from origin: ContextID) throws -> CommitResult {
        try coordinator.commit(changes, from: origin)
    }
}
