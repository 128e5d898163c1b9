import DataMonkCore
import DataMonkSQLite
import Foundation
import Testing

#if canImport(Glibc)
    import Glibc
#endif

@Suite("Opening a database")
struct OpeningTests {
    let directory: TemporaryDirectory

    init() throws { directory = try TemporaryDirectory() }

    /// What a user would get for a failing opening.
    private func openingError(_ access: SQLiteOptions.Access, at url: URL) -> StoreError? {
        do {
            _ = try StoreError.translatingFailures(of: url) {
                try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: access))
            }
            return nil
        } catch {
            return error as? StoreError
        }
    }

    private func mode(_ url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    @Test func `a new file has Core Data's page size, vacuum mode and journal`() throws {
        let connection = try directory.connection()
        #expect(try connection.int64("PRAGMA page_size") == 4096)
        #expect(try connection.int64("PRAGMA auto_vacuum") == 2)
        #expect(try connection.text("PRAGMA journal_mode") == "wal")
        #expect(try connection.text("PRAGMA encoding") == "UTF-8")
        #expect(try connection.int64("PRAGMA user_version") == 0)
        #expect(try connection.int64("PRAGMA application_id") == 0)
    }

    @Test func `commits are durable by default and NORMAL by option`() throws {
        #expect(try directory.connection().int64("PRAGMA synchronous") == 2)
        #expect(try directory.connection { $0.durability = .normal }.int64("PRAGMA synchronous") == 1)
    }

    @Test func `new files are for their owner alone`() throws {
        let connection = try directory.people(1)
        for suffix in ["", "-wal", "-shm"] {
            #expect(try mode(URL(fileURLWithPath: directory.store.path + suffix)) == 0o600)
        }
        try connection.close()
    }

    /// A connection that waited with the old file open would find the log of the new one.
    @Test(.timeLimit(.minutes(60)))
    func `who waits for a file that is then replaced leaves the old one alone`() async throws {
        try directory.people(1).close()
        let old = directory.url.appendingPathComponent("old.sqlite")
        let new = directory.url.appendingPathComponent("new.sqlite")
        try FileManager.default.copyItem(at: directory.store, to: new)
        let holder = try directory.connection { $0.isExclusive = true }
        try holder.execute("DELETE FROM ZPERSON")
        try holder.checkpoint(.truncate)
        try holder.keepLogOnClosing()
        let (attempts, attempt) = AsyncStream.makeStream(of: Void.self)
        var options = SQLiteOptions(access: .readWrite)
        options.busyTimeout = .seconds(3_000)
        options.trace = StatementTrace { if $0.sql.contains("wal_autocheckpoint") { attempt.yield() } }
        // On a thread of its own: SQLite blocks it until this task has gone on.
        let waiting = Thread.running { [options, url = directory.store] in
            Result {
                let connection = try SQLiteConnection(fileURL: url, options: options)
                try connection.execute("UPDATE ZPERSON SET ZAGE = 7")
                let count = try connection.int64("SELECT count(*) FROM ZPERSON WHERE ZAGE = 7")
                try connection.close()
                return count
            }
        }
        var attemptCount = 0
        for await _ in attempts {
            attemptCount += 1
            if attemptCount == 3 { break }
        }
        for suffix in ["-wal", "-shm"] { unlink(directory.store.path + suffix) }
        #expect(rename(directory.store.path, old.path) == 0 && rename(new.path, directory.store.path) == 0)
        try holder.close()
        do {
            #expect(try waiting.result().get() == 1)
        } catch let failure as SQLiteFailure {
            // It had just opened the old file again.
            #expect(StoreError(failure, storeURL: directory.store).code == .fileMoved)
        }
        let reader = try SQLiteConnection(fileURL: old, options: SQLiteOptions(access: .readOnly))
        #expect(try reader.int64("SELECT count(*) FROM ZPERSON") == 0)
    }

    @Test func `missing directories are made for their owner alone`() throws {
        let deep = directory.url.appendingPathComponent("a/b/store.sqlite")
        let connection = try SQLiteConnection(fileURL: deep, options: SQLiteOptions(access: .readWriteCreate))
        try connection.close()
        #expect(try mode(directory.url.appendingPathComponent("a")) == 0o700)
        #expect(try mode(directory.url.appendingPathComponent("a/b")) == 0o700)
    }

    @Test func `a text file is no database, and stays as it is`() throws {
        let text = Data(String(repeating: "Tea is better than coffee.\n", count: 200).utf8)
        try text.write(to: directory.store)
        let error = try #require(openingError(.readWriteCreate, at: directory.store))
        #expect(error.code == .notADatabase)
        #expect(error.storeURL == directory.store)
        #expect(error.message.contains("store.sqlite"))
        #expect(try Data(contentsOf: directory.store) == text)
    }

    @Test func `a short text file is no database`() throws {
        try Data("hello".utf8).write(to: directory.store)
        #expect(openingError(.readWrite, at: directory.store)?.code == .notADatabase)
    }

    @Test func `a missing file is not made unless asked`() {
        #expect(openingError(.readWrite, at: directory.store)?.code == .fileNotFound)
        #expect(openingError(.readOnly, at: directory.store)?.code == .fileNotFound)
        #expect(!FileManager.default.fileExists(atPath: directory.store.path))
    }

    @Test func `a path below a file names the mistake`() throws {
        try Data().write(to: directory.store)
        let below = directory.store.appendingPathComponent("other.sqlite")
        let error = try #require(openingError(.readWriteCreate, at: below))
        #expect(error.code == .openFailed)
        #expect(error.message.contains("is a file, not a directory"))
    }

    @Test func `a directory in place of the file is refused`() {
        let error = openingError(.readWriteCreate, at: directory.url)
        #expect(error?.code == .openFailed)
    }

    @Test func `a URL that is no file's is refused`() throws {
        #expect(openingError(.readWrite, at: try #require(URL(string: "https://example.org/x")))?.code == .openFailed)
    }

    #if os(Linux)
        @Test func `a directory without permission to write says so`() throws {
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: directory.url.path)
            let error = asNobody { openingError(.readWriteCreate, at: directory.store) }
            #expect(error?.code == .noWritePermission)
        }

        @Test func `a file without permission to write is refused for writing at opening`() throws {
            try directory.people(1).close()
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.url.path)
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: directory.store.path)
            #expect(asNobody { openingError(.readWrite, at: directory.store) }?.code == .readOnly)
        }

        @Test func `immutable reads a file in a directory that cannot be written`() throws {
            try directory.people(3).close()
            try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: directory.url.path)
            try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: directory.store.path)
            let count = try asNobody { try directory.connection(.immutable).countPeople() }
            #expect(count == 3)
        }

        /// Runs on this thread as a user without rights, also where the tests run as root.
        private func asNobody<Result>(_ body: () throws -> Result) rethrows -> Result {
            // Swift's Glibc module leaves this one out, and POSIX's own would change every thread.
            typealias SetUser = @convention(c) (UInt32) -> Int32
            guard let symbol = dlsym(nil, "setfsuid") else { preconditionFailure("Linux has setfsuid") }
            let setUser = unsafeBitCast(symbol, to: SetUser.self)
            let user = UInt32(bitPattern: setUser(65_534))
            defer { _ = setUser(user) }
            return try body()
        }
    #endif

    @Test func `a reader cannot write`() throws {
        try directory.people(1).close()
        let reader = try directory.connection(.readOnly)
        let failure = try #require(failure { try reader.insert("Intruder", age: 1) })
        #expect(StoreError(failure, storeURL: directory.store).code == .readOnly)
    }

    @Test func `eight openers of one new file all succeed`() async throws {
        let directory = directory
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let connection = try directory.connection { $0.busyTimeout = .seconds(20) }
                    #expect(try connection.text("PRAGMA journal_mode") == "wal")
                }
            }
            try await group.waitForAll()
        }
    }
}
