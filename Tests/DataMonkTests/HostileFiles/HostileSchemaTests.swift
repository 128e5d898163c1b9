import DataMonk
import Foundation
import Testing

/// Schemas that others have changed: each use of the store throws an error of the library's, or is right; none runs code of
/// the file's author, and none goes on without end.
@Suite(.timeLimit(.minutes(60))) struct `Changed schemas` {
    private static let endless = "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)"

    /// Makes a table anew with another definition: what follows the columns' names, and the columns that are different.
    private static func redefining(
        _ table: String, _ columns: [String: String] = [:], suffix: String = ""
    ) -> String {
        let definition = columns.map { "replace(sql, '\($0.key)', '\($0.value)')" }
        let sql = definition.reduce("sql") { $1.replacing("replace(sql,", with: "replace(\($0),") }
        return """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = \(sql) || '\(suffix)' WHERE name = '\(table)';
            PRAGMA writable_schema = RESET
            """
    }

    @Test(arguments: [
        "ALTER TABLE ZNOTE RENAME TO ZOLD; CREATE VIEW ZNOTE AS SELECT * FROM ZOLD",
        "ALTER TABLE ZNOTE RENAME TO ZOLD; CREATE VIEW ZNOTE AS \(endless) SELECT o.* FROM ZOLD o, c",
        "ALTER TABLE Z_METADATA RENAME TO ZOLD; CREATE VIEW Z_METADATA AS SELECT * FROM ZOLD",
        "ALTER TABLE Z_METADATA RENAME TO ZOLD; CREATE VIEW Z_METADATA AS \(endless) SELECT o.* FROM ZOLD o, c",
        "ALTER TABLE Z_PRIMARYKEY RENAME TO ZOLD; CREATE VIEW Z_PRIMARYKEY AS \(endless) SELECT o.* FROM ZOLD o, c",
        "CREATE VIEW ZSTRANGER AS SELECT load_extension('/tmp/evil')",
        "CREATE VIRTUAL TABLE ZSTRANGER USING fts4(a)", "CREATE VIRTUAL TABLE ZSTRANGER USING rtree(a, b, c)",
        "ALTER TABLE ZLABEL RENAME TO ZOLD; CREATE VIRTUAL TABLE ZLABEL USING fts4(Z_PK, Z_ENT, Z_OPT, ZNAME)",
        "CREATE TRIGGER evil AFTER UPDATE ON ZNOTE BEGIN DELETE FROM ZLABEL; END",
        "CREATE TRIGGER evil BEFORE INSERT ON ZLABEL BEGIN SELECT RAISE(IGNORE); END",
    ])
    func `that run code are refused`(script: String) throws {
        let store = try ForeignStore()
        try store.rows(script)
        let outcomes = try store.outcomes()
        for use in [ForeignStore.Use.reading, .readingImmutable, .changing] {
            #expect(outcomes[use]?.succeeded == false, "\(use)")
        }
        let names = try store.rows("SELECT name FROM sqlite_schema WHERE name = 'ZLABEL' AND type = 'table'")
        if !names.isEmpty, !script.contains("VIRTUAL TABLE ZLABEL") {
            #expect(try store.rows("SELECT count(*) FROM ZLABEL") == [["1"]])
        }
    }

    @Test(arguments: [
        redefining("ZNOTE", ["ZTEXT VARCHAR": "ZTEXT VARCHAR GENERATED ALWAYS AS (1)"]),
        redefining("ZNOTE", ["ZTEXT VARCHAR": "ZTEXT VARCHAR AS (hex(zeroblob(1000000)))"]),
        redefining("ZNOTE", ["ZTEXT VARCHAR": "ZTEXT VARCHAR AS (load_extension(1))"]),
        redefining("ZNOTE", ["Z_OPT INTEGER": "Z_OPT INTEGER AS (Z_PK + 1)"]),
        redefining("ZNOTE", ["ZTEXT VARCHAR": "ZTEXT VARCHAR COLLATE nowhere"]),
        redefining("ZNOTE", ["ZTEXT VARCHAR": "ZTEXT VARCHAR CHECK (nowhere(ZTEXT))"]),
        redefining("ZNOTE", ["ZTEXT VARCHAR": "ZTEXT VARCHAR CHECK (load_extension(1))"]),
        redefining("ZNOTE", ["ZTEXT VARCHAR": "ZTEXT VARCHAR CHECK (0)"]),
        redefining("ZNOTE", ["ZTEXT VARCHAR": "ZTEXT VARCHAR NOT NULL"]),
        redefining("ZNOTE", ["ZTEXT VARCHAR": "ZTEXT VARCHAR DEFAULT (nowhere())"]),
        redefining("ZNOTE", ["Z_PK INTEGER PRIMARY KEY": "Z_PK INTEGER"]),
        redefining("ZNOTE", ["Z_PK INTEGER PRIMARY KEY": "Z_PK TEXT"]),
        redefining("ZNOTE", suffix: " STRICT"),
        redefining("ZNOTE", ["ZPARENT INTEGER": "ZPARENT INTEGER REFERENCES ZNOTE(Z_PK) ON DELETE CASCADE"]),
        "ALTER TABLE ZNOTE ADD COLUMN ZSTRANGER DEFAULT 5", "ALTER TABLE ZNOTE ADD COLUMN ZX AS (abs(ZCOUNT)) VIRTUAL",
        "CREATE UNIQUE INDEX ZI ON ZNOTE(ZCOUNT)",
        "CREATE INDEX ZI ON ZNOTE(hex(zeroblob(1000000)))", "CREATE INDEX ZI ON ZNOTE(abs(ZTEXT)) WHERE ZCOUNT > 0",
        "CREATE INDEX ZI ON ZNOTE(ZTEXT); " + redefining("ZI", ["ZTEXT": "nowhere(ZTEXT)"]),
        "CREATE INDEX ZI ON ZNOTE(ZTEXT); " + redefining("ZI", ["ZTEXT": "ZTEXT COLLATE nowhere"]),
        "CREATE INDEX ZI ON ZNOTE(ZTEXT); " + redefining("ZI", suffix: " WHERE load_extension(ZTEXT)"),
        "ANALYZE; UPDATE sqlite_stat1 SET stat = '9223372036854775807 -1 x'", "ANALYZE; DELETE FROM sqlite_stat1",
        "ANALYZE; UPDATE sqlite_stat1 SET tbl = 'Z_METADATA', idx = zeroblob(100)",
        "DELETE FROM Z_METADATA", "UPDATE Z_METADATA SET Z_VERSION = 2", "UPDATE Z_METADATA SET Z_UUID = zeroblob(16)",
        "UPDATE Z_METADATA SET Z_UUID = '../../../../../../../../etc/passwd..'", "UPDATE Z_METADATA SET Z_PLIST = 7",
        "UPDATE Z_METADATA SET Z_PLIST = zeroblob(70000000)",
        "UPDATE Z_MODELCACHE SET Z_CONTENT = zeroblob(70000000)",
        "UPDATE Z_MODELCACHE SET Z_CONTENT = 'text'", "DROP TABLE Z_MODELCACHE",
        "DELETE FROM Z_PRIMARYKEY", "UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT",
        "UPDATE Z_PRIMARYKEY SET Z_NAME = 'Note'",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807", "UPDATE Z_PRIMARYKEY SET Z_MAX = -9223372036854775808",
        "UPDATE Z_PRIMARYKEY SET Z_MAX = 9007199254740993", "UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 100000",
        "PRAGMA page_size = 65536; VACUUM", "PRAGMA application_id = -1; PRAGMA user_version = -1",
    ])
    func `are refused, or bear use`(script: String) throws {
        let store = try ForeignStore()
        try store.rows(script)
        _ = try store.outcomes()
    }

    /// A clause of the file says what a constraint does: a save would delete or skip rows because of it.
    @Test(arguments: ["REPLACE", "IGNORE", "ROLLBACK", "FAIL"])
    func `that say how a save meets their constraints are refused`(clause: String) throws {
        let store = try ForeignStore()
        try store.rows(
            Self.redefining("ZNOTE", ["ZTEXT VARCHAR": "ZTEXT VARCHAR NOT NULL ON CONFLICT \(clause)"]))
        let error = try #require(throws: StoreError.self) { try store.openStack() }
        #expect(error.code == .incompatibleSchema && error.message.contains("ZNOTE"))
        let findings = try Stack.examine(storeAt: store.url).findings
        #expect(findings.contains { $0.kind == .unexpectedCode })
    }

    /// A comment hides the quotes around a clause. To a `String`, its dashes are other characters with a combining mark.
    @Test func `whose clauses stand behind a combining mark are refused`() throws {
        let store = try ForeignStore()
        try store.rows(
            Self.redefining("ZNOTE", ["ZTEXT VARCHAR": "ZTEXT VARCHAR --\u{301} ''\n DEFAULT 5 --\u{301}''\n"]))
        let error = try #require(throws: StoreError.self) { try store.openStack() }
        #expect(error.code == .incompatibleSchema && error.message.contains("ZNOTE"))
    }
}
