import DataMonkCore
import DataMonkFixtures
import DataMonkSQL
import DataMonkTesting
import Foundation
import Testing

/// The schema we lay out is the one that Apple's framework made for the same model.
@Suite(.requiresFixtures("stores", "more-stores", "models"))
struct AppleSchemaTests {
    /// Written by frameworks before 2017: uniqueness stands inside `CREATE TABLE`, and named indexes have old names.
    private static let oldStores: Set = ["Moody/Moody.sqlite", "Moody/Moody_2.sqlite", "Moody/Moody_3.sqlite"]
    /// Migrated: Apple's framework made tables in another order.
    private static let reorderedStores: Set = [
        "CoreDataPlus/SampleModel_V2.sqlite", "MigrationExample/MigrationExample_2.sqlite",
    ]
    /// Its identifier was given in code, not in the model file.
    private static let storesIdentifiedInCode: Set = ["CoreDataPlus/SampleModel3_V1.sqlite"]

    private func schema(of store: AppleStore) throws -> StoreSchema {
        try StoreSchema(model: store.model())
    }

    /// The statements for a store like another one, with a history if that has one.
    private func statements(for store: AppleStore) throws -> [String] {
        let schema = try schema(of: store)
        let hasHistory = try !store.values("SELECT 1 FROM sqlite_master WHERE name = 'ACHANGE'").isEmpty
        return schema.createStatements + (hasHistory ? HistorySchema(schema).createStatements : [])
    }

    @Test(arguments: AppleStore.all)
    func `triggers are Apple's, byte for byte`(store: AppleStore) throws {
        let expected = try store.values(
            "SELECT replace(sql, char(10), ' ') FROM sqlite_master WHERE type = 'trigger' ORDER BY rowid")
        #expect(try statements(for: store).filter { $0.hasPrefix("CREATE TRIGGER") } == expected)
    }

    @Test(arguments: AppleStore.all)
    func `version hashes are those in the store's metadata`(store: AppleStore) throws {
        let model = try store.model()
        let metadata = try store.metadata()
        #expect(metadata["NSStoreModelVersionHashes"] as? [String: Data] == model.entityVersionHashesByName)
        if let checksum = metadata["NSStoreModelVersionChecksumKey"] as? String {
            #expect(checksum == model.versionChecksum)
        }
        if let digest = metadata["NSStoreModelVersionHashesDigest"] as? String {
            #expect(digest == model.versionHashesDigest)
        }
        guard !Self.storesIdentifiedInCode.contains(store.path) else { return }
        #expect(metadata["NSStoreModelVersionIdentifiers"] as? [String] == model.versionIdentifiers)
    }

    @Test(arguments: AppleStore.all)
    func `entity numbers are Apple's`(store: AppleStore) throws {
        let expected = try store.values(
            "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY 1")
        let rows = try schema(of: store).primaryKeyRows.map { "\($0.number)|\($0.name)|\($0.superNumber)" }
        // Its entity was renamed by a migration, and the row kept the old name.
        let isRenamed = store.path == "CoreDataPlus/SampleModel_V2.sqlite"
        #expect(isRenamed ? rows.count == expected.count : rows == expected)
    }

    @Test(arguments: AppleStore.all)
    func `tables and columns are Apple's, in Apple's order`(store: AppleStore) throws {
        var expected = try store.statements(ofType: "table")
        if Self.oldStores.contains(store.path) {
            expected = expected.map { $0.replacing(/, CONSTRAINT \w+ UNIQUE \([^)]*\)/, with: "") }
        }
        let ours = try statements(for: store).filter { $0.hasPrefix("CREATE TABLE") }.map(AppleStore.normalized)
        if Self.reorderedStores.contains(store.path) || Self.oldStores.contains(store.path) {
            #expect(Set(ours) == Set(expected))
        } else {
            #expect(ours == expected)
        }
    }

    @Test(arguments: AppleStore.all)
    func `indexes are Apple's`(store: AppleStore) throws {
        var expected = Set(try store.statements(ofType: "index"))
        var ours = Set(
            try statements(for: store).filter { $0.contains(/^CREATE (UNIQUE )?INDEX/) }.map(AppleStore.normalized))
        if Self.oldStores.contains(store.path) {
            let named = ours.filter { $0.contains(/INDEX Z_[A-Z][a-z]/) }
            ours.subtract(named)
            expected = expected.filter { ours.contains($0) || $0.contains("_Z_ENT_INDEX") }
        }
        #expect(ours == expected)
    }

    @Test(arguments: Fixtures.files(in: "models", endingIn: ".xcdatamodel/contents"))
    func `SQLite takes the schema of every model as it stands`(path: String) throws {
        let schema = try StoreSchema(model: ManagedObjectModel.load(contentsOf: Fixtures.url("models/\(path)")))
        let script = schema.createStatements.joined(separator: ";")
        let stored = try AppleStore.sqlite3(":memory:", script + "; SELECT sql FROM sqlite_master WHERE sql NOT NULL")
        #expect(stored == schema.createStatements)
    }
}
