import Foundation
import GRDB
import SwiftCSV

/// **Value.** The same inputs, by other means.
enum Peers {
    struct Record: Codable, PersistableRecord {
        static let databaseTableName = "villager"

        var number: Int
        var name: String
        var age: Int
        var location: String?
        var salary: Double
        var created: Date
    }

    struct Failure: Error { let status: Int32 }

    /// Decodes each line and inserts it, all in one transaction.
    static func insertLines(of file: URL, into folder: URL) throws {
        let pool = try DatabasePool(path: folder.appendingPathComponent("villagers.sqlite").path)
        try pool.write { database in
            try database.create(table: "villager") { table in
                table.primaryKey("number", .integer)
                table.column("name", .text).notNull()
                table.column("age", .integer).notNull()
                table.column("location", .text)
                table.column("salary", .double).notNull()
                table.column("created", .datetime)
            }
            let decoder = JSONDecoder()
            decoder.dateDecodingStrategy = .iso8601
            let bytes = try Data(contentsOf: file, options: .alwaysMapped)
            for line in bytes.split(separator: UInt8(ascii: "\n")) {
                try decoder.decode(Record.self, from: line).insert(database)
            }
        }
    }

    /// Reads a file of CSV by SwiftCSV, and returns the number of its rows.
    static func countCells(of file: URL) throws -> Int {
        try CSV<Named>(url: file, loadColumns: false).rows.count
    }

    /// Lets the command `sqlite3` read a file of CSV, whose first line names the columns.
    static func importCells(of file: URL, into folder: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "sqlite3", folder.appendingPathComponent("villagers.sqlite").path,
            "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN",
            "CREATE TABLE villager (number INTEGER PRIMARY KEY, name TEXT, age INTEGER, location TEXT, salary REAL, created TEXT)",
            ".import --csv --skip 1 \(file.path) villager", "COMMIT",
        ]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(status: process.terminationStatus) }
    }
}
