package import DataMonkCore
import DataMonkSQL
package import Foundation

/// **Shared.** The embedded store: a file in Core Data's format, one writer, and a bounded pool of readers.
///
/// Readers are WAL snapshots: readers and the writer never wait for each other. The writer belongs to the running
/// transaction; the commit queue runs one at a time. Between transactions the writer rests at the `desk`.
package final class SQLiteStore: PersistentStore {
    package let identifier: UUID
    package let configuration: String?
    package let fileURL: URL
    package var url: URL? { fileURL }
    package let isReadOnly: Bool

    let directory: ObjectDirectory
    /// The index of the store among the coordinator's stores, which is part of its objects' keys.
    let index: Int
    let plans: SQLiteStatements
    /// The folder of large values; `nil` if no attribute of the model uses external storage.
    let externalData: ExternalDataFolder?
    /// The store's files, and checks that they are still in place.
    let files: StoreFiles
    private let readers: ReaderPool
    let desk: WriterDesk
    let checkpointer: Checkpointer
    /// Opens a new writer in place of a spent one.
    private let reopenWriter: @Sendable () throws -> SQLiteWriter

    init(
        identifier: UUID, configuration: String?, fileURL: URL, isReadOnly: Bool, directory: ObjectDirectory,
        index: Int, plans: SQLiteStatements, externalData: ExternalDataFolder?, files: StoreFiles, readers: ReaderPool,
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
        self.files = files
        self.readers = readers
        desk = WriterDesk(writer)
        self.checkpointer = checkpointer
        self.reopenWriter = reopenWriter
    }

    package func openReader(until deadline: () -> ContinuousClock.Instant?) throws -> any StoreReader {
        try openSQLiteReader()
    }

    /// - Parameter limit: The longest wait for a connection, if it is shorter than the pool's.
    func openSQLiteReader(waitingAtMost limit: Duration? = nil) throws -> SQLiteReader {
        try StoreError.translatingFailures(of: fileURL) {
            try SQLiteReader(readers.lease(waitingAtMost: limit), store: self)
        }
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
                desk.checkIn(writer)
                throw error
            }
        }
    }

    package func observeForeignCommits(_ observer: @escaping ForeignCommitObserver) { desk.observe(observer) }

    package func watchForeignCommits(_ block: @escaping @Sendable () -> Void) -> (any AnyObject & Sendable)? {
        // The log lies beside the file that a link leads to.
        let path = fileURL.resolvingSymlinksInPath().path
        let log = path + "-wal"
        // Without a log, which a store has unless it is read-only, commits are written into the file itself.
        let watched = FileManager.default.fileExists(atPath: log) ? log : path
        return ForeignCommitWatch(
            path: watched,
            refused: { [directory, fileURL] code in
                directory.report(StoreError.unwatched(watched, code, in: fileURL))
            }, look: block)
    }

    package func lookForForeignCommits() throws -> ForeignCommitStatus {
        try StoreError.translatingFailures(of: fileURL) { try desk.tellForeignCommits().status }
    }

    /// Returns a writer on a new connection, which takes its locks before the old one releases its own, so that no other
    /// program can intervene.
    ///
    /// A commit whose sync failed is not visible to the new connection: SQLite publishes a commit in the log's index only
    /// after the sync. Its frames lie beyond the end of the log, where a recovery would still find them, so the new writer
    /// overwrites the first of them. The commit can therefore be repeated, under the version checks of any other commit.
    /// Commits by others since the old connection last looked count as unknown.
    func replacement(for spent: SQLiteWriter) throws -> SQLiteWriter {
        let writer = try reopenWriter()
        if !isReadOnly {
            try writer.connection.transaction(.immediate) {
                try writer.connection.rewriteLog()
                try writer.connection.writeFirstPage()
            }
        }
        desk.replaceWriter(by: writer)
        spent.connection.abandon()
        return writer
    }

    /// Returns the folder beside a store file that contains its large values.
    package static func externalDataFolder(of fileURL: URL) -> URL { ExternalDataFolder.url(of: fileURL) }

    /// Returns the highest assigned primary key of a root entity.
    ///
    /// `Z_MAX` alone is not trusted: other programs leave it too small, or write something that is not a number, and every
    /// insert would then be refused forever. Finding the highest key in the table takes a single step into its B-tree.
    func lastPrimaryKey(ofEntityNumber number: Int, _ connection: SQLiteConnection) throws -> Int64 {
        try connection.withStatement(plans.lastPrimaryKey(ofEntityNumber: number)) { statement in
            statement.bind(Int64(number), at: 1)
            return try statement.step() ? max(statement.int64(at: 0), statement.int64(at: 1)) : 0
        }
    }

    package func close() throws {
        readers.close()
        checkpointer.close()
        guard var writer = desk.removeWriter() else { return }
        defer { externalData?.release() }
        // A transaction is open here if it could not be rolled back, for lack of memory.
        try StoreError.translatingFailures(of: fileURL) {
            do { try writer.connection.rollback() } catch {
                writer.connection.abandon()
                throw error
            }
        }
        // Files beside another store file may belong to that one.
        if !isReadOnly, let failure = failureOfFiles() { return try closeElsewhere(writer, failure: failure) }
        try StoreError.translatingFailures(of: fileURL) {
            if writer.isSpent { writer = try successor(of: writer) }
            if let externalData, externalData.hasOrphans, !isReadOnly { sweep(externalData, by: writer) }
            if !writer.isSpent {
                do { return try writer.connection.close() } catch {
                    writer.note(error)
                    guard writer.isSpent else { throw error }
                    directory.report(StoreError.failedCheckpoint(error, pages: writer.connection.logPages, in: fileURL))
                }
            }
            try successor(of: writer).connection.close()
        }
    }

    /// Returns a writer that takes the place of a spent one for closing: a checkpoint by that one could rely on a failed sync.
    /// If no other connection can be opened, the log stays.
    private func successor(of spent: SQLiteWriter) throws -> SQLiteWriter {
        do { return try replacement(for: spent) } catch {
            spent.connection.abandon()
            throw error
        }
    }

    /// Returns the error if the files are not in place; `nil` if they are, or if they cannot be examined.
    private func failureOfFiles() -> StoreError? {
        // Reason for try?: the next line returns the error, unless it says nothing about the files' places.
        try? files.checkAll()
        return files.knownFailure
    }

    /// Closes a store whose files are not in place. The contents of the log are moved into the database, wherever that is by
    /// now, because an emptied log cannot damage another database. Nothing is moved if another store's log or index has
    /// taken its place.
    private func closeElsewhere(_ writer: SQLiteWriter, failure: StoreError) throws {
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

    /// Adds the object's entity and URI to an error of writing the object.
    @inline(never)
    func naming(_ key: ObjectKey, in error: any Error) -> any Error {
        guard var error = error as? StoreError, error.objectURI == nil else { return error }
        error.entityName = directory.layout(of: key).entity.name
        error.objectURI = directory.uri(of: key).absoluteString
        return error
    }
}
