import DataMonk
import Foundation
import Testing

/// A model with a derived attribute of every form, and the two kinds of store.
struct Gallery {
    enum Kind: String, CaseIterable, Sendable { case memory, file }

    static let model = Result {
        try ManagedObjectModel {
            EntityDescription("Album") {
                AttributeDescription("title", .string)
                AttributeDescription("photoCount", .integer32, derivationExpression: "photos.@count")
                AttributeDescription("totalSize", .integer64, derivationExpression: "sum:(photos.size)")
                AttributeDescription("largest", .integer64, derivationExpression: "photos.size.@max")
                AttributeDescription("tagCount", .integer32, derivationExpression: "count:(tags)")
                AttributeDescription("tagWeight", .double, derivationExpression: "tags.weight.@sum")
                AttributeDescription("partCount", .integer32, derivationExpression: "parts.@count")
                AttributeDescription("sortTitle", .string, derivationExpression: "canonical:(title)")
                AttributeDescription("loudTitle", .string, derivationExpression: "uppercase:(title)")
                AttributeDescription("changedAt", .date, derivationExpression: "now()")
                RelationshipDescription("photos", to: "Photo", inverse: "album", isToMany: true)
                RelationshipDescription("tags", to: "Tag", inverse: "albums", isToMany: true)
                RelationshipDescription("whole", to: "Album", inverse: "parts")
                RelationshipDescription("parts", to: "Album", isToMany: true)
            }
            EntityDescription("Event", superentityName: "Album", properties: [])
            EntityDescription("Photo") {
                AttributeDescription("size", .integer64)
                AttributeDescription("albumTitle", .string, derivationExpression: "album.title")
                AttributeDescription("albumSortTitle", .string, derivationExpression: "album.sortTitle")
                RelationshipDescription("album", to: "Album")
            }
            EntityDescription("Tag") {
                AttributeDescription("weight", .double)
                AttributeDescription("albumCount", .integer32, derivationExpression: "albums.@count")
                RelationshipDescription("albums", to: "Album", isToMany: true)
            }
        }
    }

    let stack: Stack
    let folder: TemporaryFolder
    var url: URL { folder.file("gallery.sqlite") }

    init(_ kind: Kind) throws {
        folder = try TemporaryFolder()
        stack = Stack(model: try Self.model.get())
        switch kind {
        case .memory: try stack.addInMemoryStore()
        case .file: try stack.addDatabaseStore(fileURL: url, synchronous: .normal)
        }
    }

    func context(followsCommits: Bool = true) -> ManagedObjectContext {
        ManagedObjectContext(
            coordinator: stack.coordinator, mergePolicy: .mergeByPropertyObjectTrump, followsCommits: followsCommits)
    }

    func insert(_ name: String, _ context: ManagedObjectContext) throws -> ManagedObject {
        try context.insert(try #require(stack.model.entitiesByName[name]))
    }

    func album(_ title: String, _ context: ManagedObjectContext) throws -> ManagedObject {
        let album = try insert("Album", context)
        try album.setValue(.string(title), forKey: "title")
        return album
    }

    @discardableResult
    func photo(_ size: Int64, in album: ManagedObject?, _ context: ManagedObjectContext) throws -> ManagedObject {
        let photo = try insert("Photo", context)
        try photo.setValue(.int(size), forKey: "size")
        try photo.setValue(album.map { .object($0.anyObjectID) } ?? .null, forKey: "album")
        return photo
    }
}

extension ManagedObject {
    /// The values of some attributes.
    func values(_ names: String...) throws -> [ManagedValue] { try names.map { try value(forKey: $0) } }

    func members(_ name: String) throws -> Set<ManagedObject> {
        property(at: try #require(entity.relationship(named: name)).slot)
    }

    func setMembers(_ name: String, _ objects: Set<ManagedObject>) throws {
        setProperty(objects, at: try #require(entity.relationship(named: name)).slot)
    }
}
