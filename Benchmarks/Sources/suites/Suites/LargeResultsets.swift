import BenchKit
import DataMonk
import GRDB

/// `large_resultsets.py`: all rows are read, as objects and as values. Every value of a row is looked at.
extension Suite {
    static let largeResultsets = Suite(
        name: "large_resultsets", count: 500_000, contents: .customers,
        tests: objectTests + columnTests + coreTests + statementTests)

    private static let objectTests = [
        Test("test_orm_full_objects_list", "`fetchAll`") { file, count in
            try await file.context.read { reader in
                var digest = Digest()
                let customers = try reader.fetchAll(NumberedCustomer.self, options: .Limit(count))
                for customer in customers { customer.add(to: &digest) }
                return digest
            }
        } grdb: { file, count in
            try file.pool.read { database in
                var digest = Digest()
                let customers = try CustomerRecord.limit(count).fetchAll(database)
                for customer in customers { customer.add(to: &digest) }
                return digest
            }
        },

        Test("test_orm_full_objects_chunks", "`fetchBatched`, 1,000 at a time") { file, count in
            try await file.context.read { reader in
                var digest = Digest()
                let customers = try reader.fetchBatched(
                    NumberedCustomer.self, options: .Limit(count) | .Batch(1_000))
                for customer in customers { customer.add(to: &digest) }
                return digest
            }
        } grdb: { file, count in
            try file.pool.read { database in
                var digest = Digest()
                let customers = try CustomerRecord.limit(count).fetchCursor(database)
                while let customer = try customers.next() { customer.add(to: &digest) }
                return digest
            }
        },
    ]

    private static let columnTests = [
        Test("test_orm_bundles", "`query` for a `Decodable`") { file, count in
            try await file.context.read { reader in
                var digest = Digest()
                let customers = try reader.query(
                    NumberedCustomer.self, .Select("id") | .Select("name") | .Select("details"),
                    options: .Limit(count), as: CustomerBundle.self)
                for customer in customers { customer.add(to: &digest) }
                return digest
            }
        } grdb: { file, count in
            try file.pool.read { database in
                var digest = Digest()
                let request = SQLRequest<CustomerBundle>(
                    sql: "SELECT id, name, description AS details FROM customer LIMIT ?", arguments: [count])
                let customers = try request.fetchCursor(database)
                while let customer = try customers.next() { customer.add(to: &digest) }
                return digest
            }
        },

        Test("test_orm_columns", "`query` for tuples") { file, count in
            try await file.context.read { reader in
                var digest = Digest()
                let rows = try reader.query(
                    NumberedCustomer.self, .select(\.id), .select(\.name), .select(\.details),
                    options: .Limit(count))
                for (id, name, details) in rows { digest.addRow(id, name, details) }
                return digest
            }
        } grdb: { file, count in
            try file.pool.read { database in
                var digest = Digest()
                let request = CustomerRecord.select(Column("id"), Column("name"), Column("description")).limit(count)
                let rows = try Row.fetchCursor(database, request)
                while let row = try rows.next() { digest.addRow(row[0], row[1], row[2]) }
                return digest
            }
        },
    ]

    private static let coreTests = [
        Test("test_core_fetchall", "SQL, `rows` by position") { file, count in
            try await file.readRows(count)
        } grdb: { file, count in
            try file.readRows(count)
        },

        Test("test_core_fetchall_mapping", "SQL, `rows` by name") { file, count in
            try await file.stack.read { database in
                var digest = Digest()
                for row in try database.rows(DataMonkFile.selection, count) {
                    digest.addRow(
                        try row["ZID", as: Int.self] ?? 0, try row["ZNAME", as: String.self],
                        try row["ZDETAILS", as: String.self])
                }
                return digest
            }
        } grdb: { file, count in
            try file.pool.read { database in
                var digest = Digest()
                for row in try Row.fetchAll(database, sql: GRDBFile.selection, arguments: [count]) {
                    digest.addRow(row["id"], row["name"], row["description"])
                }
                return digest
            }
        },

        Test("test_core_fetchmany_w_streaming", "SQL, `forEachRow`") { file, count in
            try await file.readEachRow(count)
        } grdb: { file, count in
            try file.readEachRow(count)
        },

        Test("test_core_fetchmany", "SQL, `forEachRow`") { file, count in
            try await file.readEachRow(count)
        } grdb: { file, count in
            try file.readEachRow(count)
        },
    ]

