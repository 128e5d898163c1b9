import DataMonkCore

/// **Value.** A part of an import's input: a chunk of rows, or fewer at the end.
struct ImportInputPart: Sendable {
    /// **Value.** The reason why there is nothing after a part.
    enum Ending: Sendable {
        case end
        /// The task that reads was cancelled.
        case cancelled
        case failed(any Error)
    }

    /// The rows, or `nil` if there are none; those before an error make no chunk.
    var rows: ChunkOfRows.Rows?
    /// The number of the row after them.
    var nextIndex = 0
    /// `nil` if there may be more.
    var ending: Ending?
}

/// **Confined** to one task at a time. The rows of an import, chunk by chunk.
///
/// It is read by tasks that come one after the other, so that the reading of a chunk can be cancelled by itself.
// @unchecked: a reading is begun when the one before it has ended (ImportRun), so that nothing is used by two tasks at once.
final class ImportInput<Rows: AsyncSequence & Sendable>: @unchecked Sendable where Rows.Element == ImportRow {
    private var rows: Rows.AsyncIterator
    private var chunk: ChunkOfRows

    init(_ rows: Rows, plan: ImportPlan, options: ImportOptions) {
        self.rows = rows.makeAsyncIterator()
        chunk = ChunkOfRows(plan: plan, options: options)
    }

    /// Reads a chunk.
    func next() async -> ImportInputPart {
        do {
            while let row = try await rows.next(isolation: nil) {
                if chunk.add(row) { return part(ending: nil) }
            }
            // Inputs may end instead of throwing when they are cancelled.
            if Task.isCancelled { return ImportInputPart(ending: .cancelled) }
            return part(ending: .end)
        } catch is CancellationError where Task.isCancelled {
            return ImportInputPart(ending: .cancelled)
        } catch {
            return ImportInputPart(ending: .failed(error))
        }
    }

    private func part(ending: ImportInputPart.Ending?) -> ImportInputPart {
        if chunk.isEmpty { return ImportInputPart(ending: ending) }
        let (rows, nextIndex) = chunk.take()
        return ImportInputPart(rows: rows, nextIndex: nextIndex, ending: ending)
    }
}
