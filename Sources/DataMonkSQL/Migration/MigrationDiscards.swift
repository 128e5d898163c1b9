import DataMonkCore

/// **Value.** The data that a migration would discard, as queries that count it in the old tables.
///
/// There are three kinds: objects of entities that were removed or became abstract; values of attributes without a
/// successor, in objects that are kept; links of relationships without a successor on either side, between objects that are
/// kept. Values equal to the attribute's default do not count, and derived values can be recomputed.
struct MigrationDiscards {
    private(set) var discards: [MigrationScript.Discard] = []
    /// The schemas with the old tables under their own names, as before the migration.
    private let schemas: MigrationSchemas
    /// The entities whose objects are kept.
    private let kept: [EntitySchema]
    /// The successors of properties by their old slots, by the index of the old entity.
    private let successors: [Int: [Int: Entity.Property]]

    init(_ planner: MigrationPlanner) {
        var schemas = planner.schemas
        schemas.parkedNames = [:]
        self.schemas = schemas
        kept = schemas.old.numbering.entities.filter { schemas.keepsObjects(of: $0) }
            .compactMap { schemas.old.schema(of: $0) }
        successors = Dictionary(
            uniqueKeysWithValues: kept.map { ($0.entity.index, Self.successors(of: $0.entity, schemas)) })
        addObjects()
        addDamagedObjects(planner.tables)
        addValues()
        addLinks()
    }

    private static func successors(of entity: Entity, _ schemas: MigrationSchemas) -> [Int: Entity.Property] {
        guard let new = schemas.mapping.destination(of: entity) else { return [:] }
        var successors: [Int: Entity.Property] = [:]
        for property in new.properties where !property.isTransient {
            if let past = schemas.mapping.source(of: property, in: new) { successors[past.slot] = property }
        }
        return successors
    }

    // MARK: Objects

    private mutating func addObjects() {
        for entity in schemas.old.numbering.entities where !entity.isAbstract && !schemas.keepsObjects(of: entity) {
            guard let schema = schemas.old.schema(of: entity) else { continue }
            discards.append(
                MigrationScript.Discard(
                    subject: .objects(isAbstractNow: schemas.mapping.destination(of: entity) != nil),
                    sql: "SELECT count(*) FROM \(schema.table.identifier) WHERE Z_ENT = \(schema.number)",
                    entityName: entity.name))
        }
    }

    /// Rows of the number of no entity of their table. They come along where all rows of the table do.
    private mutating func addDamagedObjects(_ migrations: [TableMigration]) {
        let bySource = Dictionary(grouping: migrations, by: \.source?.name)
        for table in schemas.old.tables {
            let targets = bySource[table.name] ?? []
            if targets.contains(where: \.takesAllRows) { continue }
            let numbers = schemas.oldFamily(of: table.root).map { String(schemas.oldNumber($0)) }
            discards.append(
                MigrationScript.Discard(
                    subject: targets.isEmpty ? .objects(isAbstractNow: false) : .damagedObjects,
                    sql: """
                        SELECT count(*) FROM \(table.identifier) \
                        WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.joined(separator: ", ")))
                        """,
                    entityName: table.root.name))
        }
    }

    // MARK: Values

    /// **Value.** A column whose values are discarded, in the rows of some entities.
    private struct Column: Hashable {
        let entityName: String
        let propertyName: String
        let table: String
        let column: String
        let defaultValue: SQLBinding?
    }

    private mutating func addValues() {
        var numbers: [Column: [Int]] = [:]
        var order: [Column] = []
        for schema in kept {
            for column in lostColumns(schema) {
                if numbers[column] == nil { order.append(column) }
                numbers[column, default: []].append(schema.number)
            }
        }
        for column in order {
            let entities = (numbers[column] ?? []).map(String.init).joined(separator: ", ")
            let sql = """
                SELECT count(*) FROM \(column.table) WHERE Z_ENT IN (\(entities)) AND \(column.column) IS NOT NULL\
                \(column.defaultValue == nil ? "" : " AND \(column.column) IS NOT ?")
                """
            discards.append(
                MigrationScript.Discard(
                    subject: .values, sql: sql, bindings: column.defaultValue.map { [$0] } ?? [],
                    entityName: column.entityName, propertyName: column.propertyName))
        }
    }

