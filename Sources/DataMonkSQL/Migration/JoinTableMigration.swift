import DataMonkCore

/// **Value.** The migration of links into the table of a many-to-many relationship: from pairs, or from keys stored at one
/// of the ends.
struct JoinTableMigration {
    let table: JoinTableSchema
    /// The names of the old tables that the links come from.
    let sources: [String]
    /// A Boolean value indicating whether the old table can stay unchanged.
    let canStay: Bool

    private let parts: [LinkRows]

    init(of table: JoinTableSchema, in schemas: MigrationSchemas) {
        self.table = table
        parts = LinkRows.all(of: table.relationship, schemas)
        sources = parts.map(\.tableName)
        canStay = Self.canStay(table, parts: parts, schemas: schemas)
    }

    private static func canStay(
        _ table: JoinTableSchema, parts: [LinkRows], schemas: MigrationSchemas
    ) -> Bool {
        guard parts.count == 1, let part = parts.first, part.isWhole,
            case .manyToMany(let old) = schemas.oldStorage(of: part.relationship)
        else { return false }
        return old.table.createStatement == table.createStatement && part.owner == table.sourceColumn
    }

    // MARK: Statements

    /// Returns the statements that copy the links from the parked old tables.
    func copies(_ schemas: MigrationSchemas) -> [MigrationScript.Statement] {
        let isOrdered = table.destinationOrderColumn != nil || table.sourceOrderColumn != nil
        let groups = parts.isEmpty ? [] : isOrdered ? [parts] : parts.map { [$0] }
        return groups.map { parts in
            MigrationScript.Statement(
                sql: copy(parts, in: schemas), entityName: table.relationship.entity.name,
                weighingTable: parts[0].tableName)
        }
    }

    private func copy(_ parts: [LinkRows], in schemas: MigrationSchemas) -> String {
        let isOne = parts.count == 1
        var columns = [table.sourceColumn, table.destinationColumn]
        var values = ["owner", "element"]
        // Orders of several old relationships become one, and so do their positions.
        if let column = table.destinationOrderColumn {
            columns.append(column)
            let isKnown = isOne && parts[0].order != nil
            values.append(isKnown ? "rank" : LinkOrder.expression(partition: "owner", order: "rank, element"))
        }
        if let column = table.sourceOrderColumn {
            columns.append(column)
            let isKnown = isOne && parts[0].inverseOrder != nil
            values.append(
                isKnown ? "inverse_rank" : LinkOrder.expression(partition: "element", order: "inverse_rank, owner"))
        }
        let links = parts.map { $0.ranked(schemas) }.joined(separator: " UNION ALL ")
        return """
            INSERT OR IGNORE INTO \(SQLIdentifier.quotedIfNeeded(table.name))\
            (\(columns.map(SQLIdentifier.quotedIfNeeded).joined(separator: ", "))) \
            SELECT \(values.joined(separator: ", ")) FROM (\(links))
            """
    }

    /// Returns a query for the number of links if they come from a single old relationship. Links of several relationships
    /// may coincide.
    func countBefore(_ schemas: MigrationSchemas) -> String? {
        parts.count == 1 ? parts[0].count(schemas) : nil
    }
}
