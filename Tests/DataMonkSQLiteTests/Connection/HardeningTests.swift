import DataMonkSQLite
import Testing

@Suite("A hardened connection")
struct HardeningTests {
    let connection: SQLiteConnection
    let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
        connection = try directory.people(1)
    }

    @Test func `double quotes never make a string`() {
        #expect(throws: SQLiteFailure.self) { try connection.int64("SELECT \"no such column\"") }
        #expect(throws: SQLiteFailure.self) { try connection.execute("CREATE INDEX I ON ZPERSON (\"nothing\")") }
    }

    @Test func `the schema cannot be written by hand`() throws {
        // Defensive mode ignores the pragma and refuses the UPDATE.
        try connection.execute("PRAGMA writable_schema = ON")
        #expect(throws: SQLiteFailure.self) { try connection.execute("UPDATE sqlite_schema SET sql = ''") }
    }

    @Test func `a file's view is not read`() throws {
        try connection.execute("CREATE VIEW trap AS SELECT 1 AS x")
        let failure = failure { _ = try connection.int64("SELECT x FROM trap") }
        #expect(failure?.message.contains("prohibited") == true)
    }

    @Test func `a file's trigger cannot call a function that is not innocuous`() throws {
        try connection.registerFunction("side_effect", argumentCount: 0, trust: .directOnly) { call in
            call.returnValue(Int64(1))
        }
        try connection.execute(
            "CREATE TABLE T(x); CREATE TRIGGER trap AFTER INSERT ON T BEGIN SELECT side_effect(); END")
        #expect(try connection.int64("SELECT side_effect()") == 1)
        let failure = failure { try connection.execute("INSERT INTO T VALUES(1)") }
        #expect(failure?.message.contains("unsafe use of side_effect") == true)
    }

    @Test func `a file's trigger may call a pure function of ours`() throws {
        try connection.registerFunction("pure", argumentCount: 0) { $0.returnValue(Int64(2)) }
        try connection.execute(
            "CREATE TABLE T(x); CREATE TRIGGER fine AFTER INSERT ON T BEGIN UPDATE T SET x = pure(); END")
        try connection.execute("INSERT INTO T VALUES(1)")
        #expect(try connection.int64("SELECT x FROM T") == 2)
    }

    @Test func `extensions cannot be loaded`() {
        #expect(throws: SQLiteFailure.self) { try connection.int64("SELECT load_extension('x')") }
    }

    @Test func `cell sizes are checked, memory mapping and own checkpoints are off`() throws {
        #expect(try connection.int64("PRAGMA cell_size_check") == 1)
        #expect(try connection.int64("PRAGMA mmap_size") == 0)
        #expect(try connection.int64("PRAGMA wal_autocheckpoint") == 0)
        #expect(try connection.int64("PRAGMA trusted_schema") == 0)
    }

    @Test func `triggers, views and virtual tables are listed as objects that may run code`() throws {
        try connection.execute(
            """
            CREATE VIEW V AS SELECT 1; CREATE TRIGGER T AFTER INSERT ON ZPERSON BEGIN SELECT 1; END;
            CREATE VIRTUAL TABLE F USING fts5(x)
            """)
        let objects = try connection.schemaObjects().filter(\.mayRunCode)
        #expect(objects.map(\.name) == ["V", "T", "F"])
        #expect(objects.map(\.kind) == [.view, .trigger, .virtualTable])
        #expect(try connection.schemaObjects().contains { $0.name == "ZPERSON" && $0.kind == .table })
    }
}
