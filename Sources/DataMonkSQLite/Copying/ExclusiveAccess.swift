import DataMonkCore
import Foundation

/// **Confined.** Access to a store's file that nobody else has: neither another process nor a stack of this one has it open,
/// and nobody can open it.
struct ExclusiveAccess {
    let connection: SQLiteConnection

    /// Calls `body` with exclusive access to a store.
    ///
    /// - Throws: ``StoreError`` with the code `locked` if somebody has the store open, `incompatibleSchema` if the file is
    ///   another program's database, and others if it is a link, or not a database; the error of `body`.
    static func to<Result>(
        _ url: URL, label: String, timeout: Duration = .seconds(5), _ body: (ExclusiveAccess) throws -> Result
    ) throws -> Result {
        try StoreError.translatingFailures(of: url) {
            try requireNoLink(url)
            let access = try acquire(url, label: label, timeout: timeout)
            do {
                let result = try body(access)
                // Reason for try?: the file is where `body` has put it, or gone, and nothing is left to write.
                try? access.connection.close()
                return result
            } catch {
                // Reason for try?: the first error is the one to throw.
                try? access.connection.close()
                throw error
            }
        }
    }

    /// - Throws: ``StoreError`` with the code `openFailed` for a link, which would be moved or removed in place of the store.
    static func requireNoLink(_ url: URL) throws {
        var status = stat()
        if lstat(url.path, &status) == 0, status.st_mode & S_IFMT == S_IFLNK { throw StoreError.link(url) }
    }

    /// Moves the log into the file and removes it, so that the store is its file alone.
    func removeLog(at url: URL) throws {
        try connection.checkpoint(.truncate)
        // SQLite would remove the log of a store that is made here after this one is gone.
        try connection.keepLogOnClosing()
        for suffix in ["-wal", "-shm"] where unlink(url.path + suffix) != 0 && errno != ENOENT {
            throw SQLiteFailure.system(
                errno, doing: "“\(url.path)\(suffix)” could not be removed", operation: .copy)
        }
    }

    private static func acquire(_ url: URL, label: String, timeout: Duration) throws -> ExclusiveAccess {
        let deadline = ContinuousClock.now + timeout
        // Without a trace: a connection that may write would give another program's database a write-ahead log.
        try SQLiteConnection.reading(url, label: label) { connection in
            try SQLiteStore.requireStore(in: connection.schemaObjects(), at: url)
        }
        while true {
            var options = SQLiteOptions(access: .readWrite)
            options.isExclusive = true
            // Short and random: two that wait for exclusive access at the same moments would otherwise go on like that.
            options.busyTimeout = .milliseconds(Int.random(in: 50...250))
            options.label = label
            do {
                let connection = try SQLiteConnection(fileURL: url, options: options)
                try connection.transaction(.immediate) {
                    try SQLiteStore.requireStore(in: connection.schemaObjects(), at: url)
                }
                return ExclusiveAccess(connection: connection)
            } catch let failure as SQLiteFailure where failure.isBusy {
                guard ContinuousClock.now < deadline else { throw failure }
                usleep(.random(in: 0...100_000))
            }
        }
    }
}

extension StoreError {
    fileprivate static func link(_ url: URL) -> StoreError {
        StoreError(
            .openFailed,
            """
            \(url.lastPathComponent) is a link to another file, and was not changed. Name the file that it leads to.
            """, storeURL: url)
    }
}
