import DataMonkCore

/// **Confined.** An import of a stack.
struct ImportRun {
    let stack: Stack
    let plan: ImportPlan
    let options: ImportOptions

    nonisolated(nonsending) func run<Rows: AsyncSequence & Sendable>(_ rows: Rows) async throws -> ImportReport
    where Rows.Element == ImportRow {
        var report = ImportReport()
        for try await _ in rows { report.failed += 1 }
        return report
    }
}
