import DataMonkCore

/// **Value.** The two schemas of a migration, and what becomes what between them.
struct MigrationSchemas {
    let old: StoreSchema
    let new: StoreSchema
    let mapping: InferredMapping
    /// The names that old tables have while the new ones are filled, by their old names; others keep theirs.
    var parkedNames: [String: String] = [:]

    init(old: StoreSchema, new: StoreSchema, mapping: InferredMapping) {
        self.old = old
        self.new = new
        self.mapping = mapping
    }

    /// What an old table is called while the new ones are filled.
    func identifier(ofOldTable name: String) -> String {
        SQLIdentifier.quotedIfNeeded(parkedNames[name] ?? name)
    }

    // MARK: Entities

    /// The new entities of an inheritance tree, in the order of their numbers.
    func family(of root: Entity) -> [Entity] { new.numbering.entities.filter { $0.root === root } }

    /// The old entities of an inheritance tree, in the order of their numbers.
    func oldFamily(of root: Entity) -> [Entity] { old.numbering.entities.filter { $0.root === root } }

    /// What a new entity was in the store.
    func source(of entity: Entity) -> EntitySchema? {
        mapping.source(of: entity).flatMap { old.schema(of: $0) }
    }

    /// What an old entity becomes in the store. `nil` for one whose objects do not stay.
    func destination(of entity: Entity) -> EntitySchema? {
        guard let successor = mapping.destination(of: entity), entity.isAbstract || !successor.isAbstract else {
            return nil
        }
        return new.schema(of: successor)
    }

    /// Whether objects of an old entity itself may be in the store, and stay.
    func keepsObjects(of entity: Entity) -> Bool { !entity.isAbstract && destination(of: entity) != nil }

    func oldNumber(_ entity: Entity) -> Int { old.numbering.number(of: entity) }

    /// Of an old entity and those below it: which can have objects in the store, and which of these stay.
    func objects(of entity: Entity) -> (all: [Entity], kept: [Entity]) {
        let all = entity.family.filter { !$0.isAbstract && old.numbering.contains($0) }
        return (all, all.filter { destination(of: $0) != nil })
    }

    /// A condition that a column holds the key of an object that stays.
    func condition(column: String, holdsKeyOf kept: [Entity]) -> String {
        guard let root = kept.first?.root, let table = old.schema(of: root)?.table else { return "0" }
        let numbers = kept.map { String(oldNumber($0)) }.joined(separator: ", ")
        return """
            \(column) IN (SELECT Z_PK FROM \(identifier(ofOldTable: table.name)) WHERE Z_ENT IN (\(numbers)))
            """
    }

    // MARK: Relationships

    /// What a new relationship was, in whichever entity of its family it has a past.
    func past(of relationship: Entity.Relationship) -> Entity.Relationship? {
        relationship.entity.family.lazy.compactMap { mapping.source(of: relationship, in: $0) }.first
    }

    func oldStorage(of relationship: Entity.Relationship) -> PropertyStorage {
        old.schema(of: relationship.entity)?.storage[relationship.slot] ?? .none
    }
}
