import BenchKit
import DataMonk
import GRDB

/// `short_selects.py`: one row by its key, again and again, in one session. Theirs has each test without and with a cache of
/// statements; both DataMonk and GRDB's requests keep their statements anyway.
extension Suite {
    static let shortSelects = Suite(
        name: "short_selects", count: 10_000, contents: .profiles,
        tests: objectTests + columnTests + rowTests)

    private static let objectTests = [
        Test("test_orm_query_classic_style", "`fetch`, string keys", dataMonk: fetchByString, grdb: fetchByRequest),

        Test("test_orm_query_classic_style_w_cache", "the same", dataMonk: fetchByString, grdb: fetchByStatement),

        Test("test_orm_query_new_style", "`fetch`, typed keys", dataMonk: fetchByTypedKey, grdb: fetchByRequest),

        Test("test_orm_query_new_style_cache", "the same", dataMonk: fetchByTypedKey, grdb: fetchByStatement),
    ]

    private static let columnTests = [
        Test(
            "test_orm_query_classic_style_cols_only", "`query` for tuples", dataMonk: selectTuple, grdb: selectByRequest
        ),

        Test(
            "test_orm_query_classic_style_cols_only_cache", "the same", dataMonk: selectTuple, grdb: selectByStatement),
    ]

    private static let rowTests = [
        Test("test_core_new_stmt_each_time", "`query` for dictionaries", dataMonk: selectDictionary) { file, count in
            try file.readEach(count) { id, database, digest in
                guard let row = try Row.fetchOne(database, sql: GRDBFile.selection, arguments: [id]) else { return }
                digest.add(row)
            }
        },

        Test(
            "test_core_new_stmt_each_time_compiled_cache", "the same", dataMonk: selectDictionary,
            grdb: { file, count in
                try file.readEach(count) { id, database, digest in
                    let statement = try database.cachedStatement(sql: GRDBFile.selection)
                    guard let row = try Row.fetchOne(statement, arguments: [id]) else { return }
                    digest.add(row)
                }
            }),

        Test("test_core_reuse_stmt", "SQL, `rows`", dataMonk: selectBySQL, grdb: reuseStatement),

        Test("test_core_reuse_stmt_compiled_cache", "the same", dataMonk: selectBySQL, grdb: reuseStatement),
    ]
}

// MARK: DataMonk

/// The columns that theirs loads with an object.
private let loaded = QueryOptions.PropertiesOnly(["id", "name", "details", "q", "p"])

private let columns =
    Select.Select("id") | .Select("name") | .Select("details") | .Select("q") | .Select("p") | .Select("x")
    | .Select("y") | .Select("z")

@Sendable private func fetchByString(_ file: DataMonkFile, _ count: Int) async throws -> Digest? {
    try await file.readEach(count) { id, reader, digest in
        try reader.fetch(Profile.self, %"id" == id, options: loaded).add(to: &digest)
    }
}

@Sendable private func fetchByTypedKey(_ file: DataMonkFile, _ count: Int) async throws -> Digest? {
    try await file.readEach(count) { id, reader, digest in
        try reader.fetch(Profile.self, options: loaded) { $0.id == id }.add(to: &digest)
    }
}

@Sendable private func selectTuple(_ file: DataMonkFile, _ count: Int) async throws -> Digest? {
    try await file.readEach(count) { id, reader, digest in
        let rows = try reader.query(
            Profile.self, .select { $0.id }, .select { $0.name }, .select { $0.details }, where: { $0.id == id })
        for (id, name, details) in rows {
            digest.row()
            digest.add(id)
            digest.add(name)
            digest.add(details)
        }
    }
}

@Sendable private func selectDictionary(_ file: DataMonkFile, _ count: Int) async throws -> Digest? {
    try await file.readEach(count) { id, reader, digest in
        for row in try reader.query(Profile.self, columns, %"id" == id) {
            digest.row()
            for name in ["name", "details"] { digest.add(try row[name, as: String.self]) }
            for name in ["id", "q", "p", "x", "y", "z"] { digest.add(try row[name, as: Int64.self]) }
        }
    }
}

