import DataMonkCore

/// **Confined.** An import into the unsaved changes of a context.
struct ImportIntoContext {
    var report = ImportReport()

    init(parent: ManagedObjectContext, plan: ImportPlan, options: ImportOptions) {}
    mutating func add(_ row: ImportRow) throws { report.failed += 1 }
    mutating func finish() throws -> ImportReport { report }
}

extension ImportError {
    static func inputFailed(_ error: any Error, _ report: ImportReport) -> ImportError {
        ImportError(
            .inputFailed, "The input ended with an error: \(error)", underlyingError: error, report: report)
    }
}
