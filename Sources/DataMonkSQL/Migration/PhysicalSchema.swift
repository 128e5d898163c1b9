/// **Value.** The actual columns and indexes of a store's file. A file written or migrated by another framework may have
/// more than its model requires, or the same under other names.
package struct PhysicalSchema: Sendable {
    /// The names of each table's columns, in uppercase.
    package var columns: [String: Set<String>]
    /// The names of the indexes.
    package var indexes: Set<String>

    package init(columns: [String: Set<String>], indexes: Set<String>) {
        self.columns = columns
        self.indexes = indexes
    }
}
