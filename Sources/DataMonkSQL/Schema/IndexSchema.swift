/// **Value.** An index of the store.
package struct IndexSchema: Sendable, Hashable {
    /// The name, as in the store.
    package let name: String
    /// The name of the table, as in the store.
    package let tableName: String
    /// A Boolean value indicating whether the index is unique.
    package let isUnique: Bool
    /// The columns with direction and collation, as in the statement.
    package let columns: [String]
    /// For a partial index, the condition for its rows.
    package let condition: String?

    /// The statement that creates the index.
    package var createStatement: String {
        """
        CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLIdentifier.quotedIfNeeded(name)) ON \
        \(SQLIdentifier.quotedIfNeeded(tableName)) (\(columns.joined(separator: ", ")))\
        \(condition.map { " WHERE \($0)" } ?? "")
        """
    }
}
