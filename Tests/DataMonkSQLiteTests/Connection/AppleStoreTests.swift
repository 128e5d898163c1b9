import DataMonkCore
import DataMonkFixtures
import DataMonkSQL
import DataMonkSQLite
import Foundation
import Testing

@Suite("Stores that Core Data wrote", .requiresFixtures("stores", "more-stores"))
struct AppleStoreTests {
    @Test func `they open, are sound, and hold nothing unexpected`() throws {
        for store in try Fixtures.stores.map(Fixtures.store) {
            try withCopy(of: store) { (connection) throws in
                #expect(try connection.text("PRAGMA integrity_check") == "ok")
                #expect(try connection.int64("SELECT count(*) FROM Z_PRIMARYKEY") > 0)
                let unexpected = try connection.schemaObjects().filter { object in
                    object.mayRunCode && !(object.kind == .trigger && object.name.hasPrefix("Z_DA_Z"))
                }
                #expect(unexpected.isEmpty, "\(store.lastPathComponent)")
            }
        }
    }

    @Test func `their metadata reads as Foundation reads it, and survives rewriting`() throws {
        for store in try Fixtures.stores.map(Fixtures.store) {
            var blob: Data?
            try withCopy(of: store) { (connection) throws in
                blob = try connection.withStatement("SELECT Z_PLIST FROM Z_METADATA") { statement in
                    try statement.step() ? statement.data(at: 0) : nil
                }
            }
            let data = try #require(blob)
            let metadata = try BinaryPropertyListReader.read(data)
            #expect(metadata["NSStoreType"] == .string("SQLite"))
            let hashes = try #require(metadata["NSStoreModelVersionHashes"]?.dictionaryValue)
            #expect(hashes.values.allSatisfy { $0.dataValue?.count == 32 })
            let rewritten = try BinaryPropertyListWriter.write(metadata)
            let original = try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
            let ours = try PropertyListSerialization.propertyList(from: rewritten, format: nil) as? [String: Any]
            #expect(NSDictionary(dictionary: try #require(ours)).isEqual(to: try #require(original)))
        }
    }

    /// Opens a copy of `store` with its log.
    private func withCopy(of store: URL, _ body: (SQLiteConnection) throws -> Void) throws {
        let directory = try TemporaryDirectory()
        for suffix in ["", "-wal"] {
            guard let data = FileManager.default.contents(atPath: store.path + suffix) else { continue }
            try data.write(to: URL(fileURLWithPath: directory.store.path + suffix))
        }
        let connection = try directory.connection(.readWrite)
        try body(connection)
        try connection.close()
    }
}
