/// **Shared.** Reads and writes whole stores on a thread of the update pool, for callers that must not wait for a disk.
actor StoreWorker {
    private let executor = PoolExecutor()

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result { try body() }
}
