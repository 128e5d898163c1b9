import DataMonkSQLite
import Foundation
import Testing

/// Renaming tables at once, beside SQLite's own RENAME.
@Suite("Renaming tables")
struct RenamingTests {
    let directory: TemporaryDirectory
    let connection: SQLiteConnection

    private static let names = ["ZPERSON": "migrating_1", "Z_1FRIENDS": "migrating_2", "ZODD": "migrating_3"]

    init() throws {
        directory = try TemporaryDirectory()
        connection = try directory.connection()
        try connection.execute(
            """
            CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR UNIQUE, ZAGE INTEGER CHECK (ZAGE > 0) );
            CREATE TABLE Z_1FRIENDS ( Z_1FRIENDS INTEGER, Z_1FRIENDS1 INTEGER, PRIMARY KEY (Z_1FRIENDS, Z_1FRIENDS1) );
            CREATE TABLE /* by hand */ ZODD(Z_PK INTEGER PRIMARY KEY, ZAGE);
            CREATE TABLE "ZOTHER" ( Z_PK INTEGER PRIMARY KEY, ZAGE );
            CREATE INDEX Z_Person_age ON ZPERSON (ZAGE COLLATE BINARY ASC);
            CREATE UNIQUE INDEX Z_Person_both ON ZPERSON (ZNAME, ZAGE) WHERE ZAGE > 1;
            CREATE INDEX Z_Odd_age ON ZODD (ZAGE);
            INSERT INTO ZPERSON VALUES(1, 'Monk', 40), (2, 'Knight', 30);
            INSERT INTO Z_1FRIENDS VALUES(1, 2); INSERT INTO ZODD VALUES(1, 5); INSERT INTO ZOTHER VALUES(1, 7)
            """)
    }

    private func schema() throws -> String? {
        try connection.text(
            """
            SELECT group_concat(type || ' ' || name || ' ' || tbl_name || ' ' || replace(coalesce(sql, ''), '"', ''), '; ')
            FROM (SELECT * FROM sqlite_schema ORDER BY name)
            """)
    }

    @Test func `the schema is the one that RENAME leaves`() throws {
        struct Stop: Error {}
        var expected: String?
        #expect(throws: Stop.self) {
            try connection.transaction(.immediate) {
                for (name, renamed) in Self.names { try connection.execute("ALTER TABLE \(name) RENAME TO \(renamed)") }
                expected = try schema()
                throw Stop()
            }
        }
        try connection.transaction(.immediate) {
            try connection.renameTables(Self.names)
            #expect(try schema() == expected)
            try connection.execute("CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY )")
        }
        #expect(try connection.text("PRAGMA integrity_check") == "ok")
        #expect(try connection.text("SELECT group_concat(ZNAME) FROM migrating_1 WHERE ZAGE > 10") == "Knight,Monk")
        #expect(throws: SQLiteFailure.self) { try connection.execute("INSERT INTO migrating_1 VALUES(3, 'Monk', 1)") }
    }

    @Test func `what is rolled back has its names again`() throws {
        struct Stop: Error {}
        let before = try schema()
        #expect(throws: Stop.self) {
            try connection.transaction(.immediate) {
                try connection.renameTables(Self.names)
                throw Stop()
            }
        }
        #expect(try schema() == before)
        #expect(try connection.text("SELECT group_concat(ZNAME) FROM ZPERSON WHERE ZAGE > 10") == "Knight,Monk")
    }

    @Test func `the schema is protected again`() throws {
        try connection.transaction(.immediate) { try connection.renameTables(Self.names) }
        #expect(throws: SQLiteFailure.self) { try connection.execute("UPDATE sqlite_schema SET name = 'evil'") }
        try connection.execute("PRAGMA writable_schema = ON")
        #expect(throws: SQLiteFailure.self) { try connection.execute("UPDATE sqlite_schema SET name = 'evil'") }
    }
}
