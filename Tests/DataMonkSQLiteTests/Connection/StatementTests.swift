import DataMonkSQLite
import Foundation
import Testing

@Suite("Statements")
struct StatementTests {
    let directory: TemporaryDirectory
    let connection: SQLiteConnection

    init() throws {
        directory = try TemporaryDirectory()
        connection = try directory.people(3)
    }

    @Test func `every type comes back as it was bound`() throws {
        let statement = try connection.prepare("SELECT ?, ?, ?, ?, ?, ?, ?")
        statement.bind(Int64.min, at: 1)
        statement.bind(0.1, at: 2)
        try statement.bind("Zoë\0🏯", at: 3)
        try statement.bind("", at: 4)
        try statement.bind(Data([0, 255]), at: 5)
        try statement.bind(Data(), at: 6)
        statement.bindNull(at: 7)
        #expect(try statement.step())
        #expect((0..<7).map { statement.type(at: $0) } == [.integer, .double, .text, .text, .blob, .blob, .null])
        #expect(statement.int64(at: 0) == .min)
        #expect(statement.double(at: 1) == 0.1)
        #expect(statement.text(at: 2) == "Zoë\0🏯")
        #expect(statement.text(at: 3) == "")
        #expect(statement.data(at: 4) == Data([0, 255]))
        #expect(statement.data(at: 5) == Data())
        #expect(statement.isNull(at: 6) && statement.text(at: 6) == nil && statement.data(at: 6) == nil)
        #expect(try !statement.step())
    }

    @Test func `borrowed bytes are bound without a copy`() throws {
        let statement = try connection.prepare("SELECT ?, length(?)")
        let text = Array("Kyoto".utf8)
        try text.withUnsafeBytes { bytes in
            try statement.bind(unsafeBorrowedText: bytes, at: 1)
            try statement.bind(unsafeBorrowedBlob: bytes, at: 2)
            #expect(try statement.step())
            #expect(statement.text(at: 0) == "Kyoto")
            #expect(statement.int64(at: 1) == 5)
            statement.reset()
            statement.clearBindings()
        }
        #expect(try statement.step() && statement.isNull(at: 0))
    }

    @Test func `a mistake in SQL names the statement and the reason`() throws {
        let failure = try #require(failure { _ = try connection.prepare("SELECT ZNOTHING FROM ZPERSON") })
        #expect(failure.operation == .prepare)
        #expect(failure.sql == "SELECT ZNOTHING FROM ZPERSON")
        #expect(failure.message == "no such column: ZNOTHING")
    }

    @Test func `two statements in one text, or none, are refused`() {
        #expect(throws: SQLiteFailure.self) { try connection.prepare("SELECT 1; DROP TABLE ZPERSON") }
        #expect(throws: SQLiteFailure.self) { try connection.prepare("  ") }
        #expect(throws: Never.self) { try connection.prepare("SELECT 1; ") }
    }

    @Test func `a lent statement is not lent again before it is back`() throws {
        let sql = "SELECT ZNAME FROM ZPERSON ORDER BY Z_PK"
        try connection.withStatement(sql) { outer in
            #expect(try outer.step())
            try connection.withStatement(sql) { inner in
                #expect(inner !== outer)
                let hasRow = try inner.step()
                #expect(hasRow)
            }
            #expect(try outer.step() && outer.text(at: 0) == "Monk 1")
        }
        #expect(!connection.holdsSnapshot)
    }

    @Test func `a statement is compiled once, by text and by place`() throws {
        var seen: [ObjectIdentifier] = []
        let prepared = PreparedSQLTable().entry(for: "SELECT 2")
        for _ in 0..<2 {
            try connection.withStatement("SELECT 1") { seen.append(ObjectIdentifier($0)) }
            try connection.withStatement(prepared) { seen.append(ObjectIdentifier($0)) }
        }
        #expect(seen[0] == seen[2] && seen[1] == seen[3] && seen[0] != seen[1])
    }