    private func lostColumns(_ schema: EntitySchema) -> [Column] {
        schema.entity.attributes.flatMap { attribute -> [Column] in
            if attribute.isDerived || isRead(attribute, of: schema.entity) { return [] }
            let successor = successors[schema.entity.index]?[attribute.slot]?.attribute
            let entity = schema.entity.firstDeclaration(of: .attribute(attribute)).attribute?.entity ?? schema.entity
            func column(_ name: String, description: AttributeDescription, column: ColumnSchema) -> Column {
                Column(
                    entityName: entity.name, propertyName: name, table: schema.table.identifier,
                    column: column.identifier,
                    defaultValue: description.defaultValue.isNull ? nil : SQLBinding(defaultOf: description))
            }
            switch schema.storage[attribute.slot] {
            case .value(let place) where successor == nil:
                return [column(attribute.name, description: attribute.description, column: place)]
            case .composite(let places):
                let staying = Set(successor?.description.elements.map(\.name) ?? [])
                return zip(attribute.description.elements, places).filter { !staying.contains($0.0.name) }
                    .map { column("\(attribute.name).\($0.0.name)", description: $0.0, column: $0.1) }
            default:
                return []
            }
        }
    }

    /// Returns `true` if values of the new version are computed from an attribute's values.
    private func isRead(_ attribute: Entity.Attribute, of entity: Entity) -> Bool {
        guard let new = schemas.mapping.destination(of: entity) else { return false }
        return schemas.mapping.computations(of: new).contains { computation in
            computation.sources.contains { $0.slot == attribute.slot }
        }
    }

    // MARK: Links

    private mutating func addLinks() {
        var seen: Set<Entity.Relationship> = []
        for entity in schemas.old.numbering.entities {
            for relationship in entity.declaredRelationships where seen.insert(relationship).inserted {
                if let inverse = relationship.storedInverse { seen.insert(inverse) }
                addLinks(of: relationship)
            }
        }
    }

    /// Adds a relationship's lost links. A link is lost if the relationship has no successor at either of its ends.
    private mutating func addLinks(of relationship: Entity.Relationship) {
        addOrder(of: relationship)
        if let other = relationship.storedInverse, other !== relationship { addOrder(of: other) }
        let inverse = relationship.storedInverse
        let owners = losers(of: relationship)
        let elements = inverse.map(losers) ?? schemas.objects(of: relationship.destination).kept
        guard !owners.isEmpty, !elements.isEmpty,
            let rows = LinkRows(of: relationship, from: owners, to: elements, schemas)
        else { return }
        discards.append(
            MigrationScript.Discard(
                subject: .links, sql: rows.count(schemas), entityName: relationship.entity.name,
                propertyName: relationship.name, inverse: inverse.map { ($0.entity.name, $0.name) }))
    }

    /// Adds a lost order. An order is lost if the links of an ordered to-many relationship stay, by either of their sides, and
    /// lead to a to-many that is unordered, or to none.
    private mutating func addOrder(of relationship: Entity.Relationship) {
        guard relationship.isOrdered, relationship.isToMany else { return }
        let elements = schemas.objects(of: relationship.destination).kept
        let owners = schemas.objects(of: relationship.entity).kept.filter { owner in
            successors[owner.index]?[relationship.slot]?.relationship.map { $0.isToMany && !$0.isOrdered } ?? false
        }
        addOrder(of: relationship, from: owners, to: elements)
        let unordered = elements.filter { element in
            let inverse = relationship.storedInverse
            guard let successor = inverse.flatMap({ successors[element.index]?[$0.slot]?.relationship }) else {
                return false
            }
            return successor.inverse.map { $0.isToMany && !$0.isOrdered } ?? true
        }
        addOrder(of: relationship, from: losers(of: relationship), to: unordered)
    }

    private mutating func addOrder(
        of relationship: Entity.Relationship, from owners: [Entity], to elements: [Entity]
    ) {
        guard !owners.isEmpty, !elements.isEmpty,
            let rows = LinkRows(of: relationship, from: owners, to: elements, schemas)
        else { return }
        let owner = SQLIdentifier.quotedIfNeeded(rows.owner)
        discards.append(
            MigrationScript.Discard(
                subject: .order,
                sql: "SELECT count(*) FROM (SELECT 1 \(rows.selection(schemas)) GROUP BY \(owner) HAVING count(*) > 1)",
                entityName: relationship.entity.name, propertyName: relationship.name))
    }

    /// Returns the entities whose objects are kept without the relationship.
    private func losers(of relationship: Entity.Relationship) -> [Entity] {
        schemas.objects(of: relationship.entity).kept.filter {
            successors[$0.index]?[relationship.slot]?.relationship == nil
        }
    }
}
