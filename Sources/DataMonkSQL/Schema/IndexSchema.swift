/// **Value.** An index of the store.
package struct IndexSchema: Sendable, Hashable {
    /// The name, as the store has it.
    package let name: String
    /// The name of the table, as the store has it.
    package let tableName: String
    /// Whether no two rows may be equal in it.
    package let isUnique: Bool
    /// The columns with direction and collation, as the statement has them.
    package let columns: [String]

    /// The statement that creates the index.
    package var createStatement: String {
        """
        CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLIdentifier.quotedIfNeeded(name)) ON \
        \(SQLIdentifier.quotedIfNeeded(tableName)) (\(columns.joined(separator: ", ")))
        """
    }
}
