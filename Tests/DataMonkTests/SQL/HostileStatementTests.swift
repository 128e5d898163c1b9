#if Macros
    import DataMonk
    import DataMonkTesting
    import Foundation
    import Testing

    @Suite("Hostile statements") struct HostileStatementTests {
        /// Each statement with the action that is refused; nil where there is more than one, or where SQLite itself refuses
        /// it.
        static let statements: [(sql: String, action: String?)] = [
            ("INSERT INTO ZBOOK(Z_PK) VALUES(99)", "INSERT"), ("REPLACE INTO ZBOOK(Z_PK) VALUES(1)", "INSERT"),
            ("WITH a AS (SELECT 1) INSERT INTO ZBOOK(Z_PK) SELECT 77", "INSERT"),
            ("UPDATE ZBOOK SET ZPAGES = 0", "UPDATE"), ("DELETE FROM ZBOOK", "DELETE"),
            ("DELETE FROM ZBOOK RETURNING ZTITLE", "DELETE"), ("UPDATE ZBOOK SET ZPAGES = 1 RETURNING 1", "UPDATE"),
            ("DROP TABLE ZBOOK", "DELETE"), ("DROP INDEX ZBOOK_ZAUTHOR_INDEX", "DELETE"),
            ("CREATE TABLE evil(a)", "INSERT"), ("CREATE TEMP TABLE evil(a)", "INSERT"),
            ("CREATE TABLE evil AS SELECT * FROM ZBOOK", "INSERT"), ("CREATE INDEX evil ON ZBOOK(ZTITLE)", "INSERT"),
            ("CREATE VIEW evil AS SELECT 1", "INSERT"), ("CREATE TEMP VIEW evil AS SELECT 1", "INSERT"),
            ("CREATE TRIGGER evil AFTER INSERT ON ZBOOK BEGIN SELECT 1; END", "INSERT"),
            ("CREATE TEMP TRIGGER evil AFTER INSERT ON ZBOOK BEGIN SELECT 1; END", "INSERT"),
            ("CREATE VIRTUAL TABLE evil USING fts5(a)", "INSERT"), ("ALTER TABLE ZBOOK RENAME TO evil", "ALTER TABLE"),
            ("ALTER TABLE ZBOOK ADD COLUMN evil", "ALTER TABLE"),
            ("ALTER TABLE ZBOOK DROP COLUMN ZPAGES", "ALTER TABLE"),
            ("ALTER TABLE ZBOOK RENAME COLUMN ZPAGES TO evil", "ALTER TABLE"),
            ("ATTACH 'evil.sqlite' AS evil", "ATTACH"), ("ATTACH ':memory:' AS evil", "ATTACH"),
            ("DETACH main", "DETACH"), ("VACUUM", "VACUUM"), ("VACUUM INTO 'evil.sqlite'", "VACUUM"),
            ("REINDEX", "REINDEX"), ("REINDEX ZBOOK", "REINDEX"), ("ANALYZE", "INSERT"),
            ("BEGIN", "BEGIN"), ("BEGIN IMMEDIATE", "BEGIN"), ("COMMIT", "COMMIT"),
            ("END", "COMMIT"), ("ROLLBACK", "ROLLBACK"), ("SAVEPOINT evil", "SAVEPOINT"),
            ("RELEASE level_1", "RELEASE"), ("PRAGMA query_only = 0", "PRAGMA"), ("PRAGMA user_version", "PRAGMA"),
            ("PRAGMA user_version = 7", "PRAGMA"), ("PRAGMA journal_mode = DELETE", "PRAGMA"),
            ("PRAGMA writable_schema = 1", "PRAGMA"), ("PRAGMA data_version", "PRAGMA"),
            ("PRAGMA wal_checkpoint(TRUNCATE)", "PRAGMA"), ("PRAGMA incremental_vacuum", "PRAGMA"),
            ("SELECT * FROM pragma_table_info('ZBOOK')", "PRAGMA"), ("SELECT * FROM pragma_user_version", "PRAGMA"),
            ("SELECT load_extension('evil.so')", "FUNCTION"), ("SELECT fts3_tokenizer('simple')", "FUNCTION"),
            ("SELECT datamonk_calculate()", "FUNCTION"), ("SELECT DataMonk_Calculate('abs:', 'iii', 1)", "FUNCTION"),
            ("SELECT fts5(NULL)", "FUNCTION"), ("EXPLAIN DELETE FROM ZBOOK", "DELETE"),
            ("EXPLAIN QUERY PLAN UPDATE ZBOOK SET ZPAGES = 0", "UPDATE"),
            ("UPDATE sqlite_schema SET sql = ''", nil), ("DELETE FROM sqlite_temp_schema", nil),
            ("INSERT INTO Z_METADATA SELECT * FROM Z_METADATA", "INSERT"),
            ("SELECT 1; DELETE FROM ZBOOK", nil), ("SELECT 1; ATTACH 'evil.sqlite' AS evil;", nil),
            ("; DELETE FROM ZBOOK", nil),
        ]

        @Test(arguments: statements)
        func `is refused, and nothing has changed`(sql: String, action: String?) async throws {
            let library = try await BookCellar()
            let before = try library.bytes
            let error = await #expect(throws: SQLError.self) { try await library.stack.read { try $0.rows(sql) } }
            if let error {
                #expect(error.code == .refused || action == nil, "\(sql): \(error)")
                if action != nil { #expect(error.action?.isEmpty == false && error.message.contains("refused")) }
            }
            let first = try #require(sql.split(separator: " ").first)
            if let action, !["CREATE", "DROP", "WITH", "ANALYZE"].contains(first) {
                #expect(error?.action == action, "\(sql): \(error?.action ?? "")")
            }
            #expect(try library.bytes == before)
            #expect(
                try FileManager.default.contentsOfDirectory(atPath: library.folder.url.path).sorted()
                    == ["Library.sqlite", "Library.sqlite-shm", "Library.sqlite-wal"])
            try await Self.use(library)
        }

        /// The connection serves the library's own statements as before, of which none is refused.
        private static func use(_ library: BookCellar) async throws {
            let titles = try await library.context.read { reader in
                try reader.fetchAll(BookCellar.Book.self, orderBy: .ascending(\.pages)).map(\.title)
            }
            #expect(titles.count == 3)
            try await library.context.update { update in
                try update.create(BookCellar.Book.self).title = "New"
                try update.commit()
            }
            let count = try await library.stack.read { database in
                #expect(try database.rows("SELECT * FROM sqlite_temp_schema").isEmpty)
                return try database.value("SELECT count(*) FROM ZBOOK", as: Int.self)
            }
            #expect(count == 4)
            #expect(try await library.context.read { try $0.count(BookCellar.Book.self) } == 4)
            try library.stack.close()
            #expect(try Stack.examine(storeAt: library.url).findings == [])
        }

        @Test func `a refusal in the middle of a body leaves the rest to run`() async throws {
            let library = try await BookCellar()
            let count = try await library.stack.read { database in
                #expect(throws: SQLError.self) { try database.rows("DELETE FROM ZBOOK") }
                #expect(throws: SQLError.self) { try database.rows("COMMIT") }
                return try database.value("SELECT count(*) FROM ZBOOK", as: Int.self)
            }
            #expect(count == 3)
        }

        @Test func `a value is never part of the statement`() async throws {
            let library = try await BookCellar()
            let title = "'; DELETE FROM ZBOOK; --"
            let found = try await library.stack.read { database in
                try database.value("SELECT ? || ''", title, as: String.self)
            }
            #expect(found == title)
        }
    }
#endif
