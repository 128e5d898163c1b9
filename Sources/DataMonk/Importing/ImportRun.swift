import DataMonkCore

/// **Value.** An import of a stack: reads chunks of rows, and writes them in updates beside that.
///
///     a chunk is read --fewer than chunksInFlight are written--> it is written, and the next one read
///         +--otherwise it waits for the end of one
///     anything has failed --> the reading is cancelled; what was begun before the failed chunk is committed
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

    private enum Event: Sendable {
        case read(ImportInputPart)
        case written(ImportFlight.Ending)
    }

    nonisolated(nonsending) func run<Rows: AsyncSequence & Sendable>(
        _ rows: Rows
    ) async throws -> ImportReport where Rows.Element == ImportRow {
        try requireTurns()
        let input = ImportInput(rows, plan: plan, options: options)
        var flight = ImportFlight(options)
        await withTaskGroup(of: Event.self) { group in
            var reading = read(input, in: &group)
            while let event = await group.next() {
                switch event {
                case .read(let part): flight.take(part)
                case .written(let ending): flight.end(ending)
                }
                if flight.isCancelled { group.cancelAll() }
                // An input may have nothing to say for hours, and would be read in vain.
                if flight.failure != nil { reading.finish() }
                guard let chunk = flight.next() else { continue }
                group.addTask { .written(await write(chunk)) }
                if flight.expectsMore { reading = read(input, in: &group) }
            }
        }
        return try flight.finish()
    }

    /// Begins to read the next chunk. The reading is cancelled by itself, as members of a group cannot be, when the stream
    /// that is returned ends.
    private func read<Rows>(
        _ input: ImportInput<Rows>, in group: inout TaskGroup<Event>
    ) -> AsyncStream<Never>.Continuation {
        let (stops, stop) = AsyncStream.makeStream(of: Never.self)
        // Tasks within tasks: all that an import does is done by the executor that its caller prefers.
        group.addTask {
            await withTaskGroup(of: ImportInputPart?.self) { reading in
                reading.addTask { await input.next() }
                reading.addTask {
                    for await _ in stops {}
                    return nil
                }
                var part: ImportInputPart?
                for await ended in reading {
                    part = part ?? ended
                    reading.cancelAll()
                }
                return .read(part ?? ImportInputPart(ending: .cancelled))
            }
        }
        return stop
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
    private func write(_ chunk: ImportFlight.Chunk) async -> ImportFlight.Ending {
        do {
            let wanted = WantedObjects(chunk.rows.rows, of: plan)
            let keys = wanted.keys(of: plan)
            try await lane.waitToBegin(chunk.number)
            let claim = try await stack.importKeys.take(keys)
            defer { stack.importKeys.release(claim) }
            let context = UpdateContext(
                settings, mergePolicy: .error, through: settings.order.map { [$0] } ?? [])
            let outcome = try await context.step(Self.call, until: nil) { update in
                lane.didBegin(chunk.number)
                return try await commit(chunk, wanted: wanted, in: update)
            }
            lane.didCommit(chunk.number)
            return ImportFlight.Ending(chunk: chunk, result: .success(outcome))
        } catch {
            lane.didFail(chunk.number)
            return ImportFlight.Ending(chunk: chunk, result: .failure(error))
        }
    }

    private nonisolated(nonsending) func commit(
        _ chunk: ImportFlight.Chunk, wanted: WantedObjects, in update: Update
    ) async throws -> ChunkOutcome {
        // Otherwise its objects would be looked for before the chunks before it have changed their keys.
        if plan.isMatchedInOrder { try await lane.waitToCommit(chunk.number) }
        var attempts = ChunkImport(
            chunk.rows.rows, wanted: wanted, plan: plan, options: options, regardsStoredValues: true)
        while true {
            // A chunk with many failing rows takes many attempts.
            try Task.checkCancellation()
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
