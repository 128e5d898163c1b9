/// **Value.** What a store's file has in fact: one that other frameworks wrote or migrated has more than its model asks for,
/// or the same under other names.
package struct PhysicalSchema: Sendable {
    /// The names of each table's columns, in capitals.
    package var columns: [String: Set<String>]
    /// The names of the indexes.
    package var indexes: Set<String>

    package init(columns: [String: Set<String>], indexes: Set<String>) {
        self.columns = columns
        self.indexes = indexes
    }
}
