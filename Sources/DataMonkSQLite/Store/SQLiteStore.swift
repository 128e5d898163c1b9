package import DataMonkCore
import DataMonkSQL
package import Foundation

/// **Shared.** The embedded store: a file in Core Data's format, one writer, a bounded pool of readers.
///
/// Readers are WAL snapshots: they never wait for the writer, nor it for them. The writer belongs to the transaction at
/// work, of which the commit queue lets one be at a time; between two of them it rests at the `desk`.
package final class SQLiteStore: PersistentStore {
    package let identifier: UUID
    package let configuration: String?
    package let fileURL: URL
    package var url: URL? { fileURL }
    package let isReadOnly: Bool

    let directory: ObjectDirectory
    /// The store's place among the coordinator's stores: part of its objects' keys.
    let index: Int
    let plans: SQLiteStatements
    /// Where large values lie; nil where no attribute of the model asks for it.
    let externalData: ExternalDataFolder?
    /// How the history is kept; nil where it is not.
    let history: (schema: HistorySchema, tables: HistoryTables)?
    /// Where the files lie, and whether they still do.
    let files: StoreFiles
    private let readers: ReaderPool
    let desk: WriterDesk
    let checkpointer: Checkpointer
    /// Opens another writer in the place of one that is spent.
    private let reopenWriter: @Sendable () throws -> SQLiteWriter

    init(
        identifier: UUID, configuration: String?, fileURL: URL, isReadOnly: Bool, directory: ObjectDirectory,
        index: Int,
        plans: SQLiteStatements, externalData: ExternalDataFolder?,
        history: (schema: HistorySchema, tables: HistoryTables)?, files: StoreFiles, readers: ReaderPool,
        writer: sending SQLiteWriter, reopenWriter: @escaping @Sendable () throws -> SQLiteWriter,
        checkpointer: Checkpointer
    ) {
        self.identifier = identifier
        self.configuration = configuration
        self.fileURL = fileURL
        self.isReadOnly = isReadOnly
        self.directory = directory
        self.index = index
        self.plans = plans
        self.externalData = externalData
        self.history = history
        self.files = files
        self.readers = readers
        desk = WriterDesk(writer)
        self.checkpointer = checkpointer
        self.reopenWriter = reopenWriter
    }

    package func openReader() throws -> any StoreReader {
        try StoreError.translatingFailures(of: fileURL) { try SQLiteReader(readers.lease(), store: self) }
    }

    package func beginTransaction() throws -> any StoreTransaction {
        if isReadOnly { throw StoreError.openedReadOnly(fileURL) }
        guard var writer = desk.takeWriter() else { throw StoreError.storeIsClosed(fileURL) }
        return try StoreError.translatingFailures(of: fileURL) {
            do {
                if writer.isSpent { writer = try replacement(for: writer) }
                return try SQLiteTransaction(writer, store: self)
            } catch {
                writer.note(error)
                desk.giveBack(writer)
                throw error
            }
        }
    }

    package func observeForeignCommits(_ observer: @escaping ForeignCommitObserver) { desk.observe(observer) }

    /// A writer over a new connection, which holds its locks before the old one lets go of them: nobody comes between.
    ///
    /// A commit that failed with its sync is not in what the new connection sees: SQLite makes a commit known, in the index of
    /// the log, only after its sync. Its frames lie behind the end of the log and are written over by what comes next. So
    /// it can be written again, under the version checks of any other commit. What others have committed since the old one
    /// looked counts as unknown.
    private func replacement(for spent: SQLiteWriter) throws -> SQLiteWriter {
        let writer = try reopenWriter()
        try writer.connection.transaction(.immediate) { try writer.connection.rewriteLog() }
        desk.replaceWriter(by: writer)
        spent.connection.abandon()
        return writer
    }

    /// The folder beside a store file that holds its large values.
    package static func externalDataFolder(of fileURL: URL) -> URL { ExternalDataFolder.url(of: fileURL) }

    /// The highest primary key given out, of an entity at the top of its tree.
    ///
    /// `Z_MAX` alone is not trusted: other programs leave it too small, or write no number, and every insert would then be
    /// refused for ever. The highest key of the table is one step into its B-tree.
    func lastPrimaryKey(ofEntityNumber number: Int, _ connection: SQLiteConnection) throws -> Int64 {
        try connection.withStatement(plans.lastPrimaryKey(ofEntityNumber: number)) { statement in
            defer { statement.reset() }
            statement.bind(Int64(number), at: 1)
            return try statement.step() ? max(statement.int64(at: 0), statement.int64(at: 1)) : 0
        }
    }

    package func close() throws {
        readers.close()
        checkpointer.close()
        guard let writer = desk.removeWriter() else { return }
        defer { externalData?.release() }
        // What lies beside another file may be that one's.
        if !isReadOnly, let failure = failureOfFiles() { return try closeElsewhere(writer, failure) }
        if let externalData, externalData.hasOrphans, !isReadOnly { sweep(externalData, writer.connection) }
        try StoreError.translatingFailures(of: fileURL) {
            if writer.isSpent {
                // A checkpoint of its own could rest on a sync that is not one. If no other can be had, the log stays.
                defer { writer.connection.abandon() }
                return try replacement(for: writer).connection.close()
            }
            try writer.connection.close()
        }
    }

    /// Why the files are not where they were; `nil` if they are, or if nobody can look.
    private func failureOfFiles() -> StoreError? {
        // Reason for try?: what it throws is asked for in the next line, unless it is no answer.
        try? files.checkAll()
        return files.knownFailure
    }

    /// Closes a store whose files are not where they were. What the log holds goes into the database, wherever that is by
    /// now, and an emptied log cannot be laid over another one; but not if somebody else's log or index lies there.
    private func closeElsewhere(_ writer: SQLiteWriter, _ failure: StoreError) throws {
        defer { writer.connection.abandon() }
        if files.hasForeignLog || writer.isSpent { throw failure }
        do {
            try writer.connection.checkpoint(.truncate, waitingAtMost: .zero)
        } catch {
            var failure = failure
            failure.underlyingError = error
            throw failure
        }
    }

    /// An error of writing an object, with the object's entity and address.
    @inline(never)
    func naming(_ key: ObjectKey, _ error: any Error) -> any Error {
        guard var error = error as? StoreError, error.objectURI == nil else { return error }
        error.entityName = directory.layout(of: key).entity.name
        error.objectURI = directory.uri(of: key).absoluteString
        return error
    }
}