    private static let statementTests = [
        Test("test_dbapi_fetchall_plus_append_objects", "SQL, `rows`, an object for each") { file, count in
            try await file.stack.read { database in
                var digest = Digest()
                for row in try database.rows(DataMonkFile.selection, count) {
                    SimpleCustomer(
                        id: try row[0, as: Int.self] ?? 0, name: try row[1, as: String.self],
                        details: try row[2, as: String.self]
                    ).add(to: &digest)
                }
                return digest
            }
        } grdb: { file, count in
            try file.pool.read { database in
                var digest = Digest()
                for row in try Row.fetchAll(database, sql: GRDBFile.selection, arguments: [count]) {
                    SimpleCustomer(id: row[0], name: row[1], details: row[2]).add(to: &digest)
                }
                return digest
            }
        },

        Test("test_dbapi_fetchall_no_object", "SQL, `rows` by position") { file, count in
            try await file.readRows(count)
        } grdb: { file, count in
            try file.readRows(count)
        },
    ]
}

// MARK: Rows

extension DataMonkFile {
    fileprivate static let selection = "SELECT ZID, ZNAME, ZDETAILS FROM ZNUMBEREDCUSTOMER LIMIT ?"

    fileprivate func readRows(_ count: Int) async throws -> Digest {
        try await stack.read { database in
            var digest = Digest()
            for row in try database.rows(Self.selection, count) { try digest.add(row) }
            return digest
        }
    }

    fileprivate func readEachRow(_ count: Int) async throws -> Digest {
        try await stack.read { database in
            var digest = Digest()
            try database.forEachRow(Self.selection, count) { try digest.add($0) }
            return digest
        }
    }
}

extension GRDBFile {
    fileprivate static let selection = "SELECT id, name, description FROM customer LIMIT ?"

    fileprivate func readRows(_ count: Int) throws -> Digest {
        try pool.read { database in
            var digest = Digest()
            for row in try Row.fetchAll(database, sql: Self.selection, arguments: [count]) {
                digest.addRow(row[0], row[1], row[2])
            }
            return digest
        }
    }

    fileprivate func readEachRow(_ count: Int) throws -> Digest {
        try pool.read { database in
            var digest = Digest()
            let rows = try Row.fetchCursor(database, sql: Self.selection, arguments: [count])
            while let row = try rows.next() { digest.addRow(row[0], row[1], row[2]) }
            return digest
        }
    }
}

extension Digest {
    fileprivate mutating func add(_ row: SQLRow) throws {
        addRow(try row[0, as: Int.self] ?? 0, try row[1, as: String.self], try row[2, as: String.self])
    }

    @inline(__always)
    fileprivate mutating func addRow(_ id: Int, _ name: String?, _ details: String?) {
        row()
        add(id)
        add(name)
        add(details)
    }
}

/// **Value.** The columns of a customer, by their names.
private struct CustomerBundle: Decodable, FetchableRecord {
    let id: Int
    let name: String?
    let details: String?

    func add(to digest: inout Digest) { digest.addRow(id, name, details) }
}

/// **Confined.** A customer without an engine.
private final class SimpleCustomer {
    private let id: Int
    private let name: String?
    private let details: String?

    init(id: Int, name: String?, details: String?) {
        self.id = id
        self.name = name
        self.details = details
    }

    func add(to digest: inout Digest) { digest.addRow(id, name, details) }
}
