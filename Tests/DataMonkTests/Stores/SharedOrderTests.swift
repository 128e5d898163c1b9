import DataMonk
import Testing

/// Two stacks over one file append to the same ordered relationship, neither knowing of the other.
@Suite struct `The order of what two stacks append` {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func newContext() throws -> ManagedObjectContext {
        let stack = Stack(
            model: try ManagedObjectModel {
                EntityDescription("Playlist") {
                    RelationshipDescription("songs", to: "Song", inverse: "playlist", isToMany: true, isOrdered: true)
                    RelationshipDescription("tags", to: "Tag", inverse: "playlists", isToMany: true, isOrdered: true)
                }
                EntityDescription("Song") {
                    AttributeDescription("name", .string)
                    RelationshipDescription("playlist", to: "Playlist", inverse: "songs")
                }
                EntityDescription("Tag") {
                    AttributeDescription("name", .string)
                    RelationshipDescription("playlists", to: "Playlist", inverse: "tags", isToMany: true)
                }
            })
        try stack.addDatabaseStore(fileURL: folder.file("playlists.sqlite"), synchronous: .normal)
        return ManagedObjectContext(coordinator: stack.coordinator)
    }

    private func playlist(_ context: ManagedObjectContext) throws -> ManagedObject {
        try #require(try context.fetch(FetchRequest(entityName: "Playlist")).first)
    }

    private func append(_ name: String, to playlist: ManagedObject, _ context: ManagedObjectContext) throws {
        for (key, entity) in [("songs", "Song"), ("tags", "Tag")] {
            let object = try context.insert(try #require(context.coordinator.model.entitiesByName[entity]))
            try object.setValue(.string(name), forKey: "name")
            try playlist.setObjects(playlist.objects(forKey: key) + [object], forKey: key)
        }
    }

    private func names(_ key: String, of playlist: ManagedObject) throws -> [ManagedValue] {
        try playlist.objects(forKey: key).map { try $0.value(forKey: "name") }
    }

    @Test func `is that of their order keys, and of equal ones that of their primary keys`() throws {
        let (one, other) = (try newContext(), try newContext())
        let new = try one.insert(try #require(one.coordinator.model.entitiesByName["Playlist"]))
        try append("a", to: new, one)
        try append("b", to: new, one)
        try one.save()
        let (mine, theirs) = (try playlist(one), try playlist(other))
        for key in ["songs", "tags"] { #expect(try names(key, of: theirs) == ["a", "b"]) }
        try append("c", to: mine, one)
        try append("d", to: theirs, other)
        try one.save()
        try other.save()
        let expected: [ManagedValue] = ["a", "b", "c", "d"]
        for key in ["songs", "tags"] {
            let context = try newContext()
            let request = FetchRequest(entityName: "Playlist")
            #expect(try names(key, of: playlist(context)) == expected)
            let prefetching = try newContext()
            var prefetch = request
            prefetch.relationshipKeyPathsForPrefetching = [key]
            #expect(try names(key, of: #require(prefetching.fetch(prefetch).first)) == expected)
            for (index, name) in ["a", "b", "c", "d"].enumerated() {
                let condition = try Condition(format: "\(key)[\(index)].name == %@", name)
                #expect(try context.count(FetchRequest(entityName: "Playlist", condition: condition)) == 1)
            }
        }
    }
}
