#if Macros
    import DataMonk
    import DataMonkSQLite
    import DataMonkTesting
    import Foundation
    import Testing

    /// The tables of a history, as Core Data has them.
    @Suite struct `Files with a history` {
        private func rows(_ sql: String, _ url: URL) throws -> [[String]] {
            let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
            let rows = try connection.withStatement(sql) { statement in
                var rows: [[String]] = []
                while try statement.step() {
                    rows.append((0..<statement.columnCount).map { statement.text(at: $0) ?? "nil" })
                }
                return rows
            }
            try connection.close()
            return rows
        }

        private func execute(_ sql: String, _ url: URL) throws {
            let connection = try SQLiteConnection(fileURL: url, options: SQLiteOptions(access: .readWrite))
            for statement in sql.split(separator: ";") { try connection.execute(String(statement)) }
            try connection.close()
        }

        @Test func `tables, numbers and texts are Core Data's`() throws {
            let archive = try Archive(.file)
            let context = archive.newContext("monk")
            context.name = "desk"
            let letter = try context.insert(Archive.Letter.self)
            letter.title = "a"
            try context.save()
            letter.title = "b"
            try context.save()
            context.delete(letter)
            try context.save()
            try archive.stack.close()
            let url = archive.fileURL
            #expect(
                try rows("SELECT sql FROM sqlite_schema WHERE name = 'ACHANGE'", url) == [
                    [
                        """
                        CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
                        ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB, \
                        ZTOMBSTONE0, ZTOMBSTONE1, ZTOMBSTONE2, ZTOMBSTONE3 )
                        """
                    ]
                ])
            #expect(
                try rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000", url) == [
                    ["16001", "CHANGE", "0", "3"], ["16002", "TRANSACTION", "0", "3"],
                    ["16003", "TRANSACTIONSTRING", "0", "3"],
                ])
            // Attributes by name: number, pages, title, written. The bits: number, pages, shelf, text, title, written.
            let columns =
                "ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, hex(ZCOLUMNS), ZTOMBSTONE1, ZTOMBSTONE2, Z_OPT"
            #expect(
                try rows("SELECT \(columns) FROM ACHANGE", url) == [
                    ["0", "2", "1", "1", "", "nil", "nil", "nil"], ["1", "2", "1", "2", "10", "nil", "nil", "nil"],
                    ["2", "2", "1", "3", "", "1", "b", "nil"],
                ])
            let names = """
                SELECT a.ZNAME, c.ZNAME, t.ZAUTHOR, typeof(t.ZTIMESTAMP) FROM ATRANSACTION t \
                JOIN ATRANSACTIONSTRING a ON a.Z_PK = t.ZAUTHORTS JOIN ATRANSACTIONSTRING c ON c.Z_PK = t.ZCONTEXTNAMETS
                """
            #expect(try rows(names, url) == Array(repeating: ["monk", "desk", "nil", "real"], count: 3))
        }

        @Test func `a transaction costs a row, a change one more, texts nothing once they are known`() throws {
            let recorder = StatementRecorder()
            let archive = try Archive(.file, trace: { recorder.record($0, by: "archive") })
            try archive.document("a", by: "monk")
            let saved = try recorder.statements { try archive.document("b", by: "monk") }
                .filter { !$0.hasPrefix("PRAGMA") }.map { $0.replacing(/\(Z_PK, .*/, with: "") }
            #expect(
                saved == [
                    "BEGIN IMMEDIATE", "INSERT INTO ZDOCUMENT", "INSERT INTO ATRANSACTION", "INSERT INTO ACHANGE",
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", "COMMIT",
                ])
        }

        @Test func `a save without a history runs nothing for it`() throws {
            let recorder = StatementRecorder()
            let archive = try Archive(.file, tracksHistory: false, trace: { recorder.record($0, by: "archive") })
            try archive.document("a", by: "monk")
            let saved = try recorder.statements { try archive.document("b", by: "monk") }
                .filter { !$0.hasPrefix("PRAGMA") }
            #expect(saved.count == 4)
        }

        @Test func `texts in the transactions' own rows are read and written, as early frameworks did`() throws {
            let archive = try Archive(.file, tracksHistory: false)
            try archive.document("a")
            try archive.stack.close()
            try execute(
                """
                CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZCHANGETYPE INTEGER, \
                ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB );
                CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZTIMESTAMP FLOAT, \
                ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR );
                INSERT INTO ATRANSACTION VALUES(4, 16002, NULL, 1000, 'old', 'bundle', NULL, 'process');
                INSERT INTO ACHANGE VALUES(9, 16001, NULL, 1, 1, 1, 4, x'FF');
                INSERT INTO Z_PRIMARYKEY VALUES(16001, 'CHANGE', 0, 9);
                INSERT INTO Z_PRIMARYKEY VALUES(16002, 'TRANSACTION', 0, 4)
                """, archive.fileURL)
            let stack = try archive.otherStack()
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            context.transactionAuthor = "new"
            _ = try context.insert(Archive.Shelf.self)
            try context.save()
            let history = try stack.history()
            #expect(history.map(\.transactionNumber) == [4, 5] && history.map(\.author) == ["old", "new"])
            #expect(history[0].timestamp == Date(timeIntervalSinceReferenceDate: 1_000))
            // In which order its writer put the bits is not known.
            #expect(history[0].changes.map(\.updatedProperties) == [nil])
            #expect(history.flatMap { $0.changes.map(\.changeID) } == [9, 10])
            try stack.close()
        }

        @Test func `a transaction that is there twice is damage`() throws {
            let archive = try Archive(.file)
            for title in ["a", "b"] { try archive.document(title) }
            try archive.stack.close()
            try execute(
                """
                ALTER TABLE ATRANSACTION RENAME TO OLD;
                CREATE TABLE ATRANSACTION AS SELECT * FROM OLD UNION ALL SELECT * FROM OLD WHERE Z_PK = 1;
                DROP TABLE OLD
                """, archive.fileURL)
            let stack = try archive.otherStack()
            let error = #expect(throws: StoreError.self) { try stack.history() }
            #expect(error?.code == .corrupt && error?.message.contains("transaction 1 twice") == true)
            try stack.close()
        }

        @Test func `a migration empties the history, and old tokens expire`() throws {
            let archive = try Archive(.file)
            try archive.document("a")
            let token = try archive.stack.currentHistoryToken()
            try archive.stack.close()
            var entities = try Archive.model.get().entities.map(\.description)
            entities.append(EntityDescription("Box") { AttributeDescription("name", .string) })
            let stack = Stack(model: try ManagedObjectModel(entities: entities))
            try stack.addDatabaseStore(fileURL: archive.fileURL, tracksHistory: true)
            #expect(try stack.history().isEmpty)
            let error = try #require(throws: StoreError.self) { try stack.history(after: token) }
            #expect(error.code == .historyTokenExpired)
            let context = ManagedObjectContext(coordinator: stack.coordinator)
            _ = try context.insert(try #require(stack.model.entitiesByName["Box"]))
            try context.save()
            #expect(try stack.history().map(\.transactionNumber) == [2])
            try stack.close()
        }
    }
#endif
