import DataMonkCore

/// **Value.** Assembles the parts of a schema, table by table.
struct SchemaLayout {
    let numbering: EntityNumbering
    /// The columns of join tables as found in a file, by table.
    private let joinColumns: [String: [String]]
    private(set) var tables: [TableSchema] = []
    private(set) var joinTables: [JoinTableSchema] = []
    private(set) var derivations: [DerivationSchema] = []
    private(set) var foreignDerivations: [ForeignDerivation] = []
    private(set) var derivationError: ModelError?
    /// The schemas by the index of the entity in the model.
    private(set) var entities: [EntitySchema?]

    private var columnsByRoot: [Entity: TableBuilder] = [:]
    private var joinTablesBySide: [Entity.Relationship: JoinTableSchema] = [:]

    init(numbering: EntityNumbering, entityCount: Int, joinColumns: [String: [String]]) {
        self.numbering = numbering
        self.joinColumns = joinColumns
        entities = Array(repeating: nil, count: entityCount)
    }

    /// Lays out the tables first, because a property's storage may be in any of them, then the entities, then the join
    /// tables.
    mutating func build() {
        let families = Dictionary(grouping: numbering.entities, by: \.root)
        let visitors = Dictionary(
            grouping: numbering.entities.flatMap(\.declaredRelationships)
                .filter { $0.isStoredWithoutInverse(in: numbering) }, by: \.destination.root)
        let joins = JoinTableBuilder(numbering: numbering, known: joinColumns)
        for root in numbering.entities where root.superentity == nil {
            addTable(root, family: families[root] ?? [root], visitors: visitors[root] ?? [], joins: joins)
        }
        let tablesByRoot = Dictionary(uniqueKeysWithValues: tables.map { ($0.root, $0) })
        for entity in numbering.entities {
            guard let table = tablesByRoot[entity.root] else { continue }
            entities[entity.index] = EntitySchema(
                entity: entity, number: numbering.number(of: entity),
                familyNumbers: numbering.familyNumbers(of: entity), table: table,
                storage: entity.properties.map { storage(of: $0, in: entity) })
        }
        foreignDerivations = numbering.entities.flatMap { entity in
            entity.attributes.filter { $0.entity === entity }.compactMap { attribute in
                entities[entity.index].flatMap { ForeignDerivation(of: attribute, in: $0) }
            }
        }
        do {
            try addDerivations()
        } catch {
            derivationError = error
        }
    }

    private mutating func addDerivations() throws(ModelError) {
        let tableNames = Set(tables.map(\.name) + joinTables.map(\.name))
        for entity in numbering.entities {
            for derivation in try Derivation.all(of: entity) where derivation.attribute.entity === entity {
                guard let builder = try DerivationBuilder(derivation, schemas: entities) else { continue }
                derivations.append(builder.schema(tableNames: tableNames))
            }
        }
    }

    private mutating func addTable(
        _ root: Entity, family: [Entity], visitors: [Entity.Relationship], joins: JoinTableBuilder
    ) {
        let columns = TableBuilder(family: family, visitors: visitors, numbering: numbering)
        let joined = family.flatMap { joins.tables(of: $0) }
        let name = TableSchema.name(of: root)
        let indexes = IndexBuilder(tableName: name, columns: columns, family: family, joinTables: joined).indexes
        let table = TableSchema(name: name, root: root, columns: columns.columns, indexes: indexes)
        tables.append(table)
        joinTables += joined
        columnsByRoot[root] = columns
        for join in joined {
            joinTablesBySide[join.relationship] = join
            if let inverse = join.relationship.inverse { joinTablesBySide[inverse] = join }
        }
    }

    private func storage(of property: Entity.Property, in entity: Entity) -> PropertyStorage {
        switch entity.firstDeclaration(of: property) {
        case .attribute(let attribute): storage(of: attribute, in: entity)
        case .relationship(let relationship): storage(of: relationship, in: entity)
        }
    }

    private func storage(of attribute: Entity.Attribute, in entity: Entity) -> PropertyStorage {
        let parts = columnsByRoot[entity.root]?.columnsByPart ?? [:]
        if let column = parts[.value(attribute)] { return .value(column) }
        let elements = attribute.description.elements.indices.compactMap { parts[.element(attribute, $0)] }
        return elements.isEmpty ? .none : .composite(elements)
    }

    private func storage(of relationship: Entity.Relationship, in entity: Entity) -> PropertyStorage {
        if let table = joinTablesBySide[relationship] { return .manyToMany(table.storage(of: relationship)) }
        if !relationship.isToMany {
            let parts = columnsByRoot[entity.root]?.columnsByPart ?? [:]
            guard let column = parts[.key(relationship)] else { return .none }
            return .toOne(
                ToOneStorage(
                    relationship: relationship, column: column, entityColumn: parts[.keyEntity(relationship)]))
        }
        return toManyStorage(of: relationship)
    }

    private func toManyStorage(of relationship: Entity.Relationship) -> PropertyStorage {
        let root = relationship.destination.root
        let parts = columnsByRoot[root]?.columnsByPart ?? [:]
        let storingSide = relationship.storedInverse ?? relationship
        guard !relationship.isTransient, let column = parts[.key(storingSide)] else { return .none }
        return .toMany(
            ToManyStorage(
                relationship: relationship, tableName: TableSchema.name(of: root), column: column,
                entityColumn: parts[.keyEntity(storingSide)], orderColumn: parts[.order(relationship)],
                isStoredByInverse: storingSide !== relationship))
    }
}
