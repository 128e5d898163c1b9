import BenchKit
import Foundation
import GRDB

/// **Shared.** A file of customers, open by GRDB.
struct GRDBFile: Sendable {
    let url: URL
    let durability: Durability
    let pool: DatabasePool

    init(_ url: URL, durability: Durability) throws {
        self.url = url
        self.durability = durability
        pool = try DatabasePool(path: url.path)
        // The pool sets synchronous = NORMAL itself, after Configuration.prepareDatabase has run.
        if durability == .full {
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
        }
    }

    func close() throws { try pool.close() }

    func fill(_ contents: Suite.Contents, count: Int) throws {
        try pool.write { database in
            try database.execute(sql: Self.schema)
            switch contents {
            case .nothing: break
            case .customers:
                for number in 0..<count { _ = try CustomerRecord(CustomerInput(number)).inserted(database) }
            case .profiles:
                for id in ProfileInput.ids { try ProfileRecord(ProfileInput(id: id)).insert(database) }
            }
        }
    }

    private static let schema = """
        CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, description TEXT);
        CREATE TABLE profile (
            id INTEGER PRIMARY KEY, name TEXT, description TEXT,
            q INTEGER, p INTEGER, x INTEGER, y INTEGER, z INTEGER);
        """

    /// The table of all customers, for a look at the file without GRDB.
    static let customers = "SELECT id, name, description AS details FROM customer"
}
