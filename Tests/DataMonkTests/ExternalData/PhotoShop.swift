import DataMonk
import Foundation

/// A store of photos, whose images may lie in files of their own.
struct PhotoShop {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    var url: URL { folder.file("Shop.sqlite") }
    var dataFolder: URL { folder.url.appending(path: ".Shop_SUPPORT/_EXTERNAL_DATA") }

    func openStack() throws -> Stack {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription(
                    "Photo",
                    properties: [
                        .attribute(AttributeDescription("name", .string)),
                        .attribute(AttributeDescription("image", .binary, allowsExternalBinaryDataStorage: true)),
                    ], uniquenessConstraints: [["name"]])
            })
        try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
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

    func mode(of url: URL) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    }

    static func bytes(_ count: Int) -> Data { Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 8) }) }
}
