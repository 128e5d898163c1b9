import DataMonkCore

/// **Value.** An import of a stack: reads rows in the calling task, and writes chunks of them in updates beside it.
struct ImportRun: Sendable {
    private let stack: Stack
    private let plan: ImportPlan
    private let options: ImportOptions
    private let settings: UpdateSettings
    private let lane = ImportLane()

    init(stack: Stack, plan: ImportPlan, options: ImportOptions) {
        self.stack = stack
        self.plan = plan
        self.options = options
        // A conflict is met by another attempt, never by a merge policy.
        settings = UpdateSettings(stack: stack, mergePolicy: .error, order: nil, deadline: nil)
    }

    private struct Chunk: Sendable {
        let number: Int
        let rows: ChunkOfRows.Rows
        let nextIndex: Int
    }

    private struct Ending: Sendable {
        let chunk: Chunk
        let result: Result<ChunkOutcome, any Error>
    }

    /// **Confined.** The chunks that are written, and what came of those before them.
    private struct Flight {
        var tally: ImportTally
        /// The error that ends the import.
        private(set) var failure: (any Error)?
        /// The chunk that the error is of; the largest number for one of the input, which is read beyond all chunks.
        private var failedChunk = Int.max
        private(set) var inFlight = 0
        private var number = 0

        init(_ options: ImportOptions) { tally = ImportTally(options) }

        mutating func begin(_ chunk: inout ChunkOfRows) -> Chunk {
            let (rows, nextIndex) = chunk.take()
            defer { number += 1 }
            inFlight += 1
            return Chunk(number: number, rows: rows, nextIndex: nextIndex)
        }

        mutating func end(_ ending: Ending) {
            inFlight -= 1
            switch ending.result {
            case .success(let outcome):
                tally.add(outcome, number: ending.chunk.number, nextIndex: ending.chunk.nextIndex)
            case .failure(let error):
                fail(error, in: ending.chunk.number)
            }
        }

        /// Notes an error. The first one in the order of the input counts: chunks after it are refused because of it.
        mutating func fail(_ error: any Error, in chunk: Int = .max) {
            if error is CancellationError {
                failure = failure ?? error
            } else if failure == nil || failure is CancellationError || chunk < failedChunk {
                (failure, failedChunk) = (error, chunk)
            }
        }

        func finish() throws -> ImportReport {
            switch failure {
            case nil: return tally.report
            case let error as CancellationError: throw error
            case let error as ImportError: throw error.with(tally.report)
            case let error?: throw ImportError.commitFailed(error, report: tally.report)
            }
        }
    }

    nonisolated(nonsending) func run<Rows: AsyncSequence & Sendable>(
        _ rows: Rows
    ) async throws -> ImportReport where Rows.Element == ImportRow {
        try requireTurns()
        var flight = Flight(options)
        await withTaskGroup(of: Ending.self) { group in
            do {
                try await read(rows, beginning: &flight, in: &group)
            } catch is CancellationError {
                flight.fail(CancellationError())
            } catch {
                flight.fail(ImportError.inputFailed(error))
            }
            while let ending = await group.next() { flight.end(ending) }
        }
        return try flight.finish()
    }

    /// Reads rows, and begins to write each chunk that is complete.
    private nonisolated(nonsending) func read<Rows: AsyncSequence & Sendable>(
        _ rows: Rows, beginning flight: inout Flight, in group: inout TaskGroup<Ending>
    ) async throws where Rows.Element == ImportRow {
        var chunk = ChunkOfRows(plan: plan, options: options)
        for try await row in rows {
            guard chunk.add(row) else { continue }
            while flight.inFlight >= options.chunksInFlight, let ending = await group.next() { flight.end(ending) }
            try Task.checkCancellation()
            if flight.failure != nil { return }
            let next = flight.begin(&chunk)
            group.addTask { await write(next) }
        }
        try Task.checkCancellation()
        if flight.failure != nil || chunk.isEmpty { return }
        let last = flight.begin(&chunk)
        group.addTask { await write(last) }
    }

    /// Throws if the import would wait for the update that calls it: under a serial order its chunks come after that.
    private func requireTurns() throws {
        guard let order = settings.order, let scope = UpdateScope.ofThisFlow, order.ticket(heldBy: scope.party) != nil
        else { return }
        throw UpdateError.wouldWaitForItself(waiter: Self.call, holder: order.holder?.call)
    }

    // MARK: Chunks

    private static let call = UpdateCall("importRows", file: #fileID, line: #line)

    /// Writes a chunk and commits it in its turn.
    private func write(_ chunk: Chunk) async -> Ending {
        do {
            let wanted = WantedObjects(chunk.rows.rows, of: plan)
            let keys = wanted.keys(of: plan)
            try await lane.waitToBegin(chunk.number)
            try await stack.importKeys.take(keys)
            defer { stack.importKeys.release(keys) }
            let context = UpdateContext(
                settings, mergePolicy: .error, through: settings.order.map { [$0] } ?? [])
            let outcome = try await context.step(Self.call, until: nil) { update in
                lane.didBegin(chunk.number)
                return try await commit(chunk, wanted: wanted, in: update)
            }
            lane.didCommit(chunk.number)
            return Ending(chunk: chunk, result: .success(outcome))
        } catch {
            lane.didFail(chunk.number)
            return Ending(chunk: chunk, result: .failure(error))
        }
    }

    private nonisolated(nonsending) func commit(
        _ chunk: Chunk, wanted: WantedObjects, in update: Update
    ) async throws -> ChunkOutcome {
        var attempts = ChunkImport(chunk.rows.rows, wanted: wanted, plan: plan, options: options)
        while true {
            guard let attempt = try attempts.attempt(in: update.graph) else { continue }
            try await lane.waitToCommit(chunk.number)
            try Task.checkCancellation()
            if options.isDryRun {
                update.graph.reset()
            } else {
                do { try update.commit() } catch {
                    try attempts.recover(from: error, of: attempt, in: update.graph)
                    continue
                }
            }
            return attempt.outcome.with(chunk.rows.unusedNames)
        }
    }
}

extension ImportError {
    static func inputFailed(_ error: any Error, report: ImportReport? = nil) -> ImportError {
        ImportError(
            .inputFailed,
            """
            The input ended with an error: \((error as? any DataMonkError)?.message ?? String(describing: error)) What whole \
            chunks hold is kept. Correct the input, and go on with resumingAt at the report's nextIndex.
            """, place: (error as? ImportError)?.place, underlyingError: error, report: report)
    }

    fileprivate static func commitFailed(_ error: any Error, report: ImportReport) -> ImportError {
        ImportError(
            .commitFailed,
            """
            A chunk could not be committed: \((error as? any DataMonkError)?.message ?? String(describing: error)) The chunks \
            before it are. Go on with resumingAt at the report's nextIndex.
            """, underlyingError: error, report: report)
    }

    /// Returns the error with a report.
    func with(_ report: ImportReport) -> ImportError {
        ImportError(
            code, message, entityName: entityName, key: key, place: place, underlyingError: underlyingError,
            report: report)
    }
}
