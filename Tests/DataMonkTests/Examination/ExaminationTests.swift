import DataMonk
import DataMonkFixtures
import Foundation
import Testing

@Suite struct `An examination` {
    @Test func `finds nothing in a sound store, and leaves it as it is`() throws {
        let school = try School()
        let names = try school.names
        let bytes = try Data(contentsOf: school.url)
        let examination = try Stack.examine(storeAt: school.url)
        #expect(examination.findings == [] && examination.isSound)
        #expect(examination.objectCounts["Person"] == 6 && examination.objectCounts["Party"] == 0)
        #expect(try school.names == names)
        #expect(try Data(contentsOf: school.url) == bytes)
    }

    @Test func `has thirty kinds of damage to find, and more`() {
        #expect(PlantedDamage.all.count >= 30)
        #expect(Set(PlantedDamage.all.map(\.name)).count == PlantedDamage.all.count)
    }

    @Test(arguments: PlantedDamage.all) func `finds planted damage`(damage: PlantedDamage) throws {
        let school = try School()
        try damage.plant(school)
        let examination = try Stack.examine(
            storeAt: school.url, model: damage.needsModel ? try School.model.get() : nil)
        let finding = try #require(
            examination.findings.first {
                $0.kind == damage.kind && $0.entityName == damage.entity && $0.propertyName == damage.property
            }, "\(examination.findings)")
        if let truth = damage.truth {
            let keys = try school.rows(truth).compactMap { Int64($0[0]) }
            #expect(finding.rows.map(\.primaryKey) == keys)
            #expect(finding.count == keys.count)
        }
        #expect(finding.count > 0 && finding.message.hasSuffix("."))
        #expect(!examination.isSound)
        if damage.repair == .refused { #expect(!examination.unrepairable.isEmpty || damage.name == "two halves") }
    }

    @Test func `lists the first hundred rows, and counts all`() throws {
        let school = try School()
        try school.rows(
            """
            WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250) \
            INSERT INTO ZCLUB(Z_ENT, Z_OPT) SELECT 2, 0 FROM n
            """)
        let findings = try Stack.examine(storeAt: school.url).findings
        let finding = try #require(findings.first { $0.kind == .wrongRowVersion })
        #expect(finding.count == 250 && finding.rows.count == 100)
    }

    @Test func `needs a model`() throws {
        let school = try School()
        try school.rows("DELETE FROM Z_MODELCACHE")
        let examination = try Stack.examine(storeAt: school.url)
        #expect(examination.findings.map(\.kind) == [.unreadableModel] && !examination.isComplete)
        #expect(examination.findings.first?.remedy == .manual)
        let other = try ManagedObjectModel { EntityDescription("Club") { AttributeDescription("title", .string) } }
        #expect(try Stack.examine(storeAt: school.url, model: other).findings.map(\.kind) == [.differentModel])
    }

    @Test func `reads an open store in one state`() throws {
        let school = try School()
        let stack = try School.openStack(at: school.url)
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        for number in 0..<20 {
            let person = try context.insert("Person", ["code": .string("new \(number)")])
            try context.insert("Locker", ["owner": .object(person.anyObjectID)])
            try context.save()
            #expect(try Stack.examine(storeAt: school.url).findings == [])
        }
        context.endTurn()
        try stack.close()
    }

    @Test func `refuses what is no store`() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("text.sqlite")
        #expect(try #require(throws: StoreError.self) { try Stack.examine(storeAt: url) }.code == .fileNotFound)
        try Data("This is no database, but long enough to be looked at.".utf8).write(to: url)
        #expect(try #require(throws: StoreError.self) { try Stack.examine(storeAt: url) }.code == .notADatabase)
        try FileManager.default.removeItem(at: url)
        _ = try StoreCopy.rows(url, "CREATE TABLE notes (text)")
        #expect(
            try #require(throws: StoreError.self) { try Stack.examine(storeAt: url) }.code == .incompatibleSchema)
    }
}

/// Everything that is found in the stores of Core Data's is there, by a query that knows nothing of the examination.
@Suite(.requiresFixtures("stores", "more-stores"))
struct `An examination of Core Data's stores` {
    @Test(arguments: StoreCopy.paths) func `finds nothing that is not there`(path: String) throws {
        let store = try StoreCopy(of: path)
        let examination = try Stack.examine(storeAt: store.url)
        #expect(examination.isComplete)
        for finding in examination.findings { try verify(finding, store) }
        // As many rows as the tables have.
        let tables = try store.rows(
            """
            SELECT name FROM sqlite_master \
            WHERE type = 'table' AND name LIKE 'Z%' AND name NOT LIKE 'Z@_%' ESCAPE '@'
            """)
        let count = try tables.reduce(0) { try $0 + (Int(store.rows("SELECT count(*) FROM \($1[0])")[0][0]) ?? 0) }
        #expect(examination.objectCounts.values.reduce(0, +) == count)
    }

    /// Asks the store itself.
    private func verify(_ finding: StoreFinding, _ store: StoreCopy) throws {
        let table = try #require(finding.table)
        for row in finding.rows {
            let sql: String
            switch finding.kind {
            case .wrongHighestKey:
                sql = """
                    SELECT 1 FROM Z_PRIMARYKEY WHERE Z_NAME = '\(finding.entityName ?? "")' AND Z_MAX < \(row.primaryKey)
                    """
            case .wrongRowVersion:
                sql = "SELECT 1 FROM \(table) WHERE Z_PK = \(row.primaryKey) AND ifnull(Z_OPT, 0) < 1"
            default:
                Issue.record("No query verifies \(finding)")
                return
            }
            #expect(try store.rows(sql) == [["1"]], "\(finding)")
        }
    }
}
