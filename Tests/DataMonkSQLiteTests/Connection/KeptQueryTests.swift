import Testing

@testable import DataMonkSQLite

/// The statements of an application's queries, which a connection keeps.
@Suite("Kept queries") struct KeptQueryTests {
    private let directory: TemporaryDirectory
    private let connection: SQLiteConnection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try directory.people(1)
    }

    /// Runs a query whose block throws an error, if there is one. Returns its statement.
    private func run(_ sql: String = "SELECT 1", throwing error: (any Error)? = nil) throws -> SQLiteStatement {
        var used: SQLiteStatement?
        let statementGuard = try connection.statementGuard()
        // Reason for try?: the error is the block's own.
        try? statementGuard.guarding {
            try connection.withQuery(sql, under: statementGuard) { statement in
                used = statement
                if let error { throw error }
            }
        }
        return try #require(used)
    }

    private struct Stop: Error {}

    @Test func `a query is kept after its block has failed, and not after SQLite has`() throws {
        let first = try run()
        #expect(try run(throwing: Stop()) === first)
        #expect(try run() === first)
        #expect(try run(throwing: SQLiteFailure(extendedCode: 10, operation: .run)) === first)
        #expect(try run() !== first)
    }

    @Test func `a query inside of the same one has a statement of its own`() throws {
        let statementGuard = try connection.statementGuard()
        try statementGuard.guarding {
            try connection.withQuery("SELECT 1", under: statementGuard) { outer in
                let hasRow = try outer.step()
                let inner = try run()
                #expect(hasRow && inner !== outer && outer.int64(at: 0) == 1)
            }
        }
    }

    @Test func `the query used least recently gives way, also if it is lent`() throws {
        let (first, count) = (try run("SELECT 0"), connection.options.statementCacheCapacity)
        let statementGuard = try connection.statementGuard()
        try statementGuard.guarding {
            try connection.withQuery("SELECT 0", under: statementGuard) { statement in
                #expect(statement === first)
                for number in 1...count + 1 { _ = try run("SELECT \(number)") }
                let hasRow = try statement.step()
                #expect(hasRow)
            }
        }
        #expect(try run("SELECT 0") !== first)
        let last = try run("SELECT \(count + 1)")
        #expect(try run("SELECT \(count + 1)") === last)
    }
}
