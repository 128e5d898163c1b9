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

    private let frame: StoreFrame
    private let rows: AtomicRows
    private var owners: [Int64: Entity] = [:]
    private var links: [Entity.Relationship: Set<Link>] = [:]
    private var arena = RowArena()

    init(_ frame: StoreFrame) {
        self.frame = frame
        rows = AtomicRows(frame)
    }

    /// - Throws: ``StoreError`` with the code `corrupt`, naming the object and the property.
    mutating func contents(of loaded: AtomicContents) throws -> InMemoryContents {
        // Ascending, so that each object is put behind the others.
        let objects = loaded.objects.sorted { $0.id < $1.id }
        var contents = try frame.contents(
            lastID: max(loaded.lastID, objects.last?.id ?? 0), metadata: loaded.metadata)
        for object in objects { try note(object) }
        for object in objects {
            let entity = try rows.entity(of: object)
            let row = try rows.row(of: object, entity, in: &arena) { [self] id, relationship in
                try destination(id, of: relationship, from: object)
            }
            contents.putLoaded(.init(key: rows.key(object.id, entity), row: row), root: entity.root.index)
        }
        for object in objects { try setMembers(of: object, in: &contents) }
        return contents
    }

    // MARK: Ids and links

    private mutating func note(_ object: AtomicObject) throws {
        let entity = try rows.check(object)
        guard owners.updateValue(entity, forKey: object.id) == nil else {
            throw rows.fault("has an id that another object has too. Return each object once", object)
        }
        for (name, ids) in object.destinations {
            guard let relationship = entity.relationship(named: name) else { continue }
            for id in ids { links[relationship, default: []].insert(Link(owner: object.id, destination: id)) }
        }
    }

    /// Returns the destination of a link that leads somewhere, and back.
    private func destination(
        _ id: Int64, of relationship: Entity.Relationship, from object: AtomicObject
    ) throws -> ObjectKey {
        guard let entity = owners[id] else {
            throw rows.fault(
                "refers to the object \(id), which is not there. Return that object, or leave out the reference",
                object, relationship.name)
        }
        guard entity.isKind(of: relationship.destination) else {
            throw rows.fault(
                "refers to the object \(id), which is of \(entity.name), not of \(relationship.destination.name). "
                    + "Leave out the reference", object, relationship.name)
        }
        guard let inverse = relationship.inverse else { return rows.key(id, entity) }
        let back = entity.relationship(named: inverse.name) ?? inverse
        guard back.isTransient || links[back]?.contains(Link(owner: id, destination: object.id)) == true else {
            throw rows.fault(
                "refers to the object \(id), whose \(inverse.name) does not lead back. Return both sides, or neither",
                object, relationship.name)
        }
        return rows.key(id, entity)
    }

    private mutating func setMembers(of object: AtomicObject, in contents: inout InMemoryContents) throws {
        guard let entity = owners[object.id] else { return }
        for (name, ids) in object.destinations {
            guard let relationship = entity.relationship(named: name), relationship.isToMany else { continue }
            let keys = try ids.map { try destination($0, of: relationship, from: object) }
            let owned = keys.first { contents.owner(of: $0, in: relationship) != nil }
            if relationship.isOwnedByOneSideAlone, let owned {
                throw rows.fault(
                    "refers to the object \(owned.primaryKey), which another object refers to as well, though it can "
                        + "belong to one only. Leave out the reference", object, name)
            }
            contents.setMembers(keys, of: relationship, owner: rows.key(object.id, entity))
        }
    }
}
