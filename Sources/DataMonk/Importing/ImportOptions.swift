/// **Value.** The options of an import.
///
///     var options = ImportOptions()
///     options.progress = { report in print(report.rows) }
///     let report = try await stack.importRows(Person.self, from: rows, options: options)
public struct ImportOptions: Sendable {
    /// The number of rows that are matched with a query for each entity, and committed together. A chunk ends earlier when its
    /// values have 16 MB.
    ///
    /// - Precondition: At least 1.
    public var chunkSize = 1_000
    /// The number of chunks that are in memory and worked on at a time: while one is written, the next one is matched, and the
    /// one after it read. Their commits have the order of the input.
    ///
    /// - Precondition: At least 1. An import inside of an update has one at a time.
    public var chunksInFlight = 2
    /// The row to begin with; the rows before it are read and passed over. It is the ``ImportReport/nextIndex`` of an import
    /// that has ended early.
    public var resumingAt = 0
    /// A Boolean value indicating whether the first row that fails ends the import: its chunk is not committed, and the call
    /// throws an ``ImportError`` with the code `rowFailed`.
    public var stopsAtFirstFailure = false
    /// The number of failures that the report keeps. It counts the others.
    public var keptFailures = 100
    /// A Boolean value indicating whether nothing is written: the report tells what would be. Rows of the same key in different
    /// chunks each count as inserted.
    ///
    /// Rows fail as they otherwise would, also by what `willSave` makes of objects, and, in imports into a stack, by values
    /// that must be unique and that other objects in the store have. Only a commit finds that the disk is full, and calls the observers of a save.
    public var isDryRun = false
    /// The number of times that a chunk runs again after others have committed what it read.
    public var retries = 10
    /// Called after each chunk, in their order, with the report so far.
    public var progress: (@Sendable (ImportReport) -> Void)?

    /// Creates the default options.
    public init() {}
}
