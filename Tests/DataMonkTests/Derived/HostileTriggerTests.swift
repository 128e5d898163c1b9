import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Triggers that somebody put into a store, to be run by whoever writes to it: none is.
@Suite struct `Triggers of a store` {
    private let gallery: Gallery

    init() throws {
        gallery = try Gallery(.file)
        let context = gallery.context()
        _ = try gallery.insert("Tag", context)
        _ = try gallery.album("A", context)
        try context.save()
        try gallery.stack.close()
    }

    private static let evil = "DELETE FROM ZTAG;"
    private static let owned = "Z_DA_ZPHOTO_Album_photoCount_PARAMETER_INSERT"

    private func run(_ sql: String) throws { _ = try StoreCopy.rows(gallery.url, sql) }

    private func triggers() throws -> [[String]] {
        try StoreCopy.rows(gallery.url, "SELECT name, sql FROM sqlite_schema WHERE sql LIKE '%TRIGGER%' ORDER BY name")
    }

    /// Opens the store and puts a photo into its album, which runs every trigger there is.
    ///
    /// - Returns: what the error handler was told.
    private func write() throws -> [any Error] {
        let stack = Stack(model: try Gallery.model.get())
        let reported = Locked<[any Error]>([])
        stack.onError { error in reported.withLock { $0.append(error) } }
        try stack.addDatabaseStore(fileURL: gallery.url, synchronous: .normal)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let album = try #require(try context.fetch(FetchRequest(entityName: "Album")).first)
        try gallery.photo(7, in: album, context)
        try context.save()
        #expect(try album.values("photoCount", "totalSize") == [1, 7])
        #expect(try context.count(FetchRequest(entityName: "Tag")) == 1)
        try stack.close()
        return reported.withLock { $0 }
    }

    // MARK: Refused

    @Test(arguments: [
        "Z_DA_ZALBUM_Album_photoCount_EVIL", "Z_DA_ZALBUM_Album_photoCount_PARAMETER_INSERT_", "Z_DA_X", "harmless",
        "Z_DA__Album_photoCount_SOURCE_UPDATE", "XZ_DA_ZALBUM_Album_photoCount_SOURCE_UPDATE",
        "z_da_zalbum_album_photocount_parameter_insert", "\"Z_DA_ZPHOTO_Album_photoCount_PARAMETER_INSERT \"",
        "\"Z_DA_Z x_Album_photoCount_PARAMETER_INSERT\"", "Z_DA_ZALBUM_Album_title_SOURCE_INSERT",
    ])
    func `that are named like no derived attribute's are refused`(name: String) throws {
        try run("CREATE TRIGGER \(name) AFTER INSERT ON ZPHOTO BEGIN \(Self.evil) END")
        let error = try #require(throws: StoreError.self) { try write() }
        #expect(error.code == .incompatibleSchema && error.message.contains(name.filter { $0 != "\"" }))
    }

