import DataMonk
import DataMonkFixtures
import Foundation
import Testing

/// The proof: stores that Apple's framework wrote, read, edited, and read again.
@Suite(.requiresFixtures("stores", "more-stores"))
struct `A store that Core Data wrote` {
    /// What only another version of the model changes.
    private static let fixedParts = [
        "SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid",
        "SELECT Z_VERSION, Z_UUID, hex(Z_PLIST) FROM Z_METADATA",
        "SELECT hex(Z_CONTENT) FROM Z_MODELCACHE",
        "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT",
    ]

    @Test(arguments: StoreCopy.paths) func `reads, value by value, as sqlite3 reads it`(path: String) throws {
        let copy = try StoreCopy(of: path)
        let stack = try copy.openStack()
        let read = try StoreDump(of: stack)
        try stack.close()
        let other = try StoreCopy(of: path)
        let expected = try StoreDump(of: other.url, stack.model)
        #expect(read.differences(from: expected) == [])
        #expect(!read.objects.isEmpty)
        let count = read.objects.values.reduce(0) { $0 + $1.count }
        print("\(path): \(read.objects.count) objects, \(count) values equal to SQL")
    }

    @Test(arguments: StoreCopy.paths) func `takes edits, and keeps what is not ours`(path: String) throws {
        let copy = try StoreCopy(of: path)
        let untouched = try StoreCopy(of: path)
        let stack = try copy.openStack()
        let edit = try StoreEdit.perform(on: stack)
        let edited = try StoreDump(of: stack)
        try stack.close()

        for sql in Self.fixedParts { #expect(try copy.rows(sql) == untouched.rows(sql), "\(sql)") }
        #expect(try copy.rows("PRAGMA integrity_check") == [["ok"]])
        #expect(try edited.differences(from: StoreDump(of: copy.url, stack.model)) == [])
        #expect(edit.deleted.allSatisfy { edited.objects[$0] == nil })
        try expectVersions(edit, copy, untouched, stack.model)
        try expectHighestKeys(edit, copy, untouched, stack.model)

        let fresh = try copy.openStack()
        #expect(try edited.differences(from: StoreDump(of: fresh)) == [])
        try fresh.close()
    }

    /// Only Core Data's triggers count: what the library writes of the count is what they made of it.
    @Test(arguments: StoreCopy.paths.filter { $0.contains("SampleModel2") })
    func `has triggers that fire while we write, and hold the right counts`(path: String) throws {
        let copy = try StoreCopy(of: path)
        let triggers = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
        let before = try copy.rows(triggers)
        #expect(before.count == 5)
        let stack = try copy.openStack()
        _ = try StoreEdit.perform(on: stack)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for book in try context.fetch(FetchRequest(entityName: "Book")) {
            #expect(try book.value(forKey: "pagesCount") == .int(Int64(book.members("pages").count)))
        }
        context.endTurn()
        try stack.close()
        #expect(try copy.rows(triggers) == before)
        let wrong = """
            SELECT count(*) FROM ZBOOK b \
            WHERE b.ZPAGESCOUNT IS NOT (SELECT count(*) FROM ZPAGE p WHERE p.ZBOOK = b.Z_PK)
            """
        #expect(try copy.rows(wrong) == [["0"]])
    }

    @Test(arguments: StoreCopy.paths.filter { $0.contains("SampleModel2") })
    func `has conditions that saves ask`(path: String) throws {
        let copy = try StoreCopy(of: path)
        let stack = try copy.openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let book = try #require(try context.fetch(FetchRequest(entityName: "Book")).first)
        let emoji = String(repeating: "🙂", count: 23)
        for (title, count) in [("ab", 2), ("a book", 1), ("title \(emoji)", 1), ("a title", 0)] {
            try book.setValue(.string(title), forKey: "title")
            if count == 0 {
                try context.save()
                continue
            }
            let error = try #require(throws: SaveError.self) { try context.save() }
            #expect(error.validationProblems.count == count, "\(title): \(error)")
            #expect(error.validationProblems.allSatisfy { $0.message.hasPrefix("Title must ") })
        }
        context.endTurn()
        try stack.close()
    }

    /// `Z_OPT` is one more for what was changed, 1 for what is new, and what it was for the rest.
    private func expectVersions(
        _ edit: StoreEdit, _ copy: StoreCopy, _ untouched: StoreCopy, _ model: ManagedObjectModel
    ) throws {
        for entity in model.entities where entity.superentity == nil {
            let sql = "SELECT Z_PK, Z_OPT FROM Z\(entity.name.uppercased()) ORDER BY Z_PK"
            let before = Dictionary(uniqueKeysWithValues: try untouched.rows(sql).map { ($0[0], Int($0[1]) ?? -1) })
            let names = edit.updated.filter { model.entitiesByName[String($0.prefix { $0 != "/" })]?.root === entity }
            let changed = Set(names.map { String($0.drop { $0 != "/" }.dropFirst()) })
            for row in try copy.rows(sql) {
                let version = Int(row[1])
                if let old = before[row[0]] {
                    // One that lost a link to a deleted object is changed too.
                    #expect(changed.contains(row[0]) ? version == old + 1 : version == old || version == old + 1)
                } else {
                    #expect(version == 1)
                }
            }
        }
    }

    /// `Z_MAX` of the root's row has grown by the new objects; those of sub-entities stay 0.
    private func expectHighestKeys(
        _ edit: StoreEdit, _ copy: StoreCopy, _ untouched: StoreCopy, _ model: ManagedObjectModel
    ) throws {
        let sql = "SELECT Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT"
        for (old, new) in zip(try untouched.rows(sql), try copy.rows(sql)) {
            let growth = old[1] == "0" ? edit.insertedPerRoot[old[0]] ?? 0 : 0
            #expect(Int(new[2]) == (Int(old[2]) ?? 0) + growth, "\(old[0])")
        }
    }
}
