import DataMonkCore

/// **Shared.** Runs one read on a thread of the worker pool.
actor ReadContext {
    private let executor = PoolExecutor()
    // nonisolated(unsafe): used on the executor's thread only, in a job or between two jobs.
    private nonisolated(unsafe) let graph: ManagedObjectContext

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ settings: UpdateSettings) {
        graph = ManagedObjectContext(coordinator: settings.stack.coordinator, isReadOnly: true)
        graph.faults.turn.endsWithEachCall = false
        graph.isOwnedByCaller = { [executor] in executor.isRunningOnCaller }
        executor.setAfterJob { [weak self] in self?.graph.endTurn() }
    }

    func run<Result: Sendable>(
        until deadline: ContinuousClock.Instant?,
        _ body: nonisolated(nonsending) @Sendable (Reader) async throws -> Result
    ) async throws -> Result {
        graph.deadline = deadline
        let reader = Reader(graph: graph)
        defer { reader.end() }
        let result = try await body(reader)
        if let failed = graph.failedAccesses.first { throw FetchError.unreadValues(failed.cause) }
        return result
    }
}
