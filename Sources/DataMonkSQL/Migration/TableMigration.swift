import DataMonkCore

/// **Value.** The migration of rows from an old table to a new one.
struct TableMigration {
    let table: TableSchema
    /// The old table; `nil` if every entity of the new one is new to the store.
    let source: TableSchema?
    /// The numbers of the entities whose rows are copied.
    let numbers: [(old: Int, new: Int)]
    /// A Boolean value indicating whether every row of the old table goes into this one.
    let takesAllRows: Bool
    /// A Boolean value indicating whether values are computed from the old rows, which must stay beside the new ones.
    private let isComputed: Bool
    /// The filling of each column, in the order of the table's columns.
    let fillings: [ColumnSource]
    /// The columns of derived attributes whose values are computed from the new rows.
    private let rederived: [ColumnSchema]

    init(of table: TableSchema, in schemas: MigrationSchemas) {
        self.table = table
        let family = schemas.family(of: table.root)
        let sources = family.compactMap { entity in schemas.source(of: entity).map { (entity, $0) } }
        // They all belong to one tree; the mapping has ensured that.
        let source = sources.first?.1.table
        self.source = source
        rederived = family.flatMap { entity in
            schemas.mapping.rederivations(of: entity).compactMap { part in
                schemas.new.schema(of: entity)?.column(of: part.attribute)
            }
        }
        isComputed = sources.contains { !schemas.mapping.computations(of: $0.0).isEmpty }
        numbers = sources.compactMap { _, source in
            schemas.destination(of: source.entity).map { (old: source.number, new: $0.number) }
        }
        guard let source else {
            takesAllRows = false
            fillings = table.columns.map { _ in .null }
            return
        }
        takesAllRows = numbers.count == schemas.oldFamily(of: source.root).count
        let columns = TableColumnSources(of: table, from: source, in: schemas)
        let isRenumbered = numbers.contains { $0.old != $0.new }
        let oldNumbers = numbers.map(\.old)
        let users = schemas.index.users[source.name] ?? [:]
        let entityNumber =
            isRenumbered
            ? ColumnSource.entityNumber(numbers, taken: family.compactMap { schemas.new.schema(of: $0)?.number })
            : .column("Z_ENT")
        fillings = table.columns.map { column in
            switch column.kind {
            case .primaryKey, .version: .column(column.name)
            case .entity: entityNumber
            case .value, .toOne, .toOneEntity, .order:
                ColumnSource.combined(columns.byColumn[column.name] ?? [:], numbers: oldNumbers) {
                    users[$0] ?? []
                }
            }
        }
    }

    /// Returns `true` if the old table can stay and get what it lacks.
    func canStay(_ physical: PhysicalSchema) -> Bool {
        guard let source, source.name == table.name, takesAllRows, !isComputed,
            numbers.allSatisfy({ $0.old == $0.new }), source.columns.allSatisfy(table.columns.contains),
            !fillings.contains(where: \.isNumbered),
            // Frameworks before 2017 wrote uniqueness into CREATE TABLE, where it cannot be removed.
            source.indexes.allSatisfy({ !$0.isUnique || table.indexes.contains($0) }), !writesUniqueValues
        else { return false }
        let present = physical.columns[source.name] ?? []
        return addedColumns.allSatisfy { !present.contains($0.name.uppercased()) }
    }

    /// A Boolean value indicating whether values change that a unique index has. One that has another row's former value would
    /// be refused, so the rows are copied into a table that gets its indexes at the end.
    private var writesUniqueValues: Bool {
        let written = changes.map(\.column) + rederived
        return table.indexes.contains { index in
            index.isUnique && index.columns.contains { key in written.contains { key.hasPrefix($0.identifier + " ") } }
        }
    }

    var addedColumns: [ColumnSchema] {
        table.columns.filter { source?.columns.contains($0) != true }
    }

    /// The columns of a staying table whose values change.
    private var changes: [(column: ColumnSchema, filling: ColumnSource)] {
        let added = Set(addedColumns)
        return zip(table.columns, fillings).filter { column, filling in
            filling != (added.contains(column) ? .null : .column(column.name))
        }.map { (column: $0, filling: $1) }
    }

    // MARK: Statements

    /// The statements that change a staying table; empty if nothing changes.
    var alterations: [MigrationScript.Statement] {
        var statements = addedColumns.map {
            MigrationScript.Statement(sql: "ALTER TABLE \(table.identifier) ADD COLUMN \($0.definition)")
        }
        let changes = changes
        guard !changes.isEmpty else { return statements }
        var text = SQLText(compiled: "UPDATE \(table.identifier) SET ")
        for (place, change) in changes.enumerated() {
            text.append(compiled: "\(place == 0 ? "" : ", ")\(change.column.identifier) = ")
            text.append(change.filling.text)
        }
        // Rows that already have the values are not written.
        for (place, change) in changes.enumerated() {
            text.append(compiled: "\(place == 0 ? " WHERE " : " OR ")\(change.column.identifier) IS NOT (")
            text.append(change.filling.text)
            text.append(")")
        }
        statements.append(statement(text))
        return statements
    }

    /// Returns the statement that copies the rows from the parked old table.
    func copy(_ schemas: MigrationSchemas) -> MigrationScript.Statement? {
        guard let source else { return nil }
        let names = table.columns.map(\.identifier).joined(separator: ", ")
        var text = SQLText(compiled: "INSERT INTO \(table.identifier)(\(names)) SELECT ")
        for (place, filling) in fillings.enumerated() {
            if place > 0 { text.append(", ") }
            text.append(filling.text)
        }
        text.append(compiled: " FROM \(schemas.identifier(ofOldTable: source.name))")
        if !takesAllRows {
            let kept = numbers.map { String($0.old) }.joined(separator: ", ")
            text.append(compiled: " WHERE Z_ENT IN (\(kept))")
        }
        return statement(text)
    }

    private func statement(_ text: SQLText) -> MigrationScript.Statement {
        MigrationScript.Statement(
            sql: text.text, bindings: text.bindings, entityName: table.root.name, weighingTable: source?.name)
    }
}