    @Test func `the cache forgets what waited longest`() throws {
        let small = try directory.connection { $0.statementCacheCapacity = 2 }
        let first = try small.withStatement("SELECT 1") { $0 }
        for sql in ["SELECT 2", "SELECT 3"] { try small.withStatement(sql) { _ in } }
        let again = try small.withStatement("SELECT 1") { $0 }
        #expect(first !== again)
    }

    @Test func `a lent statement comes without old values`() throws {
        for value in [Int64(1), nil] {
            try connection.withStatement("SELECT ?") { statement in
                if let value { statement.bind(value, at: 1) }
                let hasRow = try statement.step()
                #expect(hasRow && statement.isNull(at: 0) == (value == nil))
            }
        }
    }

    @Test func `a trace sees statements, and values only when asked`() throws {
        for (values, expected) in [
            (StatementTrace.Values.hidden, "SELECT ? + ?"), (.shown, "SELECT 1 + 2"),
        ] {
            let recorder = Recorder()
            let traced = try directory.connection {
                $0.label = "writer"
                $0.trace = StatementTrace(values: values) { recorder.add($0) }
            }
            try traced.withStatement("SELECT ? + ?") { statement in
                statement.bind(Int64(1), at: 1)
                statement.bind(Int64(2), at: 2)
                let hasRow = try statement.step()
                #expect(hasRow)
            }
            #expect(recorder.events.last?.sql == expected)
            #expect(recorder.events.last?.connection == "writer")
        }
    }

    private static let endless = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT max(x) FROM n"

    @Test func `a read past its deadline ends, and the connection reads on`() throws {
        let stopped = failure { try connection.limited(until: .now) { _ = try connection.int64(Self.endless) } }
        #expect(stopped?.isInterrupted == true)
        #expect(try connection.limited { try connection.countPeople() } == 3)
    }

    @Test func `the earlier deadline ends a read inside of another, and the outer one holds after it`() throws {
        let farDeadline = ContinuousClock.now + .seconds(600)
        for (outer, inner) in [(ContinuousClock.now, farDeadline), (farDeadline, .now)] {
            let stopped = failure {
                try connection.limited(until: outer) {
                    try connection.limited(until: inner) { _ = try connection.int64(Self.endless) }
                }
            }
            #expect(stopped?.isInterrupted == true)
        }
        let stopped = failure {
            try connection.limited(until: .now) {
                try connection.limited(until: farDeadline) {}
                try connection.limited {}
                _ = try connection.int64(Self.endless)
            }
        }
        #expect(stopped?.isInterrupted == true)
        #expect(try connection.countPeople() == 3)
    }

    @Test func `a read of a cancelled task ends`() async throws {
        let directory = directory
        let task = Task {
            let connection = try directory.connection()
            withUnsafeCurrentTask { $0?.cancel() }
            try connection.limited { _ = try connection.int64(Self.endless) }
        }
        let error = await #expect(throws: SQLiteFailure.self) { try await task.value }
        #expect(error?.isInterrupted == true)
    }

    @Test func `a statement that outlives its connection still runs`() throws {
        let traced = try directory.connection { $0.trace = StatementTrace { _ in } }
        let statement = try traced.prepare("INSERT INTO ZPERSON (ZNAME) VALUES ('Ghost')")
        try traced.close()
        try statement.run()
        #expect(try connection.countPeople() == 4)
    }

    @Test func `a closed connection says so`() throws {
        try connection.close()
        #expect(failure { _ = try connection.countPeople() }?.message == "The connection is closed")
        try connection.close()
    }
}

/// Keeps what a trace reports. The connection and the test are on one thread.
final class Recorder: @unchecked Sendable {
    // @unchecked Sendable: a trace is called on the thread that runs the statement, here the test's own.
    private(set) var events: [StatementTrace.Event] = []

    func add(_ event: StatementTrace.Event) { events.append(event) }
}
