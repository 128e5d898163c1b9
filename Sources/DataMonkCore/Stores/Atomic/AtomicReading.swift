import Foundation

/// **Value.** Makes contents in memory of what an atomic store has loaded, and refuses what cannot be such contents.
///
/// Three passes: the ids, then values and to-ones as rows, then to-manys, each against its other side.
struct AtomicReading {
    /// **Value.** One direction of two objects' relationship.
    private struct Link: Hashable {
        let owner: Int64
        let destination: Int64
    }

    private let store: any AtomicStore
    private let directory: ObjectDirectory
    private let index: Int
    private let entities: [String: Entity]
    private var owners: [Int64: Entity] = [:]
    private var links: [Entity.Relationship: Set<Link>] = [:]
    private var arena = RowArena()

    init(_ store: any AtomicStore, directory: ObjectDirectory, index: Int, members: [Entity]) {
        self.store = store
        self.directory = directory
        self.index = index
        entities = Dictionary(members.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// - Throws: ``StoreError`` with the code `corrupt`, naming the object and the property.
    mutating func contents(of loaded: AtomicContents) throws -> InMemoryContents {
        var contents = InMemoryContents()
        contents.sharesPrimaryKeys = true
        contents.metadata = loaded.metadata.filter { !StoreMetadataKey.isStoresOwn($0.key) }
        // Ascending, so that each object is put behind the others.
        let objects = loaded.objects.sorted { $0.id < $1.id }
        let lastID = max(loaded.lastID, objects.last?.id ?? 0)
        guard lastID >= 0, lastID <= ObjectKey.maximumPrimaryKey else {
            throw StoreError(
                .corrupt, "\(store.name) has the last id \(lastID), beyond 2^46 - 1. Restore it from a backup.",
                storeURL: store.url)
        }
        _ = try contents.reservePrimaryKeys(Int(lastID), root: 0)
        for object in objects { try note(object) }
        for object in objects {
            let entity = try entity(of: object)
            let row = try row(of: object, entity)
            contents.putLoaded(.init(key: key(object.id, entity), row: row), root: entity.root.index)
        }
        for object in objects { try setMembers(of: object, in: &contents) }
        return contents
    }

    private func key(_ id: Int64, _ entity: Entity) -> ObjectKey {
        ObjectKey(store: index, entity: entity.index, primaryKey: id)
    }

    private func entity(of object: AtomicObject) throws -> Entity {
        if let entity = entities[object.entityName], !entity.isAbstract { return entity }
        let problem =
            switch entities[object.entityName] {
            case _?: "is of an abstract entity. Return the name of its own entity"
            case nil:
                "is of an entity that the model, or the configuration, does not have. Return the name as it was saved"
            }
        throw fault(problem, object)
    }

    // MARK: Ids and links

    private mutating func note(_ object: AtomicObject) throws {
        let entity = try entity(of: object)
        guard object.id > 0 else { throw fault("has an id below 1. Return the id that was saved", object) }
        guard object.version > 0 else { throw fault("has a version below 1. Return 1 if it is unknown", object) }
        guard owners.updateValue(entity, forKey: object.id) == nil else {
            throw fault("has an id that another object has too. Return each object once", object)
        }
        for (name, ids) in object.destinations {
            guard let relationship = entity.relationship(named: name), !relationship.isTransient else {
                throw unknownProperty(name, of: object, entity)
            }
            guard relationship.isToMany || ids.count <= 1 else {
                throw fault("has \(ids.count) destinations of a to-one. Return at most one", object, name)
            }
            for id in ids {
                let link = Link(owner: object.id, destination: id)
                guard links[relationship, default: []].insert(link).inserted else {
                    throw fault("refers to the object \(id) twice. Return each destination once", object, name)
                }
            }
        }
    }

    /// Returns the destination of a link that leads somewhere, and back.
    private func destination(
        _ id: Int64, of relationship: Entity.Relationship, from object: AtomicObject
    ) throws -> ObjectKey {
        guard let entity = owners[id] else {
            throw fault(
                "refers to the object \(id), which is not there. Return that object, or leave out the reference",
                object, relationship.name)
        }
        guard entity.isKind(of: relationship.destination) else {
            throw fault(
                "refers to the object \(id), which is of \(entity.name), not of \(relationship.destination.name). "
                    + "Leave out the reference", object, relationship.name)
        }
        guard let inverse = relationship.inverse else { return key(id, entity) }
        let back = entity.relationship(named: inverse.name) ?? inverse
        guard back.isTransient || links[back]?.contains(Link(owner: id, destination: object.id)) == true else {
            throw fault(
                "refers to the object \(id), whose \(inverse.name) does not lead back. Return both sides, or neither",
                object, relationship.name)
        }
        return key(id, entity)
    }

    private mutating func setMembers(of object: AtomicObject, in contents: inout InMemoryContents) throws {
        guard let entity = owners[object.id] else { return }
        for (name, ids) in object.destinations {
            guard let relationship = entity.relationship(named: name), relationship.isToMany else { continue }
            let keys = try ids.map { try destination($0, of: relationship, from: object) }
            let owned = keys.first { contents.owner(of: $0, in: relationship) != nil }
            if relationship.isOwnedByOneSideAlone, let owned {
                throw fault(
                    "refers to the object \(owned.primaryKey), which another object refers to as well, though it can "
                        + "belong to one only. Leave out the reference", object, name)
            }
            contents.setMembers(keys, of: relationship, owner: key(object.id, entity))
        }
    }

    // MARK: Rows

    private mutating func row(of object: AtomicObject, _ entity: Entity) throws -> Row {
        let layout = directory.layouts[entity.index]
        let draft = DraftRow(copying: layout.blankRow.pointer, of: layout, base: nil)
        var editor = RowEditor(draft)
        for (name, value) in object.values {
            guard let attribute = entity.attribute(named: name), !attribute.isTransient else {
                throw unknownProperty(name, of: object, entity)
            }
            guard attribute.accepts(value), !value.isNotStorable else {
                throw fault(
                    "has \(value.kind) where the model has \(attribute.type.article) attribute. Return a value of that "
                        + "type and within its range", object, name)
            }
            attribute.write(value, to: &editor)
        }
        let required = entity.attributes.filter { !$0.isOptional && !$0.isTransient && !$0.isDerived }
        if let missing = required.first(where: { object.values[$0.name]?.isNull ?? true }) {
            throw fault("has no value, though the model requires one. Return one", object, missing.name)
        }
        for (name, ids) in object.destinations {
            guard let relationship = entity.relationship(named: name), !relationship.isToMany else { continue }
            for id in ids {
                let key = try destination(id, of: relationship, from: object)
                RowFormat.setWord(key.rawValue, in: draft.row, at: relationship.slot)
                RowFormat.setNull(false, in: draft.row, at: relationship.slot)
            }
        }
        try draft.requireAllValues(of: entity)
        return layout.seal(draft, version: object.version, in: &arena)
    }

    // MARK: Errors

    private func unknownProperty(_ name: String, of object: AtomicObject, _ entity: Entity) -> StoreError {
        let nearest = NearestName.find(name, among: entity.propertiesByName.keys)
        return fault(
            nearest.map { "is not stored by the model. Did you mean \"\($0)\"?" }
                ?? "is not stored by the model. Leave it out", object, name)
    }

    private func fault(_ problem: String, _ object: AtomicObject, _ property: String? = nil) -> StoreError {
        let subject = "\(property.map { "\($0) of " } ?? "")\(object.entityName) \(object.id)"
        return StoreError(
            .corrupt, "\(store.name): \(subject) \(problem)\(problem.hasSuffix("?") ? "" : ".")",
            entityName: object.entityName, storeURL: store.url)
    }
}
