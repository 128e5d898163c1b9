/// **Value.** The outcome of an import: each row is counted once.
///
///     print("\(report.inserted) new, \(report.updated) changed, \(report.unchanged) as before")
///     if report.failed > 0 { print(report.failures) }
public struct ImportReport: Sendable {
    /// The number of rows that became new objects.
    public package(set) var inserted = 0
    /// The number of rows that changed a stored object, an earlier row's object, or objects related to it.
    public package(set) var updated = 0
    /// The number of rows that said what was there already.
    public package(set) var unchanged = 0
    /// The number of rows that ``ImportHooks/shouldImport(_:)`` refused, or whose object the class's code has deleted.
    public package(set) var skipped = 0
    /// The number of rows that failed.
    public package(set) var failed = 0
    /// The number of objects that were made because a row's relationship leads to them: nested objects, and keys without an
    /// object. Those that are also rows of their own count as both.
    public package(set) var relatedInserted = 0
    /// Names in the rows that no property takes, so that their values are in no object; a hundred of them at most. Those of nested
    /// objects are not among them.
    public package(set) var unusedNames: Set<String> = []
    /// The first failures, as many as ``ImportOptions/keptFailures`` says.
    public package(set) var failures: [ImportFailure] = []
    /// The number of the first row whose chunk is not committed: where to go on, by ``ImportOptions/resumingAt``.
    public package(set) var nextIndex = 0
    /// A Boolean value indicating whether nothing was written, as ``ImportOptions/isDryRun`` asked for.
    public package(set) var isDryRun = false

    /// The number of rows, whatever became of them.
    public var rows: Int { inserted + updated + unchanged + skipped + failed }

    static let keptNames = 100

    package init() {}
}
