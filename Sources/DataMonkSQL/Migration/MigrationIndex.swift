import DataMonkCore

/// **Value.** The families and mappings that tables and entities of a migration have in common, found once: each of them would
/// look through all entities for these.
struct MigrationIndex {
    /// The new entities of each tree in the order of their numbers, and the old ones, by their root.
    let families: [Entity: [Entity]]
    let oldFamilies: [Entity: [Entity]]
    /// The new to-manys with a column in the rows of their destinations, by the root of those.
    private(set) var visitors: [Entity: [ToManyStorage]] = [:]
    /// The numbers of the old entities that use a column, by the name of the table, then of the column.
    private(set) var users: [String: [String: Set<Int>]] = [:]
    /// The old entities, among an entity and its sub-entities, that can have objects in the store, and those of them whose
    /// objects are kept.
    private(set) var objects: [Entity: (all: [Entity], kept: [Entity])] = [:]

    init(old: StoreSchema, new: StoreSchema, mapping: InferredMapping) {
        families = Dictionary(grouping: new.numbering.entities, by: \.root)
        oldFamilies = Dictionary(grouping: old.numbering.entities, by: \.root)
        addVisitors(of: new)
        addUsers(of: old)
        for root in old.model.entities where root.superentity == nil { addObjects(of: root, old, new, mapping) }
    }

    /// Returns the new schema of an old entity, or `nil` if its objects are not kept.
    static func destination(of entity: Entity, _ mapping: InferredMapping, _ new: StoreSchema) -> EntitySchema? {
        guard let successor = mapping.destination(of: entity), entity.isAbstract || !successor.isAbstract else {
            return nil
        }
        return new.schema(of: successor)
    }

    private mutating func addVisitors(of new: StoreSchema) {
        for entity in new.numbering.entities {
            for relationship in entity.declaredRelationships {
                guard case .toMany(let storage) = new.schema(of: entity)?.storage[relationship.slot] else { continue }
                visitors[relationship.destination.root, default: []].append(storage)
            }
        }
    }

    private mutating func addUsers(of old: StoreSchema) {
        // All entities that inherit a to-many have its column.
        var seen: Set<Entity.Relationship> = []
        for schema in old.numbering.entities.compactMap({ old.schema(of: $0) }) {
            for storage in schema.storage {
                guard case .toMany(let toMany) = storage else {
                    for column in storage.columns {
                        users[schema.table.name, default: [:]][column.name, default: []].insert(schema.number)
                    }
                    continue
                }
                guard seen.insert(toMany.relationship).inserted else { continue }
                let numbers = toMany.relationship.destination.family.map { old.numbering.number(of: $0) }
                for column in [toMany.isStoredByInverse ? nil : toMany.column, toMany.orderColumn].compactMap(\.self) {
                    users[toMany.tableName, default: [:]][column.name, default: []].formUnion(numbers)
                }
            }
        }
    }

    private mutating func addObjects(
        of entity: Entity, _ old: StoreSchema, _ new: StoreSchema, _ mapping: InferredMapping
    ) {
        var (all, kept): ([Entity], [Entity]) = ([], [])
        if !entity.isAbstract, old.numbering.contains(entity) {
            all.append(entity)
            if Self.destination(of: entity, mapping, new) != nil { kept.append(entity) }
        }
        for subentity in entity.subentities {
            addObjects(of: subentity, old, new, mapping)
            guard let objects = objects[subentity] else { continue }
            all += objects.all
            kept += objects.kept
        }
        objects[entity] = (all, kept)
    }
}
