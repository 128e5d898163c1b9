import DataMonkCore

/// **Confined.** An import into the unsaved changes of a context: each chunk is a child that is saved into it, so that a row
/// that fails takes nothing else back.
struct ImportIntoContext {
    private let parent: ManagedObjectContext
    private let plan: ImportPlan
    private let options: ImportOptions
    private var tally: ImportTally
    private var chunk: ChunkOfRows
    private var number = 0

    init(parent: ManagedObjectContext, plan: ImportPlan, options: ImportOptions) {
        self.parent = parent
        self.plan = plan
        self.options = options
        tally = ImportTally(options)
        chunk = ChunkOfRows(plan: plan, options: options)
    }

    /// The outcome so far.
    var report: ImportReport { tally.report }

    mutating func add(_ row: ImportRow) throws {
        if chunk.add(row) { try write() }
    }

    mutating func finish() throws -> ImportReport {
        if !chunk.isEmpty { try write() }
        return tally.report
    }

    private mutating func write() throws {
        try Task.checkCancellation()
        let (rows, nextIndex) = chunk.take()
        let child = ManagedObjectContext(parent: parent)
        var attempts = ChunkImport(
            rows.rows, wanted: WantedObjects(rows.rows, of: plan), plan: plan, options: options,
            regardsStoredValues: false)
        do {
            while true {
                try Task.checkCancellation()
                guard let attempt = try attempts.attempt(in: child) else { continue }
                if options.isDryRun {
                    child.reset()
                } else {
                    do { try child.save() } catch {
                        try attempts.recover(from: error, of: attempt, in: child)
                        continue
                    }
                }
                tally.add(attempt.outcome.with(rows.unusedNames), number: number, nextIndex: nextIndex)
                number += 1
                return
            }
        } catch let error as ImportError {
            throw error.with(tally.report)
        } catch is CancellationError where Task.isCancelled {
            throw CancellationError()
        } catch {
            throw ImportError.commitFailed(error, report: tally.report)
        }
    }
}

@available(*, unavailable)
extension ImportIntoContext: Sendable {}
