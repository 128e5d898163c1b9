#if Macros
    import DataMonk
    import DataMonkSQLite
    import DataMonkTesting
    import Foundation
    import Testing

    @Suite("Reads with SQL") struct SQLReadTests {
        struct TitleAndPages: Decodable, Equatable, Sendable {
            var title: String
            var pages: Int
        }

        struct Everything: Decodable, Equatable, Sendable {
            var price: Decimal
            var weight: Double
            var printed: Date?
            var code: UUID?
            var cover: Data?
            var site: URL?
            var isLent: Bool
            var shelf: BookCellar.Shelf
        }

        @Test func `rows by name, by position and decoded`() async throws {
            let library = try await BookCellar()
            let (titles, decoded, names) = try await library.stack.read { database in
                let rows = try database.rows("SELECT ZTITLE, ZPAGES FROM ZBOOK WHERE ZPAGES >= ? ORDER BY ZPAGES", 100)
                let decoded = try database.rows(
                    "SELECT ZTITLE AS title, ZPAGES AS pages FROM ZBOOK WHERE ZTITLE = ?", "It's \"quoted\"",
                    as: TitleAndPages.self)
                let titles = try rows.map { row in
                    "\(try row["ZTITLE", as: String.self] ?? "") \(try row[1, as: Int.self] ?? 0)"
                }
                return (titles, decoded, rows.first?.columnNames)
            }
            #expect(titles == ["Sutra 100", "Atlas 300"])
            #expect(decoded == [TitleAndPages(title: "It's \"quoted\"", pages: 0)])
            #expect(names == ["ZTITLE", "ZPAGES"])
        }

        @Test func `a value of each type as an argument and as a result`() async throws {
            let library = try await BookCellar()
            let count = try await library.stack.read { database in
                try database.value(
                    """
                    SELECT count(*) FROM ZBOOK WHERE ZTITLE = ? AND ZPAGES = ? AND ZPRICE = ? AND ZWEIGHT = ? AND
                    ZPRINTED = ? AND ZCODE = ? AND ZCOVER = ? AND ZSITE = ? AND ZISLENT = ? AND ZSHELF = ? AND
                    ZCODE IS NOT ?
                    """, "Sutra", 100, Decimal(12.5), 0.5, BookCellar.printed, BookCellar.code, Data([1, 2]),
                    URL(string: "https://a.example/"), true, BookCellar.Shelf.hall, nil, as: Int.self)
            }
            #expect(count == 1)
            let everything = try await library.stack.read { database in
                try database.rows(
                    """
                    SELECT ZPRICE price, ZWEIGHT weight, ZPRINTED printed, ZCODE code, ZCOVER cover, ZSITE site,
                    ZISLENT isLent, ZSHELF shelf FROM ZBOOK ORDER BY Z_PK
                    """, as: Everything.self)
            }
            let site = URL(string: "https://a.example/")
            let sutra = Everything(
                price: 12.5, weight: 0.5, printed: BookCellar.printed, code: BookCellar.code, cover: Data([1, 2]),
                site: site,
                isLent: true, shelf: .hall)
            #expect(everything.contains(sutra) && everything.count == 3)
            let single = try await library.stack.read { database in
                let empty = try database.value("SELECT ZPAGES FROM ZBOOK WHERE 0", as: Int.self)
                let null = try database.value("SELECT NULL", as: Int.self)
                let day = try database.value("SELECT ZPRINTED FROM ZBOOK WHERE ZPRINTED IS NOT ?", nil, as: Date.self)
                return (empty, null, day)
            }
            #expect(single.0 == nil && single.1 == nil && single.2 == BookCellar.printed)
        }

        @Test func `ids go in and come out`() async throws {
            let library = try await BookCellar()
            let (ids, titles) = try await library.stack.read { database in
                let rows = try database.rows("SELECT Z_PK, Z_ENT FROM ZBOOK WHERE ZPAGES >= 100")
                let ids = try rows.map { try database.objectID(of: BookCellar.Book.self, in: $0) }
                let titles = try ids.map {
                    try database.value("SELECT ZTITLE FROM ZBOOK WHERE Z_PK = ?", $0.erased, as: String.self)
                }
                return (ids, titles)
            }
            let found = try await library.context.read { reader in try reader.use(ids).map(\.title) }
            #expect(found == titles && Set(found) == ["Sutra", "Atlas"])
            let error = await #expect(throws: FetchError.self) {
                try await library.stack.read { database in
                    let row = try database.rows("SELECT Z_PK, Z_ENT FROM ZBOOK WHERE ZPAGES = 100")[0]
                    return try database.objectID(of: BookCellar.Atlas.self, in: row)
                }
            }
            #expect(error?.code == .wrongClass)
        }

        @Test func `the names of tables and columns`() async throws {
            let library = try await BookCellar()
            let names = try await library.stack.read { database in
                [
                    try database.table(of: BookCellar.Atlas.self), try database.column(of: \BookCellar.Book.title),
                    try database.column(of: \BookCellar.Atlas.scale), try database.column(of: \BookCellar.Book.author),
                    try database.column(of: "pages", in: BookCellar.Atlas.self),
                    "\(try database.entityNumbers(of: BookCellar.Book.self).count)",
                    "\(try database.entityNumbers(of: BookCellar.Atlas.self).count)",
                ]
            }
            #expect(names == ["ZBOOK", "ZTITLE", "ZSCALE", "ZAUTHOR", "ZPAGES", "2", "1"])
            for (name, code) in [("nothing", FetchError.Code.unknownKey), ("books", .invalidKeyPath)] {
                let error = await #expect(throws: FetchError.self) {
                    try await library.stack.read { try $0.column(of: name, in: BookCellar.Author.self) }
                }
                #expect(error?.code == code)
            }
        }

        @Test func `rows one at a time, with a query for each, and an end by an error`() async throws {
            struct Enough: Error {}
            let library = try await BookCellar()
            let titles = try await library.stack.read { database in
                var titles: [String] = []
                try database.forEachRow("SELECT Z_PK FROM ZBOOK ORDER BY ZPAGES") { row in
                    let key = try row[0, as: Int.self]
                    titles.append(
                        try database.value("SELECT ZTITLE FROM ZBOOK WHERE Z_PK = ?", key, as: String.self) ?? "")
                }
                return titles
            }
            #expect(titles == ["It's \"quoted\"", "Sutra", "Atlas"])
            await #expect(throws: Enough.self) {
                try await library.stack.read { database in
                    try database.forEachRow("SELECT Z_PK FROM ZBOOK") { _ in throw Enough() }
                }
            }
            #expect(try await library.context.read { try $0.count(BookCellar.Book.self) } == 3)
        }

        @Test func `rows that are kept stay as they were`() async throws {
            let library = try await BookCellar()
            let (kept, all) = try await library.stack.read { database in
                let sql = "SELECT ZTITLE, ZPAGES FROM ZBOOK ORDER BY Z_PK"
                var kept: [SQLRow] = []
                try database.forEachRow(sql) { row in if try row[1, as: Int.self] ?? 0 > 0 { kept.append(row) } }
                return (kept, try database.rows(sql))
            }
            #expect(all.count == 3)
            #expect(try kept.map { try $0["ZTITLE", as: String.self] } == ["Sutra", "Atlas"])
            #expect(try all.map { try $0[1, as: Int.self] } == [100, 0, 300])
        }

        @Test func `texts that are equal as strings are different statements`() async throws {
            let library = try await BookCellar()
            let lengths = try await library.stack.read { database in
                try ["\u{E9}", "e\u{301}", "\u{E9}"].map { try database.value("SELECT length('\($0)')", as: Int.self) }
            }
            #expect(lengths == [1, 2, 1])
        }

        @Test func `a query again, after its table has lost a column`() async throws {
            let library = try await BookCellar()
            let connection = try SQLiteConnection(fileURL: library.url, options: SQLiteOptions(access: .readWrite))
            try connection.execute("ALTER TABLE ZAUTHOR ADD COLUMN ZCITY VARCHAR DEFAULT 'Bern'")
            let sql = "SELECT ZCITY FROM ZAUTHOR"
            #expect(try await library.stack.read { try $0.value(sql, as: String.self) } == "Bern")
            try connection.execute("ALTER TABLE ZAUTHOR DROP COLUMN ZCITY")
            try connection.close()
            for _ in 0..<2 {
                let error = await #expect(throws: SQLError.self) { try await library.stack.read { try $0.rows(sql) } }
                #expect(error?.code == .invalidStatement, "\(String(describing: error))")
            }
        }

        @Test func `a query again, after its table has got another column`() async throws {
            let library = try await BookCellar()
            let sql = "SELECT * FROM ZAUTHOR WHERE ZNAME = ?"
            let before = try await library.stack.read { try $0.rows(sql, "Wei") }
            let connection = try SQLiteConnection(fileURL: library.url, options: SQLiteOptions(access: .readWrite))
            try connection.execute("ALTER TABLE ZAUTHOR ADD COLUMN ZCITY VARCHAR DEFAULT 'Bern'")
            try connection.close()
            let (after, none) = try await library.stack.read { (try $0.rows(sql, "Wei"), try $0.rows(sql, nil)) }
            #expect(before.count == 1 && after.count == 1 && none.isEmpty)
            #expect(after.first?.columnNames == before.first.map { $0.columnNames + ["ZCITY"] })
            #expect(try after.first?["ZCITY", as: String.self] == "Bern")
        }

        @Test(arguments: [
            ("SELECT ?, ?", SQLError.Code.wrongArguments), ("SELECT nothing FROM ZBOOK", .invalidStatement),
            ("SELEC 1", .invalidStatement), ("", .notOneStatement), ("-- nothing", .notOneStatement),
            ("SELECT 1; SELECT 2", .notOneStatement), ("SELECT 1\0SELECT 2", .notOneStatement),
            ("SELECT sum(9223372036854775807) FROM ZBOOK", .failed), ("SELECT json_extract('{', '$')", .failed),
        ])
        func `a statement that is wrong`(sql: String, code: SQLError.Code) async throws {
            let library = try await BookCellar()
            let error = await #expect(throws: SQLError.self) { try await library.stack.read { try $0.rows(sql) } }
            #expect(error?.code == code && error?.sql == sql)
            #expect(try await library.context.read { try $0.count(BookCellar.Book.self) } == 3)
        }

        @Test func `arguments that are no SQL values`() async throws {
            let library = try await BookCellar()
            for argument: any FormatArgument in [[1, 2], Double.nan] {
                let value = argument.formatArgument
                let error = await #expect(throws: SQLError.self) {
                    try await library.stack.read { try $0.rows("SELECT ?", value) }
                }
                #expect(error?.code == .wrongArguments)
            }
        }

        @Test func `a list is one argument, as JSON`() async throws {
            let library = try await BookCellar()
            let sql = "SELECT count(*) FROM ZBOOK WHERE ZTITLE IN (SELECT value FROM json_each(?))"
            let count = try await library.stack.read {
                try $0.value(sql, "[\"Sutra\", \"Atlas\", \"?\"]", as: Int.self)
            }
            #expect(count == 2)
        }

        @Test func `a database ends with its body`() async throws {
            let library = try await BookCellar()
            nonisolated(unsafe) var kept: SQLDatabase?
            try await library.stack.read { kept = $0 }
            let database = try #require(kept)
            #expect(throws: SQLError.self) { try database.rows("SELECT 1") }
            #expect(throws: SQLError.self) { try database.table(of: BookCellar.Book.self) }
        }

        @Test func `the store is named where there are several, and is in a file`() async throws {
            let memory = try Stack(BookCellar.Book.self)
            try memory.addInMemoryStore()
            let error = await #expect(throws: StoreError.self) { try await memory.read { try $0.rows("SELECT 1") } }
            #expect(error?.code == .unsupportedRequest && error?.message.contains("in a file") == true)
            let library = try await BookCellar()
            let one = try await library.stack.read(storeAt: library.url) { try $0.value("SELECT 1", as: Int.self) }
            #expect(one == 1)
            let other = library.folder.file("Other.sqlite")
            let missing = await #expect(throws: StoreError.self) {
                try await library.stack.read(storeAt: other) { try $0.rows("SELECT 1") }
            }
            #expect(missing?.code == .fileNotFound)
        }

        @Test func `a store that is only read`() async throws {
            let library = try await BookCellar()
            try library.stack.close()
            let stack = try Stack(BookCellar.Book.self, BookCellar.Atlas.self, BookCellar.Author.self)
            try stack.addDatabaseStore(fileURL: library.url, readOnly: true)
            #expect(try await stack.read { try $0.value("SELECT count(*) FROM ZBOOK", as: Int.self) } == 3)
            try stack.close()
        }

        @Test func `a statement that was refused is not the reason of a later failure`() async throws {
            let library = try await BookCellar()
            let error = await #expect(throws: SQLError.self) {
                try await library.stack.read { database in
                    try database.forEachRow("SELECT ZTITLE FROM ZBOOK") { _ in
                        #expect(throws: SQLError.self) { try database.rows("DELETE FROM ZBOOK") }
                        _ = try database.rows("SELECT nonsense")
                    }
                }
            }
            #expect(error?.code == .invalidStatement, "\(String(describing: error))")
        }

        @Test func `a cancelled read ends before the next row`() async throws {
            let library = try await BookCellar()
            let seen = Locked(0)
            let task = Task {
                try await library.stack.read { database in
                    try database.forEachRow("SELECT ZTITLE FROM ZBOOK") { _ in
                        seen.withLock { $0 += 1 }
                        withUnsafeCurrentTask { $0?.cancel() }
                    }
                }
            }
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(seen.withLock { $0 } == 1)
        }
    }
#endif
