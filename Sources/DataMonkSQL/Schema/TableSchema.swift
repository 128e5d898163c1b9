package import DataMonkCore

/// **Value.** The table of a root entity and all of its sub-entities.
package struct TableSchema: Sendable {
    /// The name, as in the store.
    package let name: String
    package let root: Entity
    /// The columns in the order of creation, beginning with `Z_PK`, `Z_ENT` and `Z_OPT`. A store that was migrated in place
    /// has another order: read columns by name.
    package let columns: [ColumnSchema]
    /// The indexes, in the order of creation.
    package let indexes: [IndexSchema]

    /// The name, quoted for statements.
    package var identifier: String { SQLIdentifier.quotedIfNeeded(name) }

    /// The statement that creates the table.
    package var createStatement: String { statementParts.joined() }

    private var statementParts: [String] {
        var parts = ["CREATE TABLE ", identifier]
        parts.reserveCapacity(3 + 4 * columns.count)
        var separator = " ( "
        for column in columns {
            parts.append(separator)
            parts.append(column.identifier)
            parts.append(" ")
            parts.append(column.declaredType)
            separator = ", "
        }
        parts.append(" )")
        return parts
    }

    /// Returns `true` if a statement is the one that creates the table, byte by byte. Equal texts may have different bytes.
    func isMade(by statement: String) -> Bool {
        let bytes = Array(statement.utf8)
        var place = 0
        for part in statementParts {
            for byte in part.utf8 {
                guard place < bytes.count, bytes[place] == byte else { return false }
                place += 1
            }
        }
        return place == bytes.count
    }

    /// Returns the name of a root entity's table.
    static func name(of root: Entity) -> String { "Z\(SQLIdentifier.folded(root.name))" }
}
