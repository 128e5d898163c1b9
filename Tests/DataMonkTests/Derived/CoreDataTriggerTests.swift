import DataMonk
import DataMonkTesting
import Foundation
import Testing

/// Stores whose triggers Core Data made.
@Suite struct `Core Data's triggers` {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("Books.sqlite") }

    /// As Core Data writes them: the triggers of the pages are named after the table of the pages.
    private static let script = """
        CREATE TRIGGER Z_DA_ZPAGE_Book_pageCount_PARAMETER_INSERT AFTER INSERT ON ZPAGE FOR EACH ROW \
        WHEN (NEW.ZBOOK NOT NULL) BEGIN \
        UPDATE ZBOOK SET ZPAGECOUNT = IFNULL(ZPAGECOUNT, 0) + 1 WHERE Z_PK = NEW.ZBOOK; \
        \(announcement("Updated")) WHERE Z_PK = NEW.ZBOOK; END; \
        CREATE TRIGGER Z_DA_ZPAGE_Book_pageCount_PARAMETER_UPDATE_INCREMENT AFTER UPDATE OF ZBOOK ON ZPAGE \
        FOR EACH ROW WHEN (NEW.ZBOOK NOT NULL) BEGIN \
        UPDATE ZBOOK SET ZPAGECOUNT = ZPAGECOUNT + 1 WHERE Z_PK = NEW.ZBOOK; \
        \(announcement("Updated")) WHERE Z_PK = NEW.ZBOOK; END; \
        CREATE TRIGGER Z_DA_ZPAGE_Book_pageCount_PARAMETER_UPDATE_DECREMENT AFTER UPDATE OF ZBOOK ON ZPAGE \
        FOR EACH ROW WHEN (OLD.ZBOOK NOT NULL) BEGIN \
        UPDATE ZBOOK SET ZPAGECOUNT = ZPAGECOUNT - 1 WHERE Z_PK = OLD.ZBOOK; \
        \(announcement("Updated")) WHERE Z_PK = OLD.ZBOOK; END; \
        CREATE TRIGGER Z_DA_ZPAGE_Book_pageCount_PARAMETER_DELETE AFTER DELETE ON ZPAGE FOR EACH ROW \
        WHEN (OLD.ZBOOK NOT NULL) BEGIN \
        UPDATE ZBOOK SET ZPAGECOUNT = ZPAGECOUNT - 1 WHERE Z_PK = OLD.ZBOOK; \
        \(announcement("Updated")) WHERE Z_PK = OLD.ZBOOK; END; \
        CREATE TRIGGER Z_DA_ZBOOK_Book_pageCount_SOURCE_INSERT AFTER INSERT ON ZBOOK FOR EACH ROW BEGIN \
        UPDATE ZBOOK SET ZPAGECOUNT = (SELECT IFNULL(COUNT(ZBOOK), 0) FROM ZPAGE WHERE ZBOOK = NEW.Z_PK) \
        WHERE Z_PK = NEW.Z_PK; \(announcement("InsertUpdated")) WHERE Z_PK = NEW.Z_PK; END
        """

    private static func announcement(_ verb: String) -> String {
        """
        SELECT NSCoreDataDATrigger\(verb)AffectedObjectValue('ZBOOK', Z_ENT, Z_PK, 'pageCount', ZPAGECOUNT) FROM ZBOOK
        """
    }

    init() throws { folder = try TemporaryFolder() }

    private func openStack(of model: ManagedObjectModel) throws -> Stack {
        let stack = Stack(model: model)
        stack.onError { error in Issue.record(error) }
        try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
        return stack
    }

    private func openStack(_ version: String? = nil) throws -> Stack {
        try openStack(
            of: ManagedObjectModel {
                EntityDescription("Book") {
                    AttributeDescription("title", .string, versionHashModifier: version)
                    AttributeDescription("pageCount", .integer32, derivationExpression: "pages.@count")
                    RelationshipDescription("pages", to: "Page", inverse: "book", isToMany: true)
                }
                EntityDescription("Page") { RelationshipDescription("book", to: "Book") }
            })
    }

    private func triggers() throws -> [[String]] {
        try StoreCopy.rows(url, "SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' ORDER BY name")
    }

    private func useCoreDataTriggers(_ script: String = script) throws {
        try openStack().close()
        let old = try triggers().map { "DROP TRIGGER \($0[0]);" }.joined()
        _ = try StoreCopy.rows(url, old + script)
    }

    @Test func `stay, and do their work`() throws {
        try useCoreDataTriggers()
        let before = try triggers()
        #expect(before.count == 5)
        let stack = try openStack()
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        let book = try context.insert(try #require(stack.model.entitiesByName["Book"]))
        try context.save()
        for _ in 0..<2 {
            try context.insert(try #require(stack.model.entitiesByName["Page"]))
                .setValue(.object(book.anyObjectID), forKey: "book")
        }
        try context.save()
        #expect(try book.value(forKey: "pageCount") == 2)
        context.delete(try #require(try book.members("pages").first))
        try context.save()
        #expect(try book.value(forKey: "pageCount") == 1)
        try stack.close()
        #expect(try triggers() == before)
        #expect(try StoreCopy.rows(url, "SELECT ZPAGECOUNT FROM ZBOOK") == [["1"]])
    }

    @Test func `stay if they do not bring a value into its attribute's type`() throws {
        let model = try ManagedObjectModel {
            EntityDescription("Book") {
                AttributeDescription("longest", .integer16, derivationExpression: "pages.@max.length")
                RelationshipDescription("pages", to: "Page", inverse: "book", isToMany: true)
            }
            EntityDescription("Page") {
                AttributeDescription("length", .integer32)
                RelationshipDescription("book", to: "Book")
            }
        }
        try openStack(of: model).close()
        let ours = try triggers()
        let rows = "FROM ZPAGE d WHERE d.ZBOOK = ZBOOK.Z_PK"
        let fitted = """
            (SELECT CASE WHEN v > -32769 AND v < 32768 THEN CAST(v AS INTEGER) END \
            FROM (SELECT max(d.ZLENGTH) AS v \(rows)))
            """
        let plain = ours.map { [$0[0], $0[1].replacing(fitted, with: "(SELECT max(d.ZLENGTH) \(rows))")] }
        try #require(plain != ours, "\(ours)")
        _ = try StoreCopy.rows(url, plain.map { "DROP TRIGGER \($0[0]); \($0[1]);" }.joined())
        try openStack(of: model).close()
        #expect(try triggers() == plain)
    }

    @Test func `are what a new store has, byte for byte`() throws {
        try openStack().close()
        let ours = try triggers()
        let old = ours.map { "DROP TRIGGER \($0[0]);" }.joined()
        _ = try StoreCopy.rows(url, old + Self.script)
        #expect(try triggers() == ours)
    }

    /// As versions of this library before 0.2 wrote them: all named after the table of the books.
    private static let formerScript = [
        ("SOURCE_INSERT", "INSERT ON ZBOOK", "NEW.Z_PK", "(SELECT count(*) FROM ZPAGE d WHERE d.ZBOOK = ZBOOK.Z_PK)"),
        ("PARAMETER_INSERT", "INSERT ON ZPAGE", "NEW.ZBOOK", "COALESCE(ZPAGECOUNT, 0) + 1"),
        ("PARAMETER_UPDATE_INCREMENT", "UPDATE OF ZBOOK ON ZPAGE", "NEW.ZBOOK", "COALESCE(ZPAGECOUNT, 0) + 1"),
        ("PARAMETER_UPDATE_DECREMENT", "UPDATE OF ZBOOK ON ZPAGE", "OLD.ZBOOK", "COALESCE(ZPAGECOUNT, 0) + -1"),
        ("PARAMETER_DELETE", "DELETE ON ZPAGE", "OLD.ZBOOK", "COALESCE(ZPAGECOUNT, 0) + -1"),
    ].map { event, place, row, value in
        """
        CREATE TRIGGER Z_DA_ZBOOK_Book_pageCount_\(event) AFTER \(place) FOR EACH ROW\
        \(event.contains("UPDATE_") ? " WHEN NEW.ZBOOK IS NOT OLD.ZBOOK" : "") BEGIN \
        UPDATE ZBOOK SET ZPAGECOUNT = \(value) WHERE Z_PK = \(row); \
        \(announcement(event == "SOURCE_INSERT" ? "InsertUpdated" : "Updated")) WHERE Z_PK = \(row); END;
        """
    }.joined()

    @Test func `take the place of those that this library wrote under other names`() throws {
        try openStack().close()
        let ours = try triggers()
        try useCoreDataTriggers(Self.formerScript)
        #expect(try triggers().count == 5)
        // Nothing is told: the stack records an issue if anything is.
        try openStack().close()
        #expect(try triggers() == ours)
    }

    @Test func `that are missing are told where the store is only read`() throws {
        try openStack().close()
        _ = try StoreCopy.rows(url, "DROP TRIGGER Z_DA_ZPAGE_Book_pageCount_PARAMETER_INSERT")
        let stack = Stack(model: try ManagedObjectModel.load(fromStoreAt: url))
        let reported = Locked<[any Error]>([])
        stack.onError { error in reported.withLock { $0.append(error) } }
        try stack.addDatabaseStore(fileURL: url, readOnly: true)
        try stack.close()
        let error = try #require(reported.withLock { $0.first } as? StoreError)
        #expect(error.code == .incompatibleSchema && error.message.contains("Book.pageCount"))
    }

    @Test func `count on under new names after a migration that renames`() throws {
        func model(_ pages: String, _ page: String) throws -> ManagedObjectModel {
            try ManagedObjectModel {
                EntityDescription("Book") {
                    AttributeDescription("pageCount", .integer32, derivationExpression: "\(pages).@count")
                    RelationshipDescription(
                        pages, to: page, inverse: "book", isToMany: true, renamingIdentifier: "pages")
                }
                EntityDescription(page, renamingIdentifier: "Page") { RelationshipDescription("book", to: "Book") }
            }
        }
        let stage = try MigrationStage()
        try stage.write(model("pages", "Page")) { context in
            let book = try context.insert("Book")
            for _ in 0..<2 { try context.insert("Page", ["book": .object(book.anyObjectID)]) }
        }
        _ = try StoreCopy.rows(stage.url, "DROP TRIGGER Z_DA_ZBOOK_Book_pageCount_SOURCE_INSERT")
        try stage.write(model("leaves", "Leaf")) { context in
            let book = try #require(try context.fetch(FetchRequest(entityName: "Book")).first)
            #expect(try book.value(forKey: "pageCount") == 2)
            try context.insert("Leaf", ["book": .object(book.anyObjectID)])
        }
        #expect(try stage.text("SELECT ZPAGECOUNT FROM ZBOOK") == "3")
    }

    @Test func `belong to one attribute, where the name of one entity ends like that of another`() throws {
        let model = try ManagedObjectModel {
            for name in ["Item", "Shop_Item"] {
                EntityDescription(name) {
                    AttributeDescription("count", .integer32, derivationExpression: "parts.@count")
                    RelationshipDescription("parts", to: "Part", inverse: "whole\(name)", isToMany: true)
                }
            }
            EntityDescription("Part") {
                RelationshipDescription("wholeItem", to: "Item")
                RelationshipDescription("wholeShop_Item", to: "Shop_Item")
            }
        }
        try openStack(of: model).close()
        let before = try triggers()
        #expect(before.count == 10)
        try openStack(of: model).close()
        #expect(try triggers() == before)
    }

    @Test func `of a version before do not run while the store is migrated`() throws {
        // Before there are triggers, whose functions only this library knows.
        try useCoreDataTriggers(
            """
            INSERT INTO ZPAGE(Z_PK, Z_ENT, Z_OPT) VALUES(1, 2, 1);
            UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_ENT = 2;

            """ + Self.script.replacing("; END", with: "; UPDATE ZBOOK SET ZTITLE = 'evil'; END"))
        try openStack("2").close()
        #expect(try triggers().allSatisfy { !$0[1].contains("evil") })
        #expect(try StoreCopy.rows(url, "SELECT count(*) FROM ZPAGE") == [["1"]])
    }
}
