import DataMonkCore

/// **Value.** The two schemas of a migration, and the mapping between them.
struct MigrationSchemas {
    let old: StoreSchema
    let new: StoreSchema
    let mapping: InferredMapping
    /// The temporary names of parked tables while the new ones are filled, by their old names. Other tables keep theirs.
    var parkedNames: [String: String] = [:]
    /// The answers that many tables and entities need.
    let index: MigrationIndex

    init(old: StoreSchema, new: StoreSchema, mapping: InferredMapping) {
        self.old = old
        self.new = new
        self.mapping = mapping
        index = MigrationIndex(old: old, new: new, mapping: mapping)
    }

    /// Returns the name of an old table while the new ones are filled.
    func identifier(ofOldTable name: String) -> String {
        SQLIdentifier.quotedIfNeeded(parkedNames[name] ?? name)
    }

    // MARK: Entities

    /// Returns the new entities of an inheritance tree, in the order of their numbers.
    func family(of root: Entity) -> [Entity] { index.families[root] ?? [] }

    /// Returns the old entities of an inheritance tree, in the order of their numbers.
    func oldFamily(of root: Entity) -> [Entity] { index.oldFamilies[root] ?? [] }

    /// Returns the old schema of a new entity.
    func source(of entity: Entity) -> EntitySchema? {
        mapping.source(of: entity).flatMap { old.schema(of: $0) }
    }

    /// Returns the new schema of an old entity, or `nil` if its objects are not kept.
    func destination(of entity: Entity) -> EntitySchema? {
        MigrationIndex.destination(of: entity, mapping, new)
    }

    /// Returns `true` if the store may contain objects of an old entity itself, and they are kept.
    func keepsObjects(of entity: Entity) -> Bool { !entity.isAbstract && destination(of: entity) != nil }

    func oldNumber(_ entity: Entity) -> Int { old.numbering.number(of: entity) }

    /// Returns the entities, among an old entity and its sub-entities, that can have objects in the store, and those of them
    /// whose objects are kept.
    func objects(of entity: Entity) -> (all: [Entity], kept: [Entity]) { index.objects[entity] ?? ([], []) }

    /// Returns a condition that is true if a column contains the key of an object that is kept.
    func condition(column: String, holdsKeyOf kept: [Entity]) -> String {
        guard let root = kept.first?.root, let table = old.schema(of: root)?.table else { return "0" }
        let numbers = kept.map { String(oldNumber($0)) }.joined(separator: ", ")
        return """
            \(column) IN (SELECT Z_PK FROM \(identifier(ofOldTable: table.name)) WHERE Z_ENT IN (\(numbers)))
            """
    }

    // MARK: Relationships

    func oldStorage(of relationship: Entity.Relationship) -> PropertyStorage {
        old.schema(of: relationship.entity)?.storage[relationship.slot] ?? .none
    }
}