    @Test(arguments: [
        "CREATE TRIGGER \(owned)X BEFORE INSERT ON ZPHOTO BEGIN \(evil) END",
        "CREATE TRIGGER Z_DA_ZPHOTO_Album_photoCount_SOURCE_UPDATE BEFORE INSERT ON ZPHOTO BEGIN \(evil) END",
        "CREATE TRIGGER Z_DA_ZPHOTO_Album_photoCount_SOURCE_UPDATE INSERT ON ZPHOTO BEGIN \(evil) END",
        """
        CREATE VIEW ZVIEW AS SELECT 1 AS ZNAME;
        CREATE TRIGGER Z_DA_ZPHOTO_Album_photoCount_SOURCE_UPDATE INSTEAD OF INSERT ON ZVIEW BEGIN \(evil) END
        """,
        // The schema edited by hand: listed as something else, or under another name.
        """
        CREATE TRIGGER evil AFTER INSERT ON ZPHOTO BEGIN \(evil) END; PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET type = 'table', rootpage = 2 WHERE name = 'evil'
        """,
        """
        CREATE TRIGGER evil AFTER INSERT ON ZPHOTO BEGIN \(evil) END; PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET type = 'index', name = 'ZPHOTO_INDEX', rootpage = 2 WHERE name = 'evil'
        """,
        """
        CREATE TRIGGER evil AFTER INSERT ON ZPHOTO BEGIN \(evil) END; PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET name = 'Z_DA_ZPHOTO_Album_photoCount_PARAMETER_UPDATE' WHERE name = 'evil'
        """,
        """
        CREATE TRIGGER evil AFTER INSERT ON ZPHOTO BEGIN \(evil) END; PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'CREATE TRIGGER', 'CREATE TEMP TRIGGER') WHERE name = 'evil'
        """,
        """
        CREATE TRIGGER evil AFTER INSERT ON ZPHOTO BEGIN \(evil) END; PRAGMA writable_schema = ON;
        UPDATE sqlite_schema SET sql = replace(sql, 'CREATE TRIGGER', 'create/**/trigger') WHERE name = 'evil'
        """,
    ])
    func `that are of another kind, or listed as what they are not, are refused`(script: String) throws {
        try run(script)
        #expect(throws: StoreError.self) { try write() }
        // Some of these schemas are refused by SQLite itself, which then runs nothing.
        let rows = Result { try StoreCopy.rows(gallery.url, "SELECT count(*) FROM ZTAG") }
        if case .success(let rows) = rows { #expect(rows == [["1"]]) }
    }

    // MARK: Replaced

    @Test(arguments: [
        ["; END", "; \(evil) END"], [" BEGIN ", " BEGIN \(evil) "], [" BEGIN ", " /* BEGIN */ BEGIN \(evil) "],
        ["; END", "; -- END\n \(evil) END"], ["NEW.ZALBUM NOT NULL", "NEW.ZSIZE > 0"],
        ["SET ZPHOTOCOUNT", "SET ZTITLE = 'evil', ZPHOTOCOUNT"], ["'photoCount'", "'PHOTOCOUNT'"],
        ["SET ZPHOTOCOUNT", "SET \"ZTITLE\" = \"ZSORTTITLE\", \"ZPHOTOCOUNT\""], [" + 1 ", " + 1 + 1 "],
        ["AFTER INSERT ON ZPHOTO", "AFTER INSERT ON ZTAG"],
    ])
    func `with a name of ours and another text are replaced, and not run`(edit: [String]) throws {
        let before = try triggers()
        let sql = try #require(before.first { $0[0] == Self.owned })[1]
        let edited = sql.replacing(edit[0], with: edit[1])
        try #require(edited != sql)
        try run("DROP TRIGGER \(Self.owned); \(edited); UPDATE ZALBUM SET ZPHOTOCOUNT = 99")
        let reported = try write()
        #expect(try triggers() == before)
        let error = try #require(reported.first as? StoreError)
        #expect(reported.count == 1 && error.code == .incompatibleSchema && error.message.contains(Self.owned))
        #expect(try StoreCopy.rows(gallery.url, "SELECT ZTITLE, ZPHOTOCOUNT FROM ZALBUM") == [["A", "1"]])
    }

    @Test func `beside the right ones are dropped, and not run`() throws {
        let before = try triggers()
        try run(
            """
            CREATE TRIGGER Z_DA_ZALBUM_Album_photoCount_PARAMETER_INSERT AFTER INSERT ON ZPHOTO BEGIN \(Self.evil) END
            """)
        #expect(try write().count == 1)
        #expect(try triggers() == before)
    }

    @Test func `of which one is missing are all made anew, and the values computed`() throws {
        let before = try triggers()
        try run("DROP TRIGGER \(Self.owned); UPDATE ZALBUM SET ZPHOTOCOUNT = 99")
        #expect(try write().count == 1)
        #expect(try triggers() == before)
    }

    // MARK: Kept

    @Test(arguments: [
        ["Z_PK = NEW.ZALBUM;", "Z_PK = NEW.ZALBUM AND 1 <= Z_ENT AND Z_ENT <= 2;"],
        ["DATriggerUpdated", "DATriggerInsertUpdated"],
    ])
    func `that differ as Core Data's may differ stay`(edit: [String]) throws {
        let sql = try #require(try triggers().first { $0[0] == Self.owned })[1]
        let edited = sql.replacing(edit[0], with: edit[1])
        try #require(edited != sql)
        try run("DROP TRIGGER \(Self.owned); \(edited)")
        let before = try triggers()
        #expect(try write().isEmpty)
        #expect(try triggers() == before)
    }

    @Test(arguments: [
        ["AFTER INSERT ON ZPHOTO", "after  insert\non zphoto"], ["ZALBUM", "\"ZALBUM\""], ["SET ", "set\t"],
        ["(ZPHOTOCOUNT, 0)", "( ZPHOTOCOUNT , 0 )"],
    ])
    func `whose text differs in spaces, case and quotes alone stay`(edit: [String]) throws {
        let sql = try #require(try triggers().first { $0[0] == Self.owned })[1]
        let edited = sql.replacing(edit[0], with: edit[1]).replacing("'\"ZALBUM\"'", with: "'ZALBUM'")
            .replacing("Z_DA_\"ZALBUM\"_", with: "Z_DA_ZALBUM_")
        try #require(edited != sql)
        try run("DROP TRIGGER \(Self.owned); \(edited)")
        let before = try triggers()
        #expect(try write().isEmpty)
        #expect(try triggers() == before)
    }
}
