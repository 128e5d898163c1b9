/// **Value.** The statements that write the links of one to-many relationship.
package struct LinkWriting: Sendable {
    /// Adds a link: owner, destination. `nil` if the to-one side is stored instead.
    package let insert: String?
    /// Removes a link: owner, destination.
    package let delete: String?
    /// Removes all links of a deleted object: the object.
    package let deleteAll: String?
    /// Sets the position of an element: order key, owner, destination. `nil` if the relationship is unordered.
    package let setOrder: String?
    /// Selects the largest order key of an owner's elements.
    package let lastOrder: String?

    /// The order key of the first element, and the distance between two. The gaps leave room for insertions.
    package static let firstOrderKey: Int64 = 2_048
    package static let orderKeyStep: Int64 = 1_024

    /// Returns `nil` for a relationship that is not stored.
    package init?(_ storage: PropertyStorage) {
        switch storage {
        case .manyToMany(let storage):
            let table = SQLIdentifier.quotedIfNeeded(storage.table.name)
            let source = SQLIdentifier.quotedIfNeeded(storage.sourceColumn)
            let destination = SQLIdentifier.quotedIfNeeded(storage.destinationColumn)
            let order = storage.orderColumn.map { SQLIdentifier.quotedIfNeeded($0) }
            insert = "INSERT OR IGNORE INTO \(table)(\(source), \(destination)) VALUES(?, ?)"
            delete = "DELETE FROM \(table) WHERE \(source) = ? AND \(destination) = ?"
            deleteAll = "DELETE FROM \(table) WHERE \(source) = ?"
            setOrder = order.map { "UPDATE \(table) SET \($0) = ? WHERE \(source) = ? AND \(destination) = ?" }
            lastOrder = order.map { "SELECT max(\($0)) FROM \(table) WHERE \(source) = ?" }
        case .toMany(let storage):
            let table = SQLIdentifier.quotedIfNeeded(storage.tableName)
            let key = storage.column.identifier
            let order = storage.orderColumn?.identifier
            // With an inverse, the to-one slots of the other side are stored.
            let isOwn = !storage.isStoredByInverse
            insert = isOwn ? "UPDATE \(table) SET \(key) = ? WHERE Z_PK = ?" : nil
            delete = isOwn ? "UPDATE \(table) SET \(key) = NULL WHERE \(key) = ? AND Z_PK = ?" : nil
            deleteAll = isOwn ? "UPDATE \(table) SET \(key) = NULL WHERE \(key) = ?" : nil
            setOrder = order.map { "UPDATE \(table) SET \($0) = ? WHERE \(key) = ? AND Z_PK = ?" }
            lastOrder = order.map { "SELECT max(\($0)) FROM \(table) WHERE \(key) = ?" }
        case .none, .value, .composite, .toOne:
            return nil
        }
    }
}
