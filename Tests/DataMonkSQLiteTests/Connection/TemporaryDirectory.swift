import DataMonkSQLite
import Foundation

/// A directory that goes with its last reference.
final class TemporaryDirectory: Sendable {
    let url: URL

    init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("datamonk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: url)
    }

    var store: URL { url.appendingPathComponent("store.sqlite") }

    func connection(
        _ access: SQLiteOptions.Access = .readWriteCreate, _ change: (inout SQLiteOptions) -> Void = { _ in }
    ) throws -> SQLiteConnection {
        var options = SQLiteOptions(access: access)
        options.busyTimeout = .milliseconds(50)
        change(&options)
        return try SQLiteConnection(fileURL: store, options: options)
    }

    /// A connection to a store with a table `ZPERSON` of `rows` people.
    func people(_ rows: Int = 0) throws -> SQLiteConnection {
        let connection = try connection()
        try connection.execute("CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR, ZAGE INTEGER )")
        try connection.transaction(.immediate) {
            for row in 0..<rows { try connection.insert("Monk \(row)", age: row) }
        }
        return connection
    }
}

extension SQLiteConnection {
    func insert(_ name: String, age: Int) throws {
        try withStatement("INSERT INTO ZPERSON (ZNAME, ZAGE) VALUES (?, ?)") { statement in
            try statement.bind(name, at: 1)
            statement.bind(Int64(age), at: 2)
            try statement.run()
        }
    }

    func countPeople() throws -> Int64 { try int64("SELECT count(*) FROM ZPERSON") }
}

/// The failure that `body` throws; `nil` for none or another error.
func failure(of body: () throws -> Void) -> SQLiteFailure? {
    do {
        try body()
        return nil
    } catch {
        return error as? SQLiteFailure
    }
}
