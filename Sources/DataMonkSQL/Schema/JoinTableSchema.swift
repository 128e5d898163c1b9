package import DataMonkCore

/// **Value.** The table of a many-to-many relationship.
///
/// ```
/// Z_1FAVORITES ( Z_1FAVORITEFOLDERS, Z_1FAVORITES, Z_FOK_1FAVORITES )
///      |            |                  |              place of an element of favorites
///      |            |                  an element: entity 1, an element of favorites
///      |            the owner: entity 1, an element of favoriteFolders
///      the relationship that gives the table its name
/// ```
/// A column is named for the entity it points to and for the relationship whose elements it holds.
package struct JoinTableSchema: Sendable, Hashable {
    /// The name, as the store has it.
    package let name: String
    /// The relationship that gives the table its name.
    package let relationship: Entity.Relationship
    /// Holds the keys of that relationship's owners.
    package let sourceColumn: String
    /// Holds the keys of its elements.
    package let destinationColumn: String
    /// Holds the owner's place among the elements of the inverse, if that is ordered.
    package let sourceOrderColumn: String?
    /// Holds the element's place, if the relationship is ordered.
    package let destinationOrderColumn: String?

    /// The statement that creates the table.
    package var createStatement: String {
        let definitions = columns.map { "\(SQLIdentifier.quotedIfNeeded($0)) INTEGER" }.joined(separator: ", ")
        return """
            CREATE TABLE \(SQLIdentifier.quotedIfNeeded(name)) ( \(definitions), PRIMARY KEY (\
            \(SQLIdentifier.quotedIfNeeded(sourceColumn)), \(SQLIdentifier.quotedIfNeeded(destinationColumn))) )
            """
    }

    /// The index that finds owners by element.
    package var index: IndexSchema {
        IndexSchema(
            name: "\(name)_\(destinationColumn)_INDEX", tableName: name, isUnique: false,
            columns: [destinationColumn, sourceColumn].map { SQLIdentifier.quotedIfNeeded($0) })
    }

    /// The table as a file has it, where that names a column with other digits: Core Data numbers columns anew when it makes
    /// a table, and leaves them as they are when the entity gets a property by ALTER TABLE. Where the table has exactly one
    /// other column of the same stem, that is the one.
    ///
    /// - Parameter columns: the names of the columns in the file.
    func fitting(_ columns: [String]) -> JoinTableSchema {
        let expected = Set(self.columns)
        let strange = columns.filter { !expected.contains($0) }
        func found(_ name: String) -> String {
            if columns.contains(name) { return name }
            let candidates = strange.filter { Self.stem(of: $0) == Self.stem(of: name) }
            return candidates.count == 1 ? candidates[0] : name
        }
        return JoinTableSchema(
            name: name, relationship: relationship, sourceColumn: found(sourceColumn),
            destinationColumn: found(destinationColumn), sourceOrderColumn: sourceOrderColumn.map(found),
            destinationOrderColumn: destinationOrderColumn.map(found))
    }

    private static func stem(of column: String) -> String {
        SQLIdentifier.folded(column.filter { !("0"..."9").contains($0) })
    }

    /// The names of the columns, in their order.
    package var columns: [String] {
        [sourceColumn, destinationColumn, sourceOrderColumn, destinationOrderColumn].compactMap(\.self)
    }

    /// How one side of the relationship sees the table.
    func storage(of side: Entity.Relationship) -> ManyToManyStorage {
        side == relationship
            ? ManyToManyStorage(
                relationship: side, table: self, sourceColumn: sourceColumn, destinationColumn: destinationColumn,
                orderColumn: destinationOrderColumn)
            : ManyToManyStorage(
                relationship: side, table: self, sourceColumn: destinationColumn, destinationColumn: sourceColumn,
                orderColumn: sourceOrderColumn)
    }
}
