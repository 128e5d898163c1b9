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
}
