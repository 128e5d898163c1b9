/// **Value.** Makes plain objects of the contents in memory.
struct AtomicWriting {
    private let directory: ObjectDirectory
    private let roots: [Int]

    init(directory: ObjectDirectory, members: [Entity]) {
        self.directory = directory
        roots = Set(members.map(\.root.index)).sorted()
    }

    /// Returns all objects in the order of their ids.
    func objects(of contents: InMemoryContents) -> [AtomicObject] {
        var objects: [AtomicObject] = []
        for root in roots {
            for case let stored? in contents.tables[root]?.rows ?? [] { objects.append(object(stored, in: contents)) }
        }
        return objects.sorted { $0.id < $1.id }
    }

    private func object(_ stored: InMemoryContents.Stored, in contents: InMemoryContents) -> AtomicObject {
        let entity = directory.layout(of: stored.key).entity
        var object = AtomicObject(
            entityName: entity.name, id: stored.key.primaryKey, version: stored.row.version)
        for attribute in entity.attributes where !attribute.isTransient {
            let value = attribute.value(in: stored.row.pointer)
            if !value.isNull { object.values[attribute.name] = value }
        }
        for relationship in entity.relationships where !relationship.isTransient {
            let ids = destinations(of: relationship, from: stored, in: contents)
            if !ids.isEmpty { object.destinations[relationship.name] = ids }
        }
        return object
    }

    /// Returns the ids of destinations that exist. Delete rules permit references to what was deleted (`noAction`, and a to-one
    /// without an inverse); they read as nothing, and are left out.
    private func destinations(
        of relationship: Entity.Relationship, from stored: InMemoryContents.Stored, in contents: InMemoryContents
    ) -> [Int64] {
        if relationship.isToMany {
            let keys = contents.destinations(of: relationship, from: stored.key)
            let ids = keys.filter { exists($0, in: contents) }.map(\.primaryKey)
            return relationship.isOrdered ? ids : ids.sorted()
        }
        guard let key = ObjectKey(slot: RowFormat.word(in: stored.row.pointer, at: relationship.slot)),
            exists(key, in: contents)
        else { return [] }
        return [key.primaryKey]
    }

    private func exists(_ key: ObjectKey, in contents: InMemoryContents) -> Bool {
        contents.stored(key, root: directory.layout(of: key).entity.root.index) != nil
    }
}
