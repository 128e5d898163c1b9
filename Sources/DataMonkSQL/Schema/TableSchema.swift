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
    package var createStatement: String {
        "CREATE TABLE \(identifier) ( \(columns.map(\.definition).joined(separator: ", ")) )"
    }

    /// Returns the name of a root entity's table.
    static func name(of root: Entity) -> String { "Z\(SQLIdentifier.folded(root.name))" }
}
