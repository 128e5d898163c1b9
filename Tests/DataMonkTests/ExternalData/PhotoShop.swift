import DataMonk
import Foundation

/// A store of photos, whose images may lie in files of their own.
struct PhotoShop {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var url: URL { folder.file("Shop.sqlite") }
    var dataFolder: URL { folder.url.appending(path: ".Shop_SUPPORT/_EXTERNAL_DATA") }

    func model() throws -> ManagedObjectModel { try Self.model() }

    static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel {
            EntityDescription(
                "Photo",
                properties: [
                    .attribute(AttributeDescription("name", .string)),
                    .attribute(AttributeDescription("image", .binary, allowsExternalBinaryDataStorage: true)),
                ], uniquenessConstraints: [["name"]])
        }
    }

    func openStack(
        synchronous: StoreDescription.Synchronous = .normal, onError: (@Sendable (any Error) -> Void)? = nil
    ) throws -> Stack {
        try Self.openStack(at: url, synchronous: synchronous, onError: onError)
    }

    static func openStack(
        at url: URL, synchronous: StoreDescription.Synchronous = .normal,
        onError: (@Sendable (any Error) -> Void)? = nil
    ) throws -> Stack {
        let stack = Stack(model: try model())
        if let onError { stack.onError(onError) }
        try stack.addDatabaseStore(fileURL: url, synchronous: synchronous)
        return stack
    }

    @discardableResult
    func insert(_ name: String, _ image: Data?, _ context: ManagedObjectContext) throws -> ManagedObject {
        let photo = try context.insert(context.coordinator.model.entities[0])
        try photo.setValue(.string(name), forKey: "name")
        try photo.setValue(image.map { .data($0) } ?? .null, forKey: "image")
        return photo
    }

    /// The images by name, as a new context reads them.
    func images(_ stack: Stack) throws -> [ManagedValue: ManagedValue] {
        let context = ManagedObjectContext(coordinator: stack.coordinator)
        defer { context.endTurn() }
        var images: [ManagedValue: ManagedValue] = [:]
        for photo in try context.fetch(FetchRequest(entityName: "Photo")) {
            images[try photo.value(forKey: "name")] = try photo.value(forKey: "image")
        }
        return images
    }

    func rows(_ sql: String) throws -> [[String]] { try StoreCopy.rows(url, sql) }

    /// The names of the files of large values.
    func files() throws -> [String] {
        guard FileManager.default.fileExists(atPath: dataFolder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: dataFolder.path).sorted()
    }

    /// Makes the files of large values look as if they had been written `seconds` ago: young ones are not swept.
    func age(by seconds: Double = 4_000) throws { try Self.age(dataFolder, by: seconds) }

    static func age(_ dataFolder: URL, by seconds: Double = 4_000) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: dataFolder.path) {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -seconds)],
                ofItemAtPath: dataFolder.appending(path: name).path)
        }
    }

    func mode(of url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    static func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }) }
}