@Sendable private func selectBySQL(_ file: DataMonkFile, _ count: Int) async throws -> Digest? {
    try await file.stack.read { database in
        var digest = Digest()
        for id in ids(count) {
            for row in try database.rows(
                "SELECT ZID, ZNAME, ZDETAILS, ZQ, ZP, ZX, ZY, ZZ FROM ZPROFILE WHERE ZID = ?", id)
            {
                digest.row()
                for column in 1...2 { digest.add(try row[column, as: String.self]) }
                for column in [0, 3, 4, 5, 6, 7] { digest.add(try row[column, as: Int64.self]) }
            }
        }
        return digest
    }
}

extension DataMonkFile {
    /// Calls a block with each id, in one context.
    fileprivate func readEach(
        _ count: Int, _ body: @Sendable (Int, Reader, inout Digest) throws -> Void
    ) async throws -> Digest {
        try await context.read { reader in
            var digest = Digest()
            for id in ids(count) { try body(id, reader, &digest) }
            return digest
        }
    }
}

// MARK: GRDB

@Sendable private func fetchByRequest(_ file: GRDBFile, _ count: Int) throws -> Digest? {
    try file.readEach(count) { id, database, digest in
        try ProfileRecord.filter(Column("id") == id).fetchOne(database)?.add(to: &digest)
    }
}

@Sendable private func fetchByStatement(_ file: GRDBFile, _ count: Int) throws -> Digest? {
    try file.readEach(count) { id, database, digest in
        let statement = try database.cachedStatement(
            sql: "SELECT id, name, description, q, p FROM profile WHERE id = ?")
        try ProfileRecord.fetchOne(statement, arguments: [id])?.add(to: &digest)
    }
}

@Sendable private func selectByRequest(_ file: GRDBFile, _ count: Int) throws -> Digest? {
    try file.readEach(count) { id, database, digest in
        let request =
            ProfileRecord
            .select(Column("id"), Column("name"), Column("description"))
            .filter(Column("id") == id)
        guard let row = try Row.fetchOne(database, request) else { return }
        digest.addColumns(of: row)
    }
}

@Sendable private func selectByStatement(_ file: GRDBFile, _ count: Int) throws -> Digest? {
    try file.readEach(count) { id, database, digest in
        let statement = try database.cachedStatement(sql: "SELECT id, name, description FROM profile WHERE id = ?")
        guard let row = try Row.fetchOne(statement, arguments: [id]) else { return }
        digest.addColumns(of: row)
    }
}

@Sendable private func reuseStatement(_ file: GRDBFile, _ count: Int) throws -> Digest? {
    try file.pool.read { database in
        var digest = Digest()
        let statement = try database.makeStatement(sql: GRDBFile.selection)
        for id in ids(count) {
            guard let row = try Row.fetchOne(statement, arguments: [id]) else { continue }
            digest.add(row)
        }
        return digest
    }
}

extension GRDBFile {
    fileprivate static let selection = "SELECT id, name, description, q, p, x, y, z FROM profile WHERE id = ?"

    /// Calls a block with each id, in one transaction.
    fileprivate func readEach(
        _ count: Int, _ body: (Int, Database, inout Digest) throws -> Void
    ) throws -> Digest {
        try pool.read { database in
            var digest = Digest()
            for id in ids(count) { try body(id, database, &digest) }
            return digest
        }
    }
}

extension Digest {
    /// The three columns that a test selects.
    fileprivate mutating func addColumns(of row: Row) {
        self.row()
        add(row[0] as Int64)
        add(row[1] as String?)
        add(row[2] as String?)
    }

    fileprivate mutating func add(_ row: Row) {
        self.row()
        for column in 1...2 { add(row[column] as String?) }
        for column in [0, 3, 4, 5, 6, 7] { add(row[column] as Int64?) }
    }
}

// MARK: Ids

/// The same random ids, each at most once, for every test.
private func ids(_ count: Int) -> ArraySlice<Int> {
    var generator = SplitMix64(seed: 1)
    return Array(ProfileInput.ids).shuffled(using: &generator).prefix(count)
}
