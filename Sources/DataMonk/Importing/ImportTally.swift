/// **Value.** Counts the outcomes of chunks in the order of the input, whatever order they end in.
struct ImportTally {
    private(set) var report = ImportReport()
    private let options: ImportOptions
    /// The chunks that have ended before an earlier one.
    private var early: [Int: (outcome: ChunkOutcome, nextIndex: Int)] = [:]
    private var next = 0

    init(_ options: ImportOptions) {
        self.options = options
        report.nextIndex = options.resumingAt
        report.isDryRun = options.isDryRun
    }

    /// Counts a chunk that is committed.
    ///
    /// - Parameters:
    ///   - number: Its number, from 0.
    ///   - nextIndex: The number of the row after it.
    mutating func add(_ outcome: ChunkOutcome, number: Int, nextIndex: Int) {
        early[number] = (outcome, nextIndex)
        while let chunk = early.removeValue(forKey: next) {
            next += 1
            count(chunk.outcome)
            report.nextIndex = chunk.nextIndex
            options.progress?(report)
        }
    }

    private mutating func count(_ outcome: ChunkOutcome) {
        for row in outcome.rows {
            switch row {
            case .inserted: report.inserted += 1
            case .updated: report.updated += 1
            case .unchanged: report.unchanged += 1
            case .skipped: report.skipped += 1
            case .failed(let failure):
                report.failed += 1
                if report.failures.count < options.keptFailures { report.failures.append(failure) }
            }
        }
        report.relatedInserted += outcome.relatedInserted
        report.unusedNames.formUnion(outcome.unusedNames.prefix(ImportReport.keptNames - report.unusedNames.count))
    }
}
