package import DataMonkCore

/// **Value.** The table of a many-to-many relationship.
///
/// ```
/// Z_1FAVORITES ( Z_1FAVORITEFOLDERS, Z_1FAVORITES, Z_FOK_1FAVORITES )
///      |            |                  |              position of an element of favorites
///      |            |                  an element: entity 1, an element of favorites
///      |            the owner: entity 1, an element of favoriteFolders
///      the relationship that gives the table its name
/// ```
/// A column is named after the entity it refers to and the relationship whose elements it contains.
package struct JoinTableSchema: Sendable, Hashable {
    /// The name, as in the store.
    package let name: String
    /// The relationship that gives the table its name.
    package let relationship: Entity.Relationship
    /// The column with the keys of that relationship's owners.
    package let sourceColumn: String
    /// The column with the keys of its elements.
    package let destinationColumn: String
    /// The column with the owner's position among the elements of the inverse, if that is ordered.
    package let sourceOrderColumn: String?
    /// The column with the element's position, if the relationship is ordered.
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
            name: "\(name)_\(destinationColumn)_INDEX", tableName: name, constraint: nil,
            columns: [destinationColumn, sourceColumn].map { SQLIdentifier.quotedIfNeeded($0) }, condition: nil)
    }

    /// Returns the table as found in a file whose column names have other digits. Core Data numbers columns anew when it
    /// creates a table, but leaves them as they are when the entity gets a property by ALTER TABLE. If the table has exactly
    /// one other column with the same stem, that is the one.
    ///
    /// - Parameter columns: The names of the columns in the file.
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

    /// The names of the columns, in order.
    package var columns: [String] {
        [sourceColumn, destinationColumn, sourceOrderColumn, destinationOrderColumn].compactMap(\.self)
    }

    /// Returns the storage as seen from one side of the relationship.
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
