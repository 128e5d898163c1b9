import DataMonk
import Foundation
import Testing

/// **Value.** A damage that a test does to a ``School``, and what an examination has to find.
struct PlantedDamage: Sendable, CustomTestStringConvertible {
    /// **Value.** The result of a repair.
    enum Repair: Sendable {
        /// The copy is sound.
        case possible
        /// There is no copy.
        case refused
    }

    let name: String
    let kind: StoreFinding.Kind
    var entity: String?
    var property: String?
    /// Selects the keys of the damaged rows, independently of the examination.
    var truth: String?
    var repair = Repair.possible
    /// A Boolean value indicating whether the model has to be given: the store's own is damaged.
    var needsModel = false
    let plant: @Sendable (School) throws -> Void

    var testDescription: String { name }

    init(
        _ name: String, _ kind: StoreFinding.Kind, _ entity: String? = nil, _ property: String? = nil,
        truth: String? = nil, repair: Repair = .possible, needsModel: Bool = false,
        plant: @escaping @Sendable (School) throws -> Void
    ) {
        self.name = name
        self.kind = kind
        self.entity = entity
        self.property = property
        self.truth = truth
        self.repair = repair
        self.needsModel = needsModel
        self.plant = plant
    }

    /// Creates a damage by SQL.
    init(
        _ name: String, _ kind: StoreFinding.Kind, _ entity: String? = nil, _ property: String? = nil,
        truth: String? = nil, repair: Repair = .possible, sql: String
    ) {
        self.init(name, kind, entity, property, truth: truth, repair: repair) { try $0.rows(sql) }
    }

    static func person(_ name: String) -> String { "(SELECT Z_PK FROM ZPARTY WHERE ZNAME = '\(name)')" }

    static let all = [
        ofTheFile, ofVersions, ofRows, ofValues, ofReferences, ofOrders, ofOneToOnes, ofDerivedValues, ofFiles,
        ofTheHistory,
    ].flatMap(\.self)

    // MARK: The file

