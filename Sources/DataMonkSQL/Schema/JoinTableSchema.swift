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
        let columns = [sourceColumn, destinationColumn, sourceOrderColumn, destinationOrderColumn].compactMap(\.self)
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
