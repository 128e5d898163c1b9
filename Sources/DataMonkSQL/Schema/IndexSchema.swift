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
    /// Of a partial index: which rows are in it.
    package let condition: String?

    init(name: String, tableName: String, isUnique: Bool, columns: [String], condition: String? = nil) {
        self.name = name
        self.tableName = tableName
        self.isUnique = isUnique
        self.columns = columns
        self.condition = condition
    }

    /// The statement that creates the index.
    package var createStatement: String {
        """
        CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLIdentifier.quotedIfNeeded(name)) ON \
        \(SQLIdentifier.quotedIfNeeded(tableName)) (\(columns.joined(separator: ", ")))\
        \(condition.map { " WHERE \($0)" } ?? "")
        """
    }
}
