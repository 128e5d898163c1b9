import DataMonkCore

/// **Value.** Decides which tables stay and which are rebuilt, and orders the statements.
struct MigrationPlanner {
    private(set) var schemas: MigrationSchemas
    /// The migrations of all tables, from the old tables under their own names.
    let tables: [TableMigration]
    private(set) var collections: [MigrationScript.Statement] = []
    private(set) var statements: [MigrationScript.Statement] = []
    private(set) var writtenTables: [String] = []
    private(set) var rebuiltTables: [TableMigration] = []
    private(set) var rebuiltJoins: [JoinTableMigration] = []
    private(set) var computations: [RowComputation] = []
    private(set) var rewrites: [MigrationScript.Rewrite] = []

    /// The relationships with room for fewer links than before.
    private(set) var narrowings: [LinkNarrowing] = []

    init(_ schemas: MigrationSchemas, physical: PhysicalSchema) {
        self.schemas = schemas
        tables = schemas.new.tables.map { TableMigration(of: $0, in: schemas) }
        narrowings = schemas.mapping.narrowedRelationships.enumerated().compactMap { place, relationship in
            LinkNarrowing(of: relationship, place: place + 1, in: schemas)
        }
        collections = narrowings.map { MigrationScript.Statement(sql: $0.collecting) }
        let joins = schemas.new.joinTables.map { JoinTableMigration(of: $0, in: schemas) }
        let staying = tables.filter { $0.canStay(physical) }.map(\.table.name)
        let stayingJoins = joins.filter(\.canStay).map(\.table.name)
        self.schemas.parkedNames = parkedNames(except: Set(staying + stayingJoins))
        // Once more, because the copies now read from the parked tables.
        for table in schemas.new.tables {
            add(TableMigration(of: table, in: self.schemas), stays: staying.contains(table.name))
        }
        for join in schemas.new.joinTables where !stayingJoins.contains(join.name) {
            add(JoinTableMigration(of: join, in: self.schemas))
        }
        for narrowing in narrowings { distribute(narrowing) }
        computations =
            schemas.new.numbering.entities.compactMap { RowComputation(of: $0, in: self.schemas) } + rederive()
        for (place, computation) in computations.enumerated() {
            statements.append(
                MigrationScript.Statement(
                    sql: computation.selection, entityName: computation.entityName,
                    weighingTable: computation.tableName, computation: place))
        }
        for name in self.schemas.parkedNames.values.sorted() { add("DROP TABLE \(name)") }
        addIndexes(physical.indexes)
        addNumbers()
    }

    private mutating func add(_ sql: String, bindings: [SQLBinding] = []) {
        statements.append(MigrationScript.Statement(sql: sql, bindings: bindings))
    }

    // MARK: Tables

    /// Returns names that no store uses for the old tables that do not stay.
    private func parkedNames(except staying: Set<String>) -> [String: String] {
        let old = schemas.old.tables.map(\.name) + schemas.old.joinTables.map(\.name)
        let names = old.filter { !staying.contains($0) }.enumerated().map { ($1, "migrating_\($0 + 1)") }
        return Dictionary(names, uniquingKeysWith: { first, _ in first })
    }

    private mutating func add(_ migration: TableMigration, stays: Bool) {
        let table = migration.table
        if stays {
            let alterations = migration.alterations
            statements += alterations
            // A new column alone writes no row.
            if alterations.contains(where: { $0.weighingTable != nil }) {
                writtenTables.append(table.name)
                note(migration.source?.name, of: table.root, isCopy: false)
            }
            return
        }
        add(table.createStatement)
        if let copy = migration.copy(schemas) { statements.append(copy) }
        note(migration.source?.name, of: table.root, isCopy: true)
        writtenTables.append(table.name)
        rebuiltTables.append(migration)
    }

    private mutating func add(_ migration: JoinTableMigration) {
        add(migration.table.createStatement)
        statements += migration.copies(schemas)
        for source in migration.sources {
            note(source, of: migration.table.relationship.entity, links: migration.table.relationship, isCopy: true)
        }
        writtenTables.append(migration.table.name)
        rebuiltJoins.append(migration)
    }

    private mutating func note(
        _ tableName: String?, of entity: Entity, links relationship: Entity.Relationship? = nil, isCopy: Bool
    ) {
        guard let tableName else { return }
        rewrites.append(
            MigrationScript.Rewrite(
                entityName: entity.name, relationshipName: relationship?.name, tableName: tableName, isCopy: isCopy))
    }

    private mutating func distribute(_ narrowing: LinkNarrowing) {
        let (statements, tables) = narrowing.distributing
        for statement in statements { add(statement) }
        writtenTables += tables.filter { !writtenTables.contains($0) }
    }

