import DataMonkCore
import DataMonkFixtures
import DataMonkSQL
import DataMonkTesting
import Foundation
import Testing

/// The models inside the stores that Apple's framework wrote, and ours in their form.
@Suite(.requiresFixtures("stores", "more-stores"))
struct AppleModelArchiveTests {
    /// Written by a framework that knew no indexes with names.
    private static let oldStores: Set = ["Moody/Moody.sqlite", "Moody/Moody_2.sqlite", "Moody/Moody_3.sqlite"]
    /// Its identifier was given in code, not in the model file.
    private static let storesIdentifiedInCode: Set = ["CoreDataPlus/SampleModel3_V1.sqlite"]

    private func archive(_ store: AppleStore) throws -> Data {
        try RawDeflate.inflate(store.modelCache(), limit: 1 << 20)
    }

    @Test(arguments: AppleStore.all)
    func `the model in the store has the hashes of the store and of the model file`(store: AppleStore) throws {
        let archived = try ModelCache.read(store.modelCache())
        let hashes = try ManagedObjectModel(archived.contents).entityVersionHashesByName
        // A default of a class of the application's own.
        #expect(archived.omissions.filter { !$0.subject.hasSuffix("CoreDataPlus_Tests.Cover") } == [])
        #expect(try store.metadata()["NSStoreModelVersionHashes"] as? [String: Data] == hashes)
        #expect(try store.model().entityVersionHashesByName == hashes)
    }

    @Test(arguments: AppleStore.withModelFile)
    func `the model in the store describes what the model file describes`(store: AppleStore) throws {
        let archived = try ManagedObjectModel(ModelCache.read(store.modelCache()).contents)
        let file = try store.model()
        for (ours, theirs) in zip(archived.entities, file.entities) {
            #expect(comparable(ours.description) == comparable(theirs.description))
            let className = theirs.description.managedObjectClassName
            #expect([nil, className].contains(ours.description.managedObjectClassName))
        }
        #expect(archived.entities.count == file.entities.count)
        #expect(archived.configurations == file.configurations)
        #expect(archived.fetchRequestTemplates == file.fetchRequestTemplates)
        if !Self.storesIdentifiedInCode.contains(store.path) {
            #expect(archived.versionIdentifiers == file.versionIdentifiers)
        }
    }

    /// Without what model files alone know, and without the order of properties.
    private func comparable(_ entity: EntityDescription) -> EntityDescription {
        var entity = entity
        entity.managedObjectClassName = nil
        entity.codeGeneration = .manual
        entity.properties = entity.properties.map { property in
            guard case .attribute(var attribute) = property else { return property }
            attribute.usesScalarValueType = false
            return .attribute(attribute)
        }.sorted { $0.name < $1.name }
        return entity
    }

    @Test(arguments: AppleStore.all)
    func `a model that is written again is the same`(store: AppleStore) throws {
        let first = try ModelCache.read(store.modelCache())
        let model = try ManagedObjectModel(first.contents)
        let written = try ModelCache.data(for: model)
        let second = try ModelCache.read(written)
        #expect(second.contents == first.contents && second.omissions == [])
        #expect(try ModelCache.data(for: ManagedObjectModel(second.contents)) == written)
    }

    @Test(arguments: AppleStore.all)
    func `a written archive has Apple's classes, keys and values`(store: AppleStore) throws {
        let original = try archive(store)
        let written = try ModelArchiveWriter.archive(
            of: ManagedObjectModel(ModelArchiveReader.read(original).contents))
        let isOld = Self.oldStores.contains(store.path)
        let ignored: Set = isOld ? ["NSFetchIndexDescriptions", "NSCompoundIndexes"] : []
        let ours = try ArchiveSketch(written, ignoring: ignored).lines
            .filter { !isOld || !$0.hasPrefix("NSFetchIndex") }
        let theirs = try ArchiveSketch(original, ignoring: ignored).lines
        #expect(ours.subtracting(theirs) == [])
        #expect(theirs.subtracting(ours) == [])
    }

    // MARK: Damage

    private static let seed: UInt64 = 11

    @Test func `a damaged archive gives an error or a model, never a trap`() throws {
        print("seed \(Self.seed)")
        var random = SeededGenerator(seed: Self.seed)
        let blobs = try AppleStore.all.map { try $0.modelCache() }
        let archives = try blobs.map { try RawDeflate.inflate($0, limit: 1 << 20) }
        for round in 0..<2_000 {
            let isBlob = round.isMultiple(of: 2)
            let original = try #require((isBlob ? blobs : archives).randomElement(using: &random))
            let data = mutated(original, &random)
            _ = Result {
                try ManagedObjectModel((isBlob ? ModelCache.read(data) : ModelArchiveReader.read(data)).contents)
            }
        }
    }

    private func mutated(_ original: Data, _ random: inout SeededGenerator) -> Data {
        var bytes = [UInt8](original)
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            bytes[Int.random(in: bytes.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        return Data(bytes)
    }
}
