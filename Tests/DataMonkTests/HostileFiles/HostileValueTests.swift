import DataMonk
import Foundation
import Testing

/// Values, keys and links that others have written: each use of the store throws an error of the library's, or is right.
@Suite(.timeLimit(.minutes(60))) struct `Strange values` {
    private static let columns = [
        "Z_ENT", "Z_OPT", "ZTEXT", "ZCOUNT", "ZSHARE", "ZPRICE", "ZDAY", "ZCODE", "ZLINK", "ZIMAGE", "ZTAGS", "ZTOTAL",
        "ZPARENT", "ZMORE",
    ]

    private static let values = [
        "NULL", "0", "-1", "9223372036854775807", "-9223372036854775808", "1e308", "-1e308", "9e999", "-9e999",
        "4.9e-324",
        "9223372036854775808.0", "''", "'text'", "char(0)", "CAST(x'ED A0 80' AS TEXT)", "CAST(x'FF' AS TEXT)", "x''",
        "x'00'", "x'01'", "x'02'", "zeroblob(16)", "zeroblob(1000000)", "'1e400'", "'99999999999999999999999'",
        "x'62706C6973743030'", "CAST(zeroblob(100000) AS TEXT)",
    ].map { $0.replacing(" A0 80", with: "A080") }

    /// Each value is in a row of its own.
    @Test(arguments: columns) func `in every column are refused or read`(column: String) throws {
        let store = try ForeignStore()
        let names = try store.rows("SELECT name FROM pragma_table_info('ZNOTE') WHERE name != 'Z_PK'").map { $0[0] }
        let copied = names.map { $0 == column ? "{}" : $0 == "ZPARENT" ? "NULL" : $0 }.joined(separator: ", ")
        let inserts = Self.values.enumerated().map { place, value in
            """
            INSERT INTO ZNOTE(Z_PK, \(names.joined(separator: ", ")))
            SELECT \(place + 10), \(copied.replacing("{}", with: value)) FROM ZNOTE WHERE Z_PK = 2;
            """
        }
        try store.change(inserts.joined() + "UPDATE Z_PRIMARYKEY SET Z_MAX = 100")
        let outcomes = try store.outcomes()
        #expect(outcomes[.metadata]?.succeeded == true && outcomes[.model]?.succeeded == true)
        #expect(outcomes[.examining]?.succeeded == true)
    }

    @Test(arguments: [
        "UPDATE ZNOTE SET ZPARENT = Z_PK", "UPDATE ZNOTE SET ZPARENT = Z_PK % 3 + 1", "UPDATE ZNOTE SET ZPARENT = 99",
        "UPDATE ZNOTE SET Z_ENT = 99", "UPDATE ZNOTE SET Z_ENT = 1", "UPDATE ZNOTE SET Z_ENT = -1",
        "UPDATE ZNOTE SET Z_PK = -Z_PK", "UPDATE ZNOTE SET Z_PK = Z_PK + 9223372036854775804",
        "UPDATE ZNOTE SET Z_PK = Z_PK + 1099511627776", "UPDATE ZNOTE SET Z_PK = Z_PK - 1",
        "INSERT INTO {J} VALUES(77, 88, 1)", "UPDATE {J} SET {O} = 9223372036854775807",
        "UPDATE {J} SET {O} = -9223372036854775808", "UPDATE {J} SET {O} = 'x'", "UPDATE {J} SET {O} = NULL",
        "UPDATE {J} SET {O} = 1e308", "UPDATE {J} SET {O} = 1", "DELETE FROM {J}",
    ])
    func `of keys and links are refused or read`(script: String) throws {
        let store = try ForeignStore()
        let (table, order) = try orderedLinks(in: store)
        try store.change(script.replacing("{J}", with: table).replacing("{O}", with: order))
        _ = try store.outcomes()
    }

    /// The join table of the ordered relationship, and its column of positions.
    private func orderedLinks(in store: ForeignStore) throws -> (table: String, order: String) {
        let table = try #require(
            try store.rows("SELECT name FROM sqlite_schema WHERE name LIKE 'Z\\__%' ESCAPE '\\' AND sql LIKE '%FOK%'")
                .first?.first)
        let order = try #require(
            try store.rows("SELECT name FROM pragma_table_info('\(table)') WHERE name LIKE '%FOK%'").first?.first)
        return (table, order)
    }

    @Test func `of a position that none can follow refuse another element until the others are read`() throws {
        let store = try ForeignStore()
        let (table, order) = try orderedLinks(in: store)
        try store.change("UPDATE \(table) SET \(order) = 9223372036854775807")
        let stack = try store.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let request = FetchRequest(entityName: "Note", condition: .compare("text", .equal, "note 1"))
        let note = try #require(try context.fetch(request).first)
        let label = try context.insert("Label", ["name": "blue"])
        try label.setObjects([note], forKey: "notes")
        let error = #expect(throws: StoreError.self) { try context.save() }
        #expect(error?.code == .corrupt && error?.entityName == "Note", "\(error as Any)")
        #expect(try note.objects(forKey: "labels").count == 2)
        try context.save()
        context.endTurn()
        try stack.close()
        #expect(try store.rows("SELECT \(order) FROM \(table) ORDER BY 1 LIMIT 2") == [["2048"], ["3072"]])
    }

    @Test func `in a circle of parents are deleted with it, once`() throws {
        let store = try ForeignStore()
        try store.change(
            """
            UPDATE ZNOTE SET ZPARENT = Z_PK % 3 + 1,
                Z2_PARENT = (SELECT p.Z_ENT FROM ZNOTE p WHERE p.Z_PK = ZNOTE.Z_PK % 3 + 1)
            """)
        let stack = try store.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        context.delete(try #require(try context.fetch(FetchRequest(entityName: "Note")).first))
        try context.save()
        #expect(try context.count(FetchRequest(entityName: "Note")) == 0)
        context.endTurn()
        try stack.close()
        #expect(try store.rows("SELECT count(*) FROM ZNOTE") == [["0"]])
    }

    @Test func `in a chain of 100,000 parents are deleted with it`() throws {
        let store = try ForeignStore()
        try store.change(
            """
            WITH RECURSIVE c(x) AS (SELECT 4 UNION ALL SELECT x + 1 FROM c WHERE x < 100000)
            INSERT INTO ZNOTE(Z_PK, Z_ENT, Z_OPT, ZPARENT, Z2_PARENT)
            SELECT x, n.Z_ENT, 1, x - 1, CASE x WHEN 4 THEN (SELECT Z_ENT FROM ZNOTE WHERE Z_PK = 3) ELSE n.Z_ENT END
            FROM c, ZNOTE n WHERE n.Z_PK = 1;
            UPDATE Z_PRIMARYKEY SET Z_MAX = 100000 WHERE Z_NAME = 'Note'
            """)
        let stack = try store.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let first = FetchRequest(entityName: "Note", condition: .compare("text", .equal, "note 0"))
        context.delete(try #require(try context.fetch(first).first))
        try context.save()
        #expect(try context.count(FetchRequest(entityName: "Note")) == 0)
        context.endTurn()
        try stack.close()
    }
}