    private static let ofTheFile = [
        PlantedDamage("an index without an entry", .damagedIndex) { school in
            let name = "ZPARTY_ZEMPLOYER_INDEX"
            let row = try school.rows("SELECT rootpage, sql FROM sqlite_master WHERE name = '\(name)'")[0]
            let unlock = "PRAGMA writable_schema = ON;"
            try school.rows("\(unlock) DELETE FROM sqlite_master WHERE name = '\(name)'")
            try school.rows(
                "UPDATE ZPARTY SET ZEMPLOYER = \(person("Bolt")), Z_FOK_EMPLOYER = 99999 WHERE ZNAME = 'Ann'")
            try school.rows(
                """
                \(unlock) INSERT INTO sqlite_master(type, name, tbl_name, rootpage, sql) \
                VALUES('index', '\(name)', 'ZPARTY', \(row[0]), '\(row[1])')
                """)
        },
        PlantedDamage("a page without sense", .damagedPages, repair: .refused) { school in
            let page = try school.rows("SELECT rootpage FROM sqlite_master WHERE name = 'ZSHELF'")[0][0]
            try school.overwritePage(try #require(Int(page)))
        },
        PlantedDamage(
            "a table that is gone", .missingTable, "Club", repair: .refused, sql: "DROP TABLE ZCLUB"),
        PlantedDamage(
            "a table of links that is gone", .missingTable, "Club", repair: .refused, sql: "DROP TABLE Z_2MEMBERS"),
        PlantedDamage("a list of entities that is gone", .missingTable, sql: "DROP TABLE Z_PRIMARYKEY"),
        PlantedDamage(
            "a column that is gone", .missingColumn, "Club", repair: .refused,
            sql: "ALTER TABLE ZCLUB DROP COLUMN ZTITLE"),
        PlantedDamage("a constraint without its index", .missingIndex, "Party", sql: "DROP INDEX Z_Person_UNIQUE_code"),
        PlantedDamage(
            "a trigger of somebody's", .unexpectedCode,
            sql: "CREATE TRIGGER evil AFTER INSERT ON ZCLUB BEGIN DELETE FROM ZPARTY; END"),
        PlantedDamage("a view", .unexpectedCode, sql: "CREATE VIEW ZVIEW AS SELECT * FROM ZCLUB"),
    ]

    // MARK: Versions

    private static let ofVersions = [
        PlantedDamage(
            "metadata that are no property list", .unreadableMetadata, repair: .refused,
            sql: "UPDATE Z_METADATA SET Z_PLIST = x'00'"),
        PlantedDamage(
            "metadata that are gone", .unreadableMetadata, repair: .refused, sql: "DELETE FROM Z_METADATA"),
        PlantedDamage(
            "an identifier that is none", .unreadableMetadata, repair: .refused,
            sql: "UPDATE Z_METADATA SET Z_UUID = 'school'"),
        PlantedDamage("a digest of other hashes", .wrongDigest) { school in
            try school.changeMetadata { $0["NSStoreModelVersionHashesDigest"] = "AAAA" }
        },
        PlantedDamage("a hash of another model", .differentModel, repair: .refused) { school in
            try school.changeMetadata { values in
                var hashes = values["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
                hashes["Club"] = Data(repeating: 7, count: 32)
                values["NSStoreModelVersionHashes"] = hashes
            }
        },
        PlantedDamage("a hash under another name", .differentModel, repair: .refused) { school in
            try school.changeMetadata { values in
                var hashes = values["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
                hashes["Klub"] = hashes.removeValue(forKey: "Club")
                values["NSStoreModelVersionHashes"] = hashes
            }
        },
        PlantedDamage("a model that is no archive", .unreadableModel, needsModel: true) { school in
            try school.rows("UPDATE Z_MODELCACHE SET Z_CONTENT = x'00'")
        },
    ]

    // MARK: Rows

    private static let ofRows = [
        PlantedDamage(
            "an entity that is not listed", .missingEntity, "Club", truth: "SELECT 2",
            sql: "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Club'"),
        PlantedDamage(
            "another superentity", .wrongSuperentity, "Person", truth: "SELECT 7",
            sql: "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_NAME = 'Person'"),
        PlantedDamage(
            "a highest key that is too low", .wrongHighestKey, "Party", truth: "SELECT max(Z_PK) FROM ZPARTY",
            sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Party'"),
        PlantedDamage(
            "a highest key that is no number", .wrongHighestKey, "Club", truth: "SELECT max(Z_PK) FROM ZCLUB",
            sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 'many' WHERE Z_NAME = 'Club'"),
        PlantedDamage(
            "a row of an unknown entity", .unknownEntity, "Party", truth: "SELECT \(person("Finn"))", repair: .refused,
            sql: "UPDATE ZPARTY SET Z_ENT = 99 WHERE ZNAME = 'Finn'"),
        PlantedDamage(
            "an entity that is no number", .unknownEntity, "Party", truth: "SELECT \(person("Finn"))", repair: .refused,
            sql: "UPDATE ZPARTY SET Z_ENT = '7th' WHERE ZNAME = 'Finn'"),
        PlantedDamage(
            "a row of an abstract entity", .unknownEntity, "Party", truth: "SELECT \(person("Finn"))",
            repair: .refused, sql: "UPDATE ZPARTY SET Z_ENT = 5 WHERE ZNAME = 'Finn'"),
        PlantedDamage(
            "a key below 1", .unusableKey, "Club", truth: "SELECT -3", repair: .refused,
            sql: "UPDATE ZCLUB SET Z_PK = -3 WHERE ZTITLE = 'Empty'"),
        PlantedDamage(
            "a row without a version", .wrongRowVersion, "Club", truth: "SELECT Z_PK FROM ZCLUB",
            sql: "UPDATE ZCLUB SET Z_OPT = NULL"),
    ]

    // MARK: Values

    private static let ofValues = [
        PlantedDamage(
            "an integer beyond its bits", .wrongValue, "Person", "age", truth: "SELECT \(person("Ann"))",
            repair: .refused, sql: "UPDATE ZPARTY SET ZAGE = 70000 WHERE ZNAME = 'Ann'"),
        PlantedDamage(
            "text for a number", .wrongValue, "Person", "height", truth: "SELECT \(person("Ann"))", repair: .refused,
            sql: "UPDATE ZPARTY SET ZHEIGHT = 'tall' WHERE ZNAME = 'Ann'"),
        PlantedDamage(
            "a UUID of one byte", .wrongValue, "Person", "badge", truth: "SELECT \(person("Ann"))", repair: .refused,
            sql: "UPDATE ZPARTY SET ZBADGE = x'00' WHERE ZNAME = 'Ann'"),
        PlantedDamage(
            "data for text", .wrongValue, "Club", "title", truth: "SELECT Z_PK FROM ZCLUB WHERE ZTITLE = x'00'",
            repair: .refused, sql: "UPDATE ZCLUB SET ZTITLE = x'00' WHERE ZTITLE = 'Empty'"),
        PlantedDamage(
            "external data without its first byte", .wrongValue, "Person", "portrait",
            truth: "SELECT \(person("Cleo"))", repair: .refused,
            sql: "UPDATE ZPARTY SET ZPORTRAIT = x'07' WHERE ZNAME = 'Cleo'"),
        PlantedDamage(
            "unique values twice", .duplicateValues, "Person", "code",
            truth: "SELECT Z_PK FROM ZPARTY WHERE ZCODE = 'code 1' ORDER BY Z_PK", repair: .refused,
            sql: """
                DROP INDEX Z_Person_UNIQUE_code; UPDATE ZPARTY SET ZCODE = 'code 1' WHERE ZNAME IN ('Cleo', 'Dan')
                """),
    ]

    // MARK: References

    private static let ofReferences = [
        PlantedDamage(
            "a reference to nobody", .danglingReference, "Person", "employer", truth: "SELECT \(person("Ann"))",
            sql: "UPDATE ZPARTY SET ZEMPLOYER = 999 WHERE ZNAME = 'Ann'"),
        PlantedDamage(
            "a reference to an object of another entity", .danglingReference, "Person", "employer",
            truth: "SELECT \(person("Ann"))",
            sql: "UPDATE ZPARTY SET ZEMPLOYER = \(person("Ben")) WHERE ZNAME = 'Ann'"),
        PlantedDamage(
            "an owner that is gone, without an inverse", .danglingReference, "Shelf", "books",
            truth: "SELECT Z_PK FROM ZBOOK WHERE ZTITLE = 'Book 1'",
            sql: "UPDATE ZBOOK SET Z8BOOKS = 999 WHERE ZTITLE = 'Book 1'"),
        PlantedDamage(
            "a row that was deleted past the store", .danglingReference, "Locker", "guardian",
            truth: "SELECT Z_PK FROM ZLOCKER WHERE ZGUARDIAN NOT IN (SELECT Z_PK FROM ZPARTY)",
            sql: """
                DELETE FROM ZPARTY WHERE ZNAME = 'Acme'; \
                UPDATE ZPARTY SET ZEMPLOYER = NULL WHERE ZEMPLOYER NOT IN (SELECT Z_PK FROM ZPARTY)
                """),
        PlantedDamage(
            "a reference that names another entity", .wrongReferenceEntity, "Locker", "guardian",
            truth: "SELECT Z_PK FROM ZLOCKER WHERE ZNUMBER = 1",
            sql: "UPDATE ZLOCKER SET Z5_GUARDIAN = 6 WHERE ZNUMBER = 1"),
        PlantedDamage(
            "a link to nobody", .danglingLink, "Club", "members",
            truth: "SELECT Z_PK FROM ZCLUB WHERE ZTITLE = 'Empty'",
            sql: """
                INSERT INTO Z_2MEMBERS(Z_2CLUBS, Z_7MEMBERS, Z_FOK_7MEMBERS) \
                SELECT Z_PK, 999, 2048 FROM ZCLUB WHERE ZTITLE = 'Empty'
                """),
        PlantedDamage(
            "a link to an object of another entity", .danglingLink, "Club", "members",
            truth: "SELECT Z_PK FROM ZCLUB WHERE ZTITLE = 'Empty'",
            sql: """
                INSERT INTO Z_2MEMBERS(Z_2CLUBS, Z_7MEMBERS, Z_FOK_7MEMBERS) \
                SELECT Z_PK, \(person("Acme")), 2048 FROM ZCLUB WHERE ZTITLE = 'Empty'
                """),
        PlantedDamage(
            "a link twice", .duplicateLink, "Club", "members",
            truth: "SELECT Z_PK FROM ZCLUB WHERE ZTITLE = 'Empty'",
            sql: """
                ALTER TABLE Z_2MEMBERS RENAME TO OLD; \
                CREATE TABLE Z_2MEMBERS (Z_2CLUBS INTEGER, Z_7MEMBERS INTEGER, Z_FOK_7MEMBERS INTEGER); \
                INSERT INTO Z_2MEMBERS SELECT * FROM OLD; DROP TABLE OLD; \
                INSERT INTO Z_2MEMBERS SELECT Z_PK, \(person("Ann")), 2048 FROM ZCLUB WHERE ZTITLE = 'Empty'; \
                INSERT INTO Z_2MEMBERS SELECT Z_PK, \(person("Ann")), 3072 FROM ZCLUB WHERE ZTITLE = 'Empty'
                """),
    ]

    // MARK: Orders

    private static let ofOrders = [
        PlantedDamage(
            "a member without a position", .missingOrder, "Company", "staff", truth: "SELECT \(person("Cleo"))",
            sql: "UPDATE ZPARTY SET Z_FOK_EMPLOYER = NULL WHERE ZNAME = 'Cleo'"),
        PlantedDamage(
            "two members at one position", .duplicateOrder, "Company", "staff",
            truth: "SELECT Z_PK FROM ZPARTY WHERE ZNAME IN ('Ann', 'Cleo') ORDER BY Z_PK",
            sql: "UPDATE ZPARTY SET Z_FOK_EMPLOYER = 2048 WHERE ZNAME IN ('Ann', 'Cleo')"),
        PlantedDamage(
            "two members at one position, without an inverse", .duplicateOrder, "Shelf", "books",
            truth: "SELECT Z_PK FROM ZBOOK ORDER BY Z_PK", sql: "UPDATE ZBOOK SET Z_FOK_8BOOKS = 2048"),
        PlantedDamage(
            "two links at one position", .duplicateOrder, "Club", "members",
            truth: """
                SELECT Z_2CLUBS FROM Z_2MEMBERS JOIN ZCLUB ON Z_PK = Z_2CLUBS WHERE ZTITLE = 'Chess' ORDER BY Z_7MEMBERS
                """,
            sql: """
                UPDATE Z_2MEMBERS SET Z_FOK_7MEMBERS = 2048 \
                WHERE Z_2CLUBS = (SELECT Z_PK FROM ZCLUB WHERE ZTITLE = 'Chess')
                """),
        PlantedDamage(
            "a link without a position", .missingOrder, "Club", "members",
            truth: "SELECT Z_2CLUBS FROM Z_2MEMBERS WHERE Z_FOK_7MEMBERS IS NULL ORDER BY Z_2CLUBS",
            sql: "UPDATE Z_2MEMBERS SET Z_FOK_7MEMBERS = NULL WHERE Z_7MEMBERS = \(person("Dan"))"),
    ]

    // MARK: One-to-one

    private static let ofOneToOnes = [
        PlantedDamage(
            "one side alone", .disagreeingOneToOne, "Person", "locker", truth: "SELECT \(person("Ann"))",
            sql: "UPDATE ZLOCKER SET ZOWNER = NULL WHERE ZNUMBER = 0"),
        PlantedDamage(
            "a third one", .disagreeingOneToOne, "Person", "locker", truth: "SELECT \(person("Eve"))",
            sql: "UPDATE ZPARTY SET ZLOCKER = (SELECT Z_PK FROM ZLOCKER WHERE ZNUMBER = 0) WHERE ZNAME = 'Eve'"),
        PlantedDamage(
            "two halves", .disagreeingOneToOne, "Person", "locker", truth: "SELECT \(person("Ann"))",
            repair: .refused,
            sql: """
                UPDATE ZPARTY SET ZLOCKER = NULL WHERE ZNAME = 'Ben'; \
                UPDATE ZLOCKER SET ZOWNER = \(person("Ben")) WHERE ZNUMBER = 0; \
                UPDATE ZLOCKER SET ZOWNER = NULL WHERE ZNUMBER = 1
                """),
    ]

    // MARK: Derived values

    private static let ofDerivedValues = [
        PlantedDamage(
            "a trigger that is gone", .wrongTriggers, "Book", "pageCount",
            sql: "DROP TRIGGER Z_DA_ZPAGE_Book_pageCount_PARAMETER_DELETE"),
        PlantedDamage(
            "a trigger with another text", .wrongTriggers, "Book", "pageCount",
            sql: """
                DROP TRIGGER Z_DA_ZPAGE_Book_pageCount_PARAMETER_DELETE; \
                CREATE TRIGGER Z_DA_ZPAGE_Book_pageCount_PARAMETER_DELETE AFTER DELETE ON ZPAGE FOR EACH ROW \
                BEGIN UPDATE ZBOOK SET ZPAGECOUNT = 0; END
                """),
        PlantedDamage(
            "a count that is wrong", .wrongDerivedValue, "Book", "pageCount",
            truth: "SELECT Z_PK FROM ZBOOK WHERE ZTITLE = 'Book 0'",
            sql: "UPDATE ZBOOK SET ZPAGECOUNT = 9 WHERE ZTITLE = 'Book 0'"),
    ]

    // MARK: Files

    private static let ofFiles = [
        PlantedDamage(
            "a file that is missing", .missingFile, "Person", "portrait", truth: "SELECT \(person("Ann"))",
            repair: .refused
        ) { school in
            let sql = "SELECT substr(CAST(ZPORTRAIT AS TEXT), 2, 36) FROM ZPARTY WHERE ZNAME = 'Ann'"
            let name = try school.rows(sql)[0][0]
            try FileManager.default.removeItem(at: school.dataFolder.appending(path: name))
        },
        PlantedDamage(
            "the name of a file that is none", .missingFile, "Person", "portrait", truth: "SELECT \(person("Dan"))",
            repair: .refused,
            sql: """
                UPDATE ZPARTY SET ZPORTRAIT = CAST(x'02' || '../../../../../../../etc/hostname-and-more' AS BLOB) \
                WHERE ZNAME = 'Dan'; \
                UPDATE ZPARTY SET ZPORTRAIT = substr(ZPORTRAIT, 1, 37) WHERE ZNAME = 'Dan'
                """),
        PlantedDamage("a file that no row refers to", .orphanFile) { school in
            let file = school.dataFolder.appending(path: UUID().uuidString)
            try Data("orphan".utf8).write(to: file)
            try PhotoShop.age(school.dataFolder)
        },
    ]

    // MARK: The history

    private static let ofTheHistory = [
        PlantedDamage(
            "changes without their transaction", .damagedHistory, truth: "SELECT Z_PK FROM ACHANGE ORDER BY Z_PK",
            sql: "DELETE FROM ATRANSACTION"),
        PlantedDamage(
            "a history without its strings", .damagedHistory, repair: .refused, sql: "DROP TABLE ATRANSACTIONSTRING"),
    ]
}
