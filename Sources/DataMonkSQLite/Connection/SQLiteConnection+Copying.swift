import CSQLite
package import Foundation

extension SQLiteConnection {
    /// Copies the database, as this connection sees it now, to a new file (0600).
    ///
    /// The copy has a temporary name until it is complete and on disk, so a crash leaves no partial copy at `url`. Throws if
    /// a file exists at `url`.
    package func copy(to url: URL) throws {
        let target = try DatabaseFile(url)
        guard access(target.path, F_OK) != 0 else {
            throw SQLiteFailure.system(EEXIST, doing: "“\(target.path)” already exists", operation: .copy)
        }
        let partial = try DatabaseFile(
            url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)"))
        try partial.createIfMissing()
        do {
            try copyPages(to: partial)
            // Unlike a rename, a link fails if a file has appeared in the meantime.
            guard link(partial.path, target.path) == 0 else {
                throw SQLiteFailure.system(errno, doing: "“\(target.path)” could not be created", operation: .copy)
            }
        } catch {
            unlink(partial.path)
            throw error
        }
        unlink(partial.path)
        try target.synchronizeDirectory()
    }

    private func copyPages(to file: DatabaseFile) throws {
        let source = try openDatabase()
        let copy = try Self.open(file, access: .readWrite)
        defer { sqlite3_close_v2(copy) }
        guard let backup = sqlite3_backup_init(copy, "main", source, "main") else {
            throw SQLiteFailure(code: sqlite3_extended_errcode(copy), database: copy, operation: .copy)
        }
        // Copies all pages in one step, from one snapshot. Writes by other connections do not restart it.
        let stepCode = sqlite3_backup_step(backup, -1)
        let finishCode = sqlite3_backup_finish(backup)
        guard stepCode == SQLITE_DONE else {
            throw SQLiteFailure(code: stepCode, database: copy, operation: .copy)
        }
        guard finishCode == SQLITE_OK else {
            throw SQLiteFailure(code: finishCode, database: copy, operation: .copy)
        }
    }
}
