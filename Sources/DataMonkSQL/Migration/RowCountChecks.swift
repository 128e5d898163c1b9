import DataMonkCore

/// **Value.** Counts that verify that every row and every link came through the migration.
struct RowCountChecks {
    private(set) var tallies: [MigrationScript.Tally] = []
    /// The schemas with the old tables under their old names, as before the migration.
    private let before: MigrationSchemas

    init(_ planner: MigrationPlanner) {
        var before = planner.schemas
        before.parkedNames = [:]
        self.before = before
        for migration in planner.rebuiltTables { addRows(of: migration) }
        for migration in planner.rebuiltTables { addKeys(of: migration) }
        for migration in planner.rebuiltJoins { addLinks(of: migration) }
    }

    private mutating func addRows(of migration: TableMigration) {
        guard let source = migration.source else { return }
        for number in migration.numbers {
            guard let entity = before.new.numbering.entity(numbered: number.new) else { continue }
            tallies.append(
                MigrationScript.Tally(
                    subject: "the objects of \(entity.name)",
                    before: "SELECT count(*) FROM \(source.identifier) WHERE Z_ENT = \(number.old)",
                    after: "SELECT count(*) FROM \(migration.table.identifier) WHERE Z_ENT = \(number.new)"))
        }
    }

    /// Counts dangling keys: a store may contain some, but the migration must not add any.
    private mutating func addKeys(of migration: TableMigration) {
        guard let source = migration.source else { return }
        for entity in before.family(of: migration.table.root) {
            guard let schema = before.new.schema(of: entity), let past = before.source(of: entity) else { continue }
            for relationship in entity.relationships {
                guard let old = before.mapping.source(of: relationship, in: entity),
                    case .toOne(let storage) = schema.storage[relationship.slot],
                    case .toOne(let oldStorage) = past.storage[old.slot],
                    let after = Self.dangling(
                        migration.table, number: schema.number, storage: storage, schema: before.new),
                    let before = Self.dangling(source, number: past.number, storage: oldStorage, schema: before.old)
                else { continue }
                tallies.append(
                    MigrationScript.Tally(
                        subject: "the links of \(entity.name).\(relationship.name)", before: before, after: after,
                        mayShrink: true))
            }
        }
    }

    private static func dangling(
        _ table: TableSchema, number: Int, storage: ToOneStorage, schema: StoreSchema
    ) -> String? {
        guard let target = schema.schema(of: storage.relationship.destination) else { return nil }
        let key = "t.\(storage.column.identifier)"
        let entity =
            storage.entityColumn.map { "d.Z_ENT = t.\($0.identifier)" }
            ?? "d.Z_ENT BETWEEN \(target.familyNumbers.lowerBound) AND \(target.familyNumbers.upperBound)"
        return """
            SELECT count(*) FROM \(table.identifier) t WHERE t.Z_ENT = \(number) AND \(key) IS NOT NULL \
            AND NOT EXISTS (SELECT 1 FROM \(target.table.identifier) d WHERE d.Z_PK = \(key) AND \(entity))
            """
    }

    private mutating func addLinks(of migration: JoinTableMigration) {
        guard let count = migration.countBefore(before) else { return }
        let name = SQLIdentifier.quotedIfNeeded(migration.table.name)
        let relationship = migration.table.relationship
        tallies.append(
            MigrationScript.Tally(
                subject: "the links of \(relationship.entity.name).\(relationship.name)", before: count,
                after: "SELECT count(*) FROM \(name)"))
    }
}
