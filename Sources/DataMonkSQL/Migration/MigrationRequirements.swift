import DataMonkCore

/// **Value.** The conditions that existing objects must satisfy in the new version, as queries for the objects that do not.
struct MigrationRequirements {
    private(set) var requirements: [MigrationScript.Requirement] = []
    private let schemas: MigrationSchemas

    init(_ schemas: MigrationSchemas) {
        self.schemas = schemas
        for entity in schemas.new.numbering.entities {
            guard let schema = schemas.new.schema(of: entity), schemas.source(of: entity) != nil else { continue }
            if entity.isAbstract { continue }
            for relationship in entity.relationships { add(relationship, in: schema) }
        }
    }

    /// Adds a relationship that requires a destination, and either did not before or may lose the one that it had.
    private mutating func add(_ relationship: Entity.Relationship, in schema: EntitySchema) {
        guard relationship.needsDestination else { return }
        let past = schemas.mapping.source(of: relationship, in: schema.entity)
        let wasRequired = past?.needsDestination == true
        if let past, wasRequired, !mayLoseLinks(relationship, of: schema.entity, past) { return }
        guard let missing = Self.objects(of: schema, without: relationship) else { return }
        var former: String?
        if let past, wasRequired, let source = schemas.source(of: schema.entity) {
            former = Self.objects(of: source, without: past)
        }
        requirements.append(
            MigrationScript.Requirement(
                sql: missing, former: former, entityName: schema.entity.name, propertyName: relationship.name))
    }

    /// Returns a query for the keys of the objects that have no destination.
    private static func objects(of schema: EntitySchema, without relationship: Entity.Relationship) -> String? {
        let missing: String
        switch schema.storage[relationship.slot] {
        case .toOne(let storage): missing = "o.\(storage.column.identifier) IS NULL"
        case .toMany(let storage):
            let table = SQLIdentifier.quotedIfNeeded(storage.tableName)
            missing = "NOT EXISTS (SELECT 1 FROM \(table) d WHERE d.\(storage.column.identifier) = o.Z_PK)"
        case .manyToMany(let storage):
            let table = SQLIdentifier.quotedIfNeeded(storage.table.name)
            let column = SQLIdentifier.quotedIfNeeded(storage.sourceColumn)
            missing = "NOT EXISTS (SELECT 1 FROM \(table) j WHERE j.\(column) = o.Z_PK)"
        case .none, .value, .composite: return nil
        }
        return "SELECT o.Z_PK FROM \(schema.table.identifier) o WHERE o.Z_ENT = \(schema.number) AND \(missing)"
    }

    /// Returns `true` if the migration takes links of a relationship away.
    private func mayLoseLinks(
        _ relationship: Entity.Relationship, of entity: Entity, _ past: Entity.Relationship
    ) -> Bool {
        if schemas.mapping.isNarrowed(relationship, of: entity) { return true }
        let (all, kept) = schemas.objects(of: past.destination)
        return kept.count < all.count
    }
}

extension Entity.Relationship {
    /// A Boolean value indicating whether every object must have a destination. For a to-many relationship, Core Data only
    /// checks the minimum count: a required one without a minimum may be empty.
    fileprivate var needsDestination: Bool {
        !isOptional && !isTransient && (!isToMany || minCount > 0)
    }
}
