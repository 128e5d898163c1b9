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
    /// The error that prevents making a store of this layout.
    private(set) var error: ModelError?
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
        addTables(
            numbering.entities.filter { $0.superentity == nil }.map { root in
                TableDraft(
                    root, family: families[root] ?? [root], visitors: visitors[root] ?? [], joins: joins,
                    numbering: numbering)
            })
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
            self.error = self.error ?? error
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

    private mutating func addTables(_ drafts: [TableDraft]) {
        var names = SchemaNames()
        for draft in drafts { names.addTable(of: draft.root) }
        for table in drafts.flatMap(\.joinTables) { names.add(table) }
        error = names.error
        for (draft, indexes) in zip(drafts, names.numbered(drafts.map(\.indexes))) {
            tables.append(
                TableSchema(
                    name: draft.name, root: draft.root, columns: draft.columns.columns, indexes: indexes))
            joinTables += draft.joinTables
            columnsByRoot[draft.root] = draft.columns
            for join in draft.joinTables {
                joinTablesBySide[join.relationship] = join
                if let inverse = join.relationship.inverse { joinTablesBySide[inverse] = join }
            }
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

/// **Value.** The table of a root entity, before the names of indexes are unique.
private struct TableDraft {
    let root: Entity
    let name: String
    let columns: TableBuilder
    /// The indexes of the table and of the join tables.
    let indexes: [IndexSchema]
    /// The tables of the many-to-many relationships that are created together with it.
    let joinTables: [JoinTableSchema]

    init(
        _ root: Entity, family: [Entity], visitors: [Entity.Relationship], joins: JoinTableBuilder,
        numbering: EntityNumbering
    ) {
        self.root = root
        name = TableSchema.name(of: root)
        columns = TableBuilder(family: family, visitors: visitors, numbering: numbering)
        joinTables = family.flatMap { joins.tables(of: $0) }
        indexes = IndexBuilder(tableName: name, columns: columns, family: family, joinTables: joinTables).indexes
    }
}
