import CSQLite
import Foundation

extension SQLiteConnection {
    /// The number of pages copied at a time: 4 MiB.
    private static let pagesPerStep: Int32 = 1_024

    /// Copies the database, as this connection sees it now, to an empty file. The copy is on disk when this returns.
    ///
    /// The connection must hold a snapshot: without one, each commit by others would begin the copy anew.
    ///
    /// - Parameter observer: Called before each step with the number of pages copied so far and of all pages. An error that
    ///   it throws ends the copy.
    func copyPages(to url: URL, observer: (_ copied: Int, _ total: Int) throws -> Void) throws {
        precondition(holdsSnapshot, "A copy needs a snapshot that others' commits do not end")
        let source = try openDatabase()
        let copy = try Self.open(DatabaseFile(url), access: .readWrite)
        defer { sqlite3_close_v2(copy) }
        guard let backup = sqlite3_backup_init(copy, "main", source, "main") else {
            throw SQLiteFailure(code: sqlite3_extended_errcode(copy), database: copy, operation: .copy)
        }
        var code = SQLITE_OK
        var failure: (any Error)?
        while code == SQLITE_OK, failure == nil {
            do {
                let total = Int(sqlite3_backup_pagecount(backup))
                try observer(total - Int(sqlite3_backup_remaining(backup)), total)
                code = sqlite3_backup_step(backup, Self.pagesPerStep)
            } catch {
                failure = error
            }
        }
        let finishCode = sqlite3_backup_finish(backup)
        if let failure { throw failure }
        for code in [code, finishCode] where code != SQLITE_DONE && code != SQLITE_OK {
            throw SQLiteFailure(code: code, database: copy, operation: .copy)
        }
    }

    /// The number of bytes copied at a time by `copyFile`.
    private static let chunkSize = 1 << 20

    /// Copies the bytes of a database file, without its log, to a new file. They are those of one state only if nobody has
    /// changed the file meanwhile.
    ///
    /// The file is opened and closed by SQLite, and never by the system's calls: closing any descriptor of a file drops all
    /// POSIX locks that this process has on it, and SQLite keeps its own descriptors open for as long.
    static func copyFile(at source: URL, to target: URL) throws {
        let database = try open(DatabaseFile(source), access: .immutable)
        defer { sqlite3_close_v2(database) }
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(database, "main", SQLITE_FCNTL_FILE_POINTER, &file)
        guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods?.pointee else {
            throw SQLiteFailure(code: code, database: database, operation: .copy)
        }
        func require(_ code: Int32?) throws {
            if code != SQLITE_OK {
                throw SQLiteFailure(
                    extendedCode: code ?? SQLITE_MISUSE, operation: .copy, systemError: sqlite3_system_errno(database))
            }
        }
        var size: sqlite3_int64 = 0
        try require(methods.xFileSize?(file, &size))
        try Data().write(to: target, options: .withoutOverwriting)
        let copy = try FileHandle(forWritingTo: target)
        defer { copy.closeFile() }
        var chunk = Data(count: chunkSize)
        var offset: sqlite3_int64 = 0
        while offset < size {
            let count = min(Int(size - offset), chunkSize)
            let code = chunk.withUnsafeMutableBytes { methods.xRead?(file, $0.baseAddress, Int32(count), offset) }
            // Shorter than it was, so that it has changed.
            if code == shortRead { return }
            try require(code)
            try copy.write(contentsOf: chunk.prefix(count))
            offset += sqlite3_int64(count)
        }
    }

    /// SQLITE_IOERR_SHORT_READ. (Swift does not import the macro.)
    private static let shortRead = SQLITE_IOERR | (2 << 8)
}
