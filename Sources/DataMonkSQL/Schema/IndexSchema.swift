/// **Value.** An index of the store.
package struct IndexSchema: Sendable, Hashable {
    /// **Value.** A uniqueness constraint that an index keeps.
    package struct Constraint: Sendable, Hashable {
        /// The name of the entity that declares it.
        package let entityName: String
        /// The names of the properties.
        package let properties: [String]
    }

    /// The name, as in the store.
    package internal(set) var name: String
    /// The name of the table, as in the store.
    package let tableName: String
    /// The constraint that the index keeps, or `nil` if it is not unique.
    package let constraint: Constraint?
    /// The columns with direction and collation, as in the statement.
    package let columns: [String]
    /// For a partial index, the condition for its rows.
    package let condition: String?

    /// A Boolean value indicating whether the index is unique.
    package var isUnique: Bool { constraint != nil }

    /// The statement that creates the index.
    package var createStatement: String {
        """
        CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLIdentifier.quotedIfNeeded(name)) ON \
        \(SQLIdentifier.quotedIfNeeded(tableName)) (\(columns.joined(separator: ", ")))\
        \(condition.map { " WHERE \($0)" } ?? "")
        """
    }
}
