import DataMonkCore

/// **Shared.** Runs one read on a thread of the worker pool.
actor ReadContext {
    private let executor = PoolExecutor()
    // nonisolated(unsafe): used on the executor's thread only, in a job or between two jobs.
    private nonisolated(unsafe) let graph: ManagedObjectContext

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ settings: UpdateSettings) {
        graph = ManagedObjectContext(coordinator: settings.stack.coordinator, isReadOnly: true)
        graph.setOwner(isCaller: { [executor] in executor.isRunningOnCaller })
        executor.beginStep { [weak self] in self?.graph.endTurn() }
    }

    nonisolated(nonsending) func run<Result: Sendable>(
        _ call: UpdateCall, until deadline: ContinuousClock.Instant?,
        body: nonisolated(nonsending) @Sendable (Reader) async throws -> Result
    ) async throws -> Result {
        // The wait for a thread counts as well.
        let timer = deadline.map { executor.beginDeadline($0) }
        return try await runHere(call, until: deadline, timer: timer, body: body)
    }

    /// Runs a body that cannot suspend, and returns with its result what it has read.
    func recording<Result: Sendable>(
        _ body: @Sendable (Reader) throws -> Result
    ) throws -> (Result, ReadRegion) {
        let reader = Reader(graph: graph)
        defer { reader.end() }
        let recorded = try graph.recordingReads { try body(reader) }
        try graph.requireCompleteReads()
        return recorded
    }

    private func runHere<Result: Sendable>(
        _ call: UpdateCall, until deadline: ContinuousClock.Instant?, timer: DeadlineTimer?,
        body: nonisolated(nonsending) @Sendable (Reader) async throws -> Result
    ) async throws -> Result {
        if let timer { executor.endDeadline(timer) }
        if let deadline {
            if deadline <= .now { throw UpdateError.deadlinePassed(withoutThread: call) }
            graph.deadlineOfCaller = { deadline }
        }
        let reader = Reader(graph: graph)
        defer { reader.end() }
        let result = try await body(reader)
        try graph.requireCompleteReads()
        return result
    }
}
