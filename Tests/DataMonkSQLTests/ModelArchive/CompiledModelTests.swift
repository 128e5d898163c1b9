import DataMonkCore
import DataMonkFixtures
import DataMonkSQL
import DataMonkTesting
import Foundation
import Testing

/// What Xcode makes of a model for an application: a `.momd` with a `.mom` for each version.
@Suite final class CompiledModelTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    private var bundle: URL { folder.appending(path: "Shop.momd") }

    init() throws { try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true) }

    deinit {
        // Reason for try?: the system empties its folder anyway.
        try? FileManager.default.removeItem(at: folder)
    }

    private static func shop(_ version: String) throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription("Order", versionHashModifier: version) {
                AttributeDescription("number", .integer64, minimum: 1)
                AttributeDescription("note", .string)
                RelationshipDescription("items", to: "Item", inverse: "order", isToMany: true, isOrdered: true)
            }
            EntityDescription("Item") { RelationshipDescription("order", to: "Order", inverse: "items") }
        }
    }

    private func write(_ version: String, _ archive: Data) throws {
        try archive.write(to: bundle.appending(path: "\(version).mom"))
    }

    private func writeInfo(current: String?, _ hashes: [String: [String: Data]]) throws {
        var list: [String: PropertyListValue] = [
            "NSManagedObjectModel_VersionHashes": .dictionary(
                hashes.mapValues { .dictionary($0.mapValues(PropertyListValue.data)) })
        ]
        if let current { list["NSManagedObjectModel_CurrentVersionName"] = .string(current) }
        try BinaryPropertyListWriter.write(.dictionary(list)).write(to: bundle.appending(path: "VersionInfo.plist"))
    }

    @Test func `its versions are read, and the current one is that of its list`() throws {
        let (first, second) = (try Self.shop("1"), try Self.shop("2"))
        try write("Shop", ModelArchiveWriter.archive(of: first))
        try write("Shop 2", ModelArchiveWriter.archive(of: second))
        try Data("momv2".utf8).write(to: bundle.appending(path: "Shop 2.omo"))
        try writeInfo(
            current: "Shop 2",
            ["Shop": first.entityVersionHashesByName, "Shop 2": second.entityVersionHashesByName])
        let models = try ModelBundle(contentsOf: bundle)
        #expect(models.versionNames == ["Shop", "Shop 2"] && models.currentVersionName == "Shop 2")
        #expect(try models.model().versionChecksum == second.versionChecksum)
        #expect(try models.model(versionName: "Shop").entities.map(\.description) == first.entities.map(\.description))
    }

    @Test func `two versions whose names differ in bytes alone are refused`() throws {
        let archive = try ModelArchiveWriter.archive(of: Self.shop("1"))
        for name in ["caf\u{e9}", "cafe\u{301}"] { try write(name, archive) }
        let error = try #require(throws: ModelError.self) { try ModelBundle(contentsOf: self.bundle) }
        #expect(error.code == .invalidFile)
    }

    @Test(arguments: ["<string>x</string>", "<dict/>", "<dict><key>Order</key><string>x</string></dict>"])
    func `a list whose hashes are none is not the model's`(hashes: String) throws {
        try write("Shop", ModelArchiveWriter.archive(of: Self.shop("1")))
        let list = """
            <?xml version="1.0"?><plist version="1.0"><dict><key>NSManagedObjectModel_VersionHashes</key>\
            <dict><key>Shop</key>\(hashes)</dict></dict></plist>
            """
        try Data(list.utf8).write(to: bundle.appending(path: "VersionInfo.plist"))
        let error = try #require(throws: ModelError.self) { try ModelBundle(contentsOf: self.bundle).model() }
        #expect(error.code == .invalidFile)
    }

    @Test func `one version by itself is a file`() throws {
        try write("Shop", ModelArchiveWriter.archive(of: Self.shop("1")))
        let model = try ManagedObjectModel.load(contentsOf: bundle.appending(path: "Shop.mom"))
        #expect(try model.versionChecksum == Self.shop("1").versionChecksum)
        #expect(try ManagedObjectModel.load(contentsOf: bundle).versionChecksum == model.versionChecksum)
    }

    @Test func `what is wrong with it is an error of the model`() throws {
        let archive = try ModelArchiveWriter.archive(of: Self.shop("1"))
        #expect(throws: ModelError.self) { try ModelBundle(contentsOf: self.bundle) }
        try write("Shop", archive)
        try write("Shop 2", archive)
        #expect(throws: ModelError.self) { try ModelBundle(contentsOf: self.bundle) }
        try writeInfo(current: "Shop 3", [:])
        #expect(throws: ModelError.self) { try ModelBundle(contentsOf: self.bundle) }
        try writeInfo(current: "Shop", ["Shop": Self.shop("2").entityVersionHashesByName])
        let error = try #require(throws: ModelError.self) { try ModelBundle(contentsOf: self.bundle).model() }
        #expect(error.code == .invalidFile && error.message.contains("version hashes"))
        try write("Shop", Data("no archive".utf8))
        #expect(throws: ModelError.self) { try ModelBundle(contentsOf: self.bundle).model() }
    }

    // MARK: Apple's

    @Test(.requiresFixtures("stores", "more-stores"), arguments: AppleStore.all)
    func `the archive of an Apple store loads equal, with the hashes of its metadata`(store: AppleStore) throws {
        try write("Version", RawDeflate.inflate(store.modelCache(), limit: 1 << 20))
        let hashes = try #require(try store.metadata()["NSStoreModelVersionHashes"] as? [String: Data])
        try writeInfo(current: "Version", ["Version": hashes])
        let model = try ModelBundle(contentsOf: bundle).model()
        #expect(model.entityVersionHashesByName == hashes)
        let stored = try ModelCache.read(store.modelCache()).model().model
        #expect(model.entities.map(\.description) == stored.entities.map(\.description))
    }

    @Test(
        .requiresFixtures("stores", "more-stores"),
        arguments: ["SampleModel", "SampleModel3"])
    func `Apple's list of versions goes with the archives of its stores`(name: String) throws {
        let list = try Fixtures.store("CoreDataPlus/\(name).momd.VersionInfo.plist")
        try FileManager.default.copyItem(at: list, to: bundle.appending(path: "VersionInfo.plist"))
        let info = try BinaryPropertyListReader.read(Data(contentsOf: list))
        let versions = try #require(info["NSManagedObjectModel_VersionHashes"]?.dictionaryValue)
        var found: [String] = []
        for store in AppleStore.all where store.path.hasPrefix("CoreDataPlus/") {
            let hashes = try #require(try store.metadata()["NSStoreModelVersionHashes"] as? [String: Data])
            for (version, listed) in versions
            where (listed.dictionaryValue ?? [:]).compactMapValues(\.dataValue) == hashes {
                try write(version, RawDeflate.inflate(store.modelCache(), limit: 1 << 20))
                found.append(version)
            }
        }
        try #require(!found.isEmpty)
        for version in found {
            // The current version may be one of which there is no store.
            let file = bundle.appending(path: "\(version).mom")
            #expect(try !ManagedObjectModel.load(contentsOf: file).entities.isEmpty)
        }
    }

    // MARK: Damage

    private static let seed: UInt64 = 16

    @Test func `a thousand damaged ones give an error of the model or a model, never a trap`() throws {
        try loadDamaged([ModelArchiveWriter.archive(of: Self.shop("1"))])
    }

    @Test(.requiresFixtures("stores", "more-stores"))
    func `a thousand damaged ones of Apple's give an error of the model or a model, never a trap`() throws {
        try loadDamaged(AppleStore.all.map { try RawDeflate.inflate($0.modelCache(), limit: 1 << 20) })
    }

    private func loadDamaged(_ archives: [Data]) throws {
        print("seed \(Self.seed)")
        var random = SeededGenerator(seed: Self.seed)
        var refused = 0
        for _ in 0..<1_000 {
            var bytes = [UInt8](try #require(archives.randomElement(using: &random)))
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if Int.random(in: 0..<10, using: &random) == 0 { bytes.removeLast(bytes.count / 3) }
            try write("Shop", Data(bytes))
            do {
                _ = try ManagedObjectModel.load(contentsOf: bundle.appending(path: "Shop.mom"))
            } catch {
                // Typed: what is thrown is a `ModelError`.
                #expect(!error.message.isEmpty)
                refused += 1
            }
        }
        print("\(refused) of 1000 damaged models were refused")
        #expect(refused > 100)
    }
}