    // MARK: Derived attributes

    /// The computations of attributes that are derived from the new rows themselves. Sub-entities share those that they
    /// inherit.
    private mutating func rederive() -> [RowComputation] {
        var numbers: [Entity.Attribute: [Int]] = [:]
        var parts: [(attribute: Entity.Attribute, part: AttributeComputation, entity: Entity)] = []
        for entity in schemas.new.numbering.entities where !entity.isAbstract {
            for part in schemas.mapping.rederivations(of: entity) {
                let declared = entity.firstDeclaration(of: .attribute(part.attribute)).attribute ?? part.attribute
                if numbers[declared] == nil { parts.append((declared, part, entity)) }
                numbers[declared, default: []].append(schemas.new.numbering.number(of: entity))
            }
        }
        return parts.compactMap { attribute, part, entity in
            guard let schema = schemas.new.schema(of: entity), let past = schemas.source(of: entity) else { return nil }
            if !writtenTables.contains(schema.table.name) {
                writtenTables.append(schema.table.name)
                note(past.table.name, of: schema.table.root, isCopy: false)
            }
            return RowComputation(
                of: part, in: schema, numbers: numbers[attribute] ?? [], oldTable: past.table.name)
        }
    }

    // MARK: Indexes

    /// Adds all indexes of new tables. For tables that stay, adds the indexes that differ or are missing from the file.
    private mutating func addIndexes(_ present: Set<String>) {
        let rebuilt = Set(rebuiltTables.map(\.table.name) + rebuiltJoins.map(\.table.name))
        let old = schemas.old.tables.flatMap(\.indexes)
        let new = schemas.new.tables.flatMap(\.indexes)
        let kept = Set(old).intersection(new)
        for index in old where !kept.contains(index) && schemas.parkedNames[index.tableName] == nil {
            add("DROP INDEX IF EXISTS \(SQLIdentifier.quotedIfNeeded(index.name))")
        }
        for index in new
        where rebuilt.contains(index.tableName) || !kept.contains(index) || !present.contains(index.name) {
            if !rebuilt.contains(index.tableName) {
                // Stores of other frameworks have some indexes under the same names as ours.
                add("DROP INDEX IF EXISTS \(SQLIdentifier.quotedIfNeeded(index.name))")
                if !writtenTables.contains(index.tableName) { writtenTables.append(index.tableName) }
            }
            statements.append(
                MigrationScript.Statement(
                    sql: index.createStatement, weighingTable: nil, problem: index.constraint.map { problem(of: $0) }))
        }
    }

    private func problem(of constraint: IndexSchema.Constraint) -> MigrationError.Problem {
        MigrationError.Problem(
            kind: .duplicateValues, entityName: constraint.entityName,
            propertyName: constraint.properties.joined(separator: ", "),
            message: """
                It must be unique now, but stored objects have equal values. Use the previous version to make them \
                different, or remove the constraint.
                """)
    }

    // MARK: Numbers

    /// Rewrites the rows of `Z_PRIMARYKEY`. The rows of the history's own entities, from 16001 on, stay.
    private mutating func addNumbers() {
        for row in schemas.new.primaryKeyRows {
            let entity = schemas.new.numbering.entity(numbered: row.number)
            let root = entity.flatMap { $0.superentity == nil ? oldRoot(of: $0) : nil }
            let greatest = "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(root.map { schemas.oldNumber($0) } ?? 0)"
            // Negative numbers, which cannot collide, until the old rows are deleted.
            add(
                """
                INSERT INTO Z_PRIMARYKEY(Z_ENT, Z_NAME, Z_SUPER, Z_MAX) \
                VALUES(-\(row.number), ?, \(row.superNumber), coalesce((\(greatest)), 0))
                """, bindings: [.text(row.name)])
        }
        add("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT BETWEEN 0 AND 16000")
        add("UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT WHERE Z_ENT < 0")
        for table in schemas.new.tables {
            guard let number = schemas.new.schema(of: table.root)?.number else { continue }
            add(
                """
                UPDATE Z_PRIMARYKEY SET Z_MAX = max(Z_MAX, coalesce((SELECT max(Z_PK) FROM \(table.identifier)), 0)) \
                WHERE Z_ENT = \(number)
                """)
        }
    }

    /// Returns the root of the old tree that a new tree comes from. Its keys continue from there.
    private func oldRoot(of root: Entity) -> Entity? {
        schemas.family(of: root).lazy.compactMap { schemas.mapping.source(of: $0)?.root }.first
    }
}
