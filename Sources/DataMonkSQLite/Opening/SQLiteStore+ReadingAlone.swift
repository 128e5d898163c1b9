import DataMonkCore
import DataMonkSQL
import Foundation

extension SQLiteStore {
    /// Opens a store for reading only. The connection takes the place of the writer: it keeps a shared lock, so that nobody
    /// migrates the file, and detects commits by other programs.
    ///
    /// - Parameter options: Changed to ``SQLiteOptions/Access/immutable`` if the volume itself is read-only. Nobody can
    ///   change the file then, and SQLite could not create the log index through which it reads others' commits.
    static func openForReading(
        at fileURL: URL, schema: StoreSchema, options: inout SQLiteOptions
    ) throws -> (SQLiteWriter, UUID) {
        if !options.access.usesLog, hasLog(fileURL) { throw StoreError.logBesideImmutable(fileURL) }
        if options.access.usesLog, isOnReadOnlyVolume(fileURL), !hasLog(fileURL) { options.access = .immutable }
        let connection = try SQLiteConnection(fileURL: fileURL, options: options)
        try connection.registerQueryFunctions()
        let identifier = try readableStore(of: schema, on: connection, at: fileURL)
        return (try SQLiteWriter(connection: connection, derivations: DerivationLog()), identifier)
    }

    /// Checks the store, and returns its identifier. Triggers of derived attributes may be missing, because nothing is written
    /// that they would have to follow.
    static func readableStore(of schema: StoreSchema, on connection: SQLiteConnection, at fileURL: URL) throws -> UUID {
        do {
            return try connection.transaction(.deferred) { try check(schema, on: connection, at: fileURL) }
        } catch let error as StoreError where error.isMismatchOfVersions {
            throw StoreError.mismatchOfReadOnly(error, in: fileURL)
        }
    }

    /// Returns `true` if a non-empty log or a journal lies beside the file, which then is not the whole store.
    private static func hasLog(_ url: URL) -> Bool {
        // SQLite looks for them beside the file, not beside a link to it.
        let path = url.resolvingSymlinksInPath().path
        return ["-wal", "-journal"].contains { suffix in
            var status = stat()
            return stat(path + suffix, &status) == 0 && status.st_size > 0
        }
    }

    private static func isOnReadOnlyVolume(_ url: URL) -> Bool {
        var volume = statvfs()
        return statvfs(url.path, &volume) == 0 && Int(volume.f_flag) & Int(ST_RDONLY) != 0
    }
}

extension StoreError {
    fileprivate static func logBesideImmutable(_ url: URL) -> StoreError {
        StoreError(
            .openFailed,
            """
            \(url.lastPathComponent) has a write-ahead log (-wal) with commits that immutable: true would ignore. \
            Open and close the store once for writing, which empties the log, or add it with readOnly: true.
            """, storeURL: url)
    }

    fileprivate static func mismatchOfReadOnly(_ error: StoreError, in url: URL) -> StoreError {
        StoreError(
            error.code,
            """
            \(url.lastPathComponent) was written with another version of the model, and cannot be migrated while it \
            is open read-only. Add it once without readOnly and immutable, or use the model that it was written with.
            """, storeURL: url, underlyingError: error)
    }
}
