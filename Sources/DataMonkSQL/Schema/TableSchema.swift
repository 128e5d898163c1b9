package import DataMonkCore

/// **Value.** The table of a root entity and of everything that inherits from it.
package struct TableSchema: Sendable {
    /// The name, as the store has it.
    package let name: String
    /// The entity at the top.
    package let root: Entity
    /// The columns in the order of creation, `Z_PK`, `Z_ENT` and `Z_OPT` first. A store that was migrated in place has
    /// another order: read columns by name.
    package let columns: [ColumnSchema]
    /// The indexes in the order of creation.
    package let indexes: [IndexSchema]

    /// The name as statements need it.
    package var identifier: String { SQLIdentifier.quotedIfNeeded(name) }

    /// The statement that creates the table.
    package var createStatement: String {
        "CREATE TABLE \(identifier) ( \(columns.map(\.definition).joined(separator: ", ")) )"
    }

    /// The name of the table of a root entity.
    static func name(of root: Entity) -> String { "Z\(SQLIdentifier.folded(root.name))" }
}
