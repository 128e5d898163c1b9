import CSQLite
package import Foundation

extension SQLiteConnection {
    /// Writes a copy of the database, as this connection sees it now, to a new file (0600).
    ///
    /// The copy has a temporary name until it is complete and on disk: a crash leaves no half copy under `url`.
    /// Throws where something is at `url` already.
    package func copy(to url: URL) throws {
        let target = try DatabaseFile(url)
        guard access(target.path, F_OK) != 0 else {
            throw SQLiteFailure.system(EEXIST, doing: "“\(target.path)” exists", operation: .copy)
        }
        let partial = try DatabaseFile(
            url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)"))
        try partial.createIfMissing()
        do {
            try copyPages(to: partial)
            // Unlike a rename, a link fails where a file has come meanwhile.
            guard link(partial.path, target.path) == 0 else {
                throw SQLiteFailure.system(errno, doing: "“\(target.path)” could not be made", operation: .copy)
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
        // All pages in one step: one snapshot, and a writer of another connection does not make it begin anew.
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
