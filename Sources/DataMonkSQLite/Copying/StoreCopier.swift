package import DataMonkCore
package import DataMonkSQL
package import Foundation

/// **Confined.** Copies a store that may be in use, with its external data.
///
/// ```
/// lock the folder     shared: nobody sweeps files of external data meanwhile
/// take a snapshot     the state that is copied
/// copy the pages      SQLite's online backup, in steps
/// copy the files      those that rows of the snapshot refer to, which never change
/// publish             one step; see `NewStoreFile`
/// ```
/// In a folder that is read-only, the pages come from a private copy; see `SQLiteConnection.reading`. The snapshot keeps
/// nobody from committing: in WAL mode, readers and writers do not wait for each other. It keeps the log from starting over,
/// so the log grows by what is committed meanwhile.
///
/// SQLite's backup is preferred to `VACUUM INTO` because it goes in steps, between which it reports progress and can be
/// cancelled, because it reads each page once and needs no computation, and because the copy is the same file, free pages and
/// all: an examination of the copy finds what is wrong with the original.
package struct StoreCopier {
    /// The copy.
    let file: NewStoreFile
    private let storeURL: URL
    /// The folder for external data of the original.
    let source: ExternalDataFolder
    private let busyTimeout: Duration

    // MARK: A backup

    /// Copies a store to a new file.
    ///
    /// - Parameters:
    ///   - url: The store, open or not.
    ///   - target: The place of the copy, where nothing is yet.
    ///   - schema: Returns the store's schema, which tells the columns that refer to external data; `nil` to copy all files.
    ///     Called within the snapshot that is copied.
    ///   - busyTimeout: The maximum time to wait for a program that has the store locked.
    ///   - allowsMissingFiles: Whether the copy is made although rows refer to files that do not exist.
    ///   - observer: Called with the progress. An error that it throws ends the copy.
    ///   - prepare: Called before the copy takes the place of a store that is there and that the caller has locked; `nil` if
    ///     there is none.
    /// - Throws: ``StoreError``, with the code `fileNotFound` for missing files that are not allowed; `CancellationError` if
    ///   the task is cancelled. Nothing is left at the target then, or the store that was there.
    package static func backUp(
        _ url: URL, to target: URL, busyTimeout: Duration = .seconds(5),
        schema: (SQLiteConnection) throws -> StoreSchema?, allowsMissingFiles: Bool = true,
        observer: (StoreBackup.Progress) throws -> Void = { _ in }, replacingAfter prepare: (() throws -> Void)? = nil
    ) throws -> StoreBackup {
        // The external data of a store lies beside the name by which it is opened. That may be a link, which SQLite follows.
        let isBesideName = FileManager.default.fileExists(atPath: ExternalDataFolder.url(of: url).path)
        return try withCopier(
            of: url, filesURL: isBesideName ? url : url.resolvingSymlinksInPath(), to: target, replaces: prepare != nil,
            busyTimeout: busyTimeout
        ) { copier in
            let backup = try copier.backUp(schema, observer)
            if !allowsMissingFiles, let first = backup.missingFiles.first {
                throw StoreError.missingFiles(
                    first, count: backup.missingFiles.count, of: url, in: copier.source.storeURL)
            }
            try prepare?()
            try copier.file.publish()
            return backup
        }
    }

    /// Returns the schema of a store by the model inside it, or `nil` if that cannot be read.
    package static func storedSchema(of url: URL, on connection: SQLiteConnection) -> StoreSchema? {
        // Reason for try?: without a model, it is unknown to which files rows refer, and all of them are copied.
        guard let facts = try? StoreFacts(on: connection, at: url), let model = try? facts.model(url) else {
            return nil
        }
        return StoreSchema(
            model: model, members: model.entities.filter { facts.metadata.versionHashes[$0.name] != nil })
    }

    private func backUp(
        _ schema: (SQLiteConnection) throws -> StoreSchema?, _ observer: (StoreBackup.Progress) throws -> Void
    ) throws -> StoreBackup {
        var names: Set<UUID> = []
        var (databaseBytes, totalBytes): (Int64, Int64) = (0, 0)
        func report(_ completed: Int64) throws {
            try observer(StoreBackup.Progress(completedByteCount: completed, totalByteCount: totalBytes))
        }
        var pageSize: Int64 = 0
        try copyDatabase { connection in
            names = try schema(connection).map { try connection.externalDataNames(in: $0) } ?? source.identifiers()
            pageSize = try connection.int64("PRAGMA page_size")
            databaseBytes = try connection.int64("PRAGMA page_count") * pageSize
            totalBytes = try names.reduce(databaseBytes) { try $0 + (source.size(of: $1) ?? 0) }
        } observer: { copied in
            try report(Int64(copied) * pageSize)
        }
        var completed = databaseBytes
        let missing = try copyFiles(names) { size in
            completed += size
            try report(completed)
        }
        try report(totalBytes)
        return StoreBackup(
            url: file.url, byteCount: completed, externalFileCount: names.count - missing.count, missingFiles: missing)
    }

    // MARK: Parts

    /// Makes a new file and passes it on, with the folder of external data locked.
    ///
    /// - Parameters:
    ///   - filesURL: The store beside which the external data lies; `nil` for the one at `url`.
    ///   - replaces: Whether there is a store at the place, which the caller has locked.
    ///   - needsFolder: Whether a folder that cannot be opened is an error. Otherwise its files cannot be read.
    static func withCopier<Result>(
        of url: URL, filesURL: URL? = nil, to target: URL, replaces: Bool = false, needsFolder: Bool = true,
        busyTimeout: Duration = .seconds(5), _ body: (StoreCopier) throws -> Result
    ) throws -> Result {
        try StoreError.translatingFailures(of: url) {
            let file = try NewStoreFile(at: target, replaces: replaces)
            do {
                let source = ExternalDataFolder(storeURL: filesURL ?? url, lockTimeout: busyTimeout)
                do {
                    _ = try source.open(creating: false)
                } catch let error as StoreError where !needsFolder && error.isOfUnreadableFile {
                    // Each of its files is told.
                }
                return try body(
                    StoreCopier(file: file, storeURL: url, source: source, busyTimeout: busyTimeout))
            } catch {
                file.discard()
                throw error
            }
        }
    }

    /// Copies the database as it is now.
    ///
    /// - Parameters:
    ///   - prepare: Called within the snapshot.
    ///   - observer: Called with the number of pages copied so far.
    func copyDatabase(
        _ prepare: (SQLiteConnection) throws -> Void = { _ in }, observer: (Int) throws -> Void = { _ in }
    ) throws {
        try SQLiteConnection.reading(storeURL, label: "backup", busyTimeout: busyTimeout) { connection in
            try file.reset()
            try connection.beginSnapshot()
            try StoreExaminer.requireStore(connection.schemaObjects(), storeURL)
            try prepare(connection)
            try connection.copyPages(to: file.partialURL) { copied, _ in
                try Task.checkCancellation()
                try observer(copied)
            }
            try connection.rollback()
        }
    }

    /// Copies files of external data.
    ///
    /// - Parameters:
    ///   - skipsUnreadable: Whether files that cannot be read count as missing. Otherwise they are errors.
    ///   - observer: Called with the number of bytes of each part.
    /// - Returns: The names of missing files, in order.
    func copyFiles(
        _ names: Set<UUID>, skipsUnreadable: Bool = false, _ observer: (Int64) throws -> Void = { _ in }
    ) throws -> [String] {
        try names.sorted { $0.uuidString < $1.uuidString }.filter { name in
            do {
                return try !file.copy(name, from: source) { size in
                    try Task.checkCancellation()
                    try observer(size)
                }
            } catch let unreadable as UnreadableFile {
                guard skipsUnreadable else { throw unreadable.error }
                return true
            }
        }.map(\.uuidString)
    }
}

@available(*, unavailable)
extension StoreCopier: Sendable {}

extension StoreError {
    /// The error for files of external data without which a store does not take the place of another one.
    fileprivate static func missingFiles(_ first: String, count: Int, of url: URL, in filesURL: URL) -> StoreError {
        let files = count == 1 ? "The file \(first) is" : "\(count) files, among them \(first), are"
        return StoreError(
            .fileNotFound,
            """
            \(files) missing in \(ExternalDataFolder.url(of: filesURL).lastPathComponent), the folder with external data \
            of \(url.lastPathComponent), so nothing was replaced. Put what is missing beside that store, or pass \
            allowsMissingFiles: true to do without these values.
            """, storeURL: url)
    }
}
