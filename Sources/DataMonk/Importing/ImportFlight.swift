import DataMonkCore

/// **Confined.** The chunks of an import: the one that was read last, those that are written, and what came of those before.
///
///     no chunk --take--> a chunk --next, with room--> one more in flight --end--> counted
///     any error --> failure: no chunk is begun any more
struct ImportFlight {
    /// **Value.** Rows that are written together.
    struct Chunk: Sendable {
        let number: Int
        let rows: ChunkOfRows.Rows
        /// The number of the row after them.
        let nextIndex: Int
    }

    /// **Value.** A chunk that was committed, or was not.
    struct Ending: Sendable {
        let chunk: Chunk
        let result: Result<ChunkOutcome, any Error>
    }

    private let limit: Int
    private var tally: ImportTally
    /// The chunk that was read last, until there is room for it.
    private var waiting: Chunk?
    private var inFlight = 0
    private var number = 0
    /// Indicates whether the input has more rows, as far as is known.
    private(set) var expectsMore = true
    /// Indicates whether the import was cancelled before anything failed.
    private(set) var isCancelled = false
    /// The error that ends the import.
    private(set) var failure: (any Error)?
    /// The chunk that the error is of; the largest number for one of the input, which is read beyond all chunks.
    private var failedChunk = Int.max

    init(_ options: ImportOptions) {
        limit = options.chunksInFlight
        tally = ImportTally(options)
    }

    /// Takes what was read.
    mutating func take(_ part: ImportInputPart) {
        expectsMore = part.ending == nil
        if let rows = part.rows {
            waiting = Chunk(number: number, rows: rows, nextIndex: part.nextIndex)
            number += 1
        }
        switch part.ending {
        case nil, .end: break
        case .cancelled:
            // Also the end of a reading that is in vain.
            isCancelled = isCancelled || failure == nil
            fail(CancellationError(), in: .max)
        case .failed(let error): fail(ImportError.inputFailed(error, report: tally.report), in: .max)
        }
    }

    /// Returns a chunk to be written now, or `nil` if there is none, or no room for it.
    mutating func next() -> Chunk? {
        guard failure == nil, inFlight < limit, let chunk = waiting else { return nil }
        waiting = nil
        inFlight += 1
        return chunk
    }

    /// Takes the ending of a chunk.
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
    private mutating func fail(_ error: any Error, in chunk: Int) {
        if error is CancellationError {
            failure = failure ?? error
        } else if failure == nil || failure is CancellationError || chunk < failedChunk {
            (failure, failedChunk) = (error, chunk)
        }
    }

    /// Returns the report when nothing is in flight.
    ///
    /// - Throws: The error that has ended the import, with the report; `CancellationError` if the task was cancelled.
    func finish() throws -> ImportReport {
        switch failure {
        case nil: return tally.report
        case is CancellationError where isCancelled || Task.isCancelled: throw CancellationError()
        case let error as ImportError: throw error.with(tally.report)
        case let error?: throw ImportError.commitFailed(error, report: tally.report)
        }
    }
}

extension ImportError {
    static func inputFailed(_ error: any Error, report: ImportReport) -> ImportError {
        let remedy =
            report.isDryRun
            ? "Nothing was written. Correct the input."
            : """
            What whole chunks hold is kept. Correct the input, and go on with resumingAt at the report's nextIndex.
            """
        return ImportError(
            .inputFailed,
            """
            The input ended with an error: \((error as? any DataMonkError)?.message ?? String(describing: error)) \(remedy)
            """, place: (error as? ImportError)?.place, underlyingError: error, report: report)
    }

    static func commitFailed(_ error: any Error, report: ImportReport) -> ImportError {
        if let code = (error as? StoreError)?.code, code == .outcomeUnknown || code == .savedInPart {
            return outcomeUnknown(error, report: report)
        }
        let reason = (error as? any DataMonkError)?.message ?? String(describing: error)
        let message =
            report.isDryRun
            ? "The dry run could not go on: \(reason) Nothing was written."
            : """
            A chunk could not be written: \(reason) The chunks before it are. Go on with resumingAt at the report's nextIndex.
            """
        return ImportError(.commitFailed, message, underlyingError: error, report: report)
    }

    private static func outcomeUnknown(_ error: any Error, report: ImportReport) -> ImportError {
        ImportError(
            .outcomeUnknown,
            """
            A chunk may have been written, or a part of it: \((error as? any DataMonkError)?.message ?? String(describing: error)) \
            The chunks before it are. Rows whose entities have keys can be imported again, with resumingAt at the report's \
            nextIndex. Of other rows, look in the store which are there first: each would become another object.
            """, underlyingError: error, report: report)
    }

    /// Returns the error with a report.
    func with(_ report: ImportReport) -> ImportError {
        ImportError(
            code, message, entityName: entityName, key: key, place: place, underlyingError: underlyingError,
            report: report)
    }
}
