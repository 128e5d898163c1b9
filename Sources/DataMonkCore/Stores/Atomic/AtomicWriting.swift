/// **Value.** Makes plain objects of the contents in memory.
struct AtomicWriting {
    private let directory: ObjectDirectory
    private let roots: [Int]

    init(_ frame: StoreFrame) {
        directory = frame.directory
        roots = Set(frame.members.map(\.root.index)).sorted()
    }

    /// Returns all objects in the order of their ids.
    func objects(of contents: InMemoryContents) -> [AtomicObject] {
        var objects: [AtomicObject] = []
        for root in roots {
            for case let stored? in contents.tables[root]?.rows ?? [] { objects.append(object(stored, in: contents)) }
        }
        return objects.sorted { $0.id < $1.id }
    }

    /// Returns what contents change of the state beneath them. Without one, every object is new.
    func changes(of contents: InMemoryContents, header: StoreHeader) -> IncrementalChanges {
        guard let base = contents.base else {
            return IncrementalChanges(header: header, inserted: objects(of: contents), updated: [], deletedIDs: [])
        }
        let lists = contents.changedLists
        base.prepare(destinations(in: contents, lists))
        var owners = Set(lists.values.joined())
        var (inserted, updated): ([AtomicObject], [AtomicObject]) = ([], [])
        var deleted = contents.changedIDs.filter { $0 <= base.lastID }
        for root in roots {
            for case let stored? in contents.tables[root]?.rows ?? [] {
                owners.remove(stored.key)
                deleted.remove(stored.key.primaryKey)
                if stored.key.primaryKey > base.lastID {
                    inserted.append(object(stored, in: contents))
                } else {
                    updated.append(update(of: stored, in: contents, lists))
                }
            }
        }
        // Objects of which only a to-many has changed.
        for key in owners {
            guard let stored = contents.stored(key, root: directory.layout(of: key).entity.root.index) else { continue }
            updated.append(update(of: stored, in: contents, lists))
        }
        return IncrementalChanges(
            header: header, inserted: inserted.sorted { $0.id < $1.id }, updated: updated.sorted { $0.id < $1.id },
            deletedIDs: deleted.sorted())
    }

    /// Returns the keys of all destinations that changed objects name, each of which has to be looked for.
    private func destinations(
        in contents: InMemoryContents, _ lists: [Entity.Relationship: Set<ObjectKey>]
    ) -> [ObjectKey] {
        var keys: [ObjectKey] = []
        for root in roots {
            for case let stored? in contents.tables[root]?.rows ?? [] {
                let toOnes = directory.layout(of: stored.key).relationships.filter { !$0.isToMany }
                keys += toOnes.compactMap { ObjectKey(slot: RowFormat.word(in: stored.row.pointer, at: $0.slot)) }
            }
        }
        for (relationship, owners) in lists {
            for owner in owners { keys += contents.destinations(of: relationship, from: owner) }
        }
        return keys
    }

    private func update(
        of stored: InMemoryContents.Stored, in contents: InMemoryContents,
        _ lists: [Entity.Relationship: Set<ObjectKey>]
    ) -> AtomicObject {
        let entity = directory.layout(of: stored.key).entity
        var object = plain(stored, entity)
        for relationship in entity.relationships where !relationship.isTransient {
            guard !relationship.isToMany || lists[relationship]?.contains(stored.key) == true else { continue }
            object.destinations[relationship.name] = destinations(of: relationship, from: stored, in: contents)
        }
        return object
    }

    private func object(_ stored: InMemoryContents.Stored, in contents: InMemoryContents) -> AtomicObject {
        let entity = directory.layout(of: stored.key).entity
        var object = plain(stored, entity)
        for relationship in entity.relationships where !relationship.isTransient {
            let ids = destinations(of: relationship, from: stored, in: contents)
            if !ids.isEmpty { object.destinations[relationship.name] = ids }
        }
        return object
    }

    /// Returns an object without its relationships.
    private func plain(_ stored: InMemoryContents.Stored, _ entity: Entity) -> AtomicObject {
        var object = AtomicObject(entityName: entity.name, id: stored.key.primaryKey, version: stored.row.version)
        for attribute in entity.attributes where !attribute.isTransient {
            let value = attribute.value(in: stored.row.pointer)
            if !value.isNull { object.values[attribute.name] = value }
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
