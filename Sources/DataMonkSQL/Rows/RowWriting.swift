package import DataMonkCore

/// **Value.** The statements that write rows of one entity, and the parameters of each slot.
///
///     INSERT INTO ZPERSON(Z_PK, Z_ENT, Z_OPT, ZAGE, ZFRIEND, ZNAME) VALUES(?, ?, ?, ?, ?, ?)
///     UPDATE ZPERSON SET Z_OPT = ?, ZAGE = ? WHERE Z_PK = ? AND Z_OPT = ?
///     DELETE FROM ZPERSON WHERE Z_PK = ? AND Z_OPT = ?
package struct RowWriting: Sendable {
    /// **Value.** A property that is written.
    package struct Column: Sendable {
        package let property: Entity.Property
        package let stored: StoredColumn
        /// The names of its columns.
        package let names: [String]

        package var slot: Int { Int(stored.slot) }
    }

    package let tableName: String
    package let entityNumber: Int
    /// The properties that are written, in slot order: all stored ones except those written by triggers.
    package let columns: [Column]

    package init(_ schema: EntitySchema) {
        tableName = schema.table.identifier
        entityNumber = schema.number
        columns = schema.entity.properties.compactMap { property in
            if property.attribute?.isDerivedFromOthers == true { return nil }
            let storage = schema.storage[property.slot]
            return StoredColumn(property: property, storage: storage).map {
                Column(property: property, stored: $0, names: storage.columns.map(\.identifier))
            }
        }
    }

    package var insert: String {
        let names = ["Z_PK", "Z_ENT", "Z_OPT"] + columns.flatMap(\.names)
        let marks = Array(repeating: "?", count: names.count).joined(separator: ", ")
        return "INSERT INTO \(tableName)(\(names.joined(separator: ", "))) VALUES(\(marks))"
    }

    /// Returns the statement that writes the given columns of a row if its version is the expected one.
    package func update(_ columns: [Column]) -> String {
        let settings = (["Z_OPT"] + columns.flatMap(\.names)).map { "\($0) = ?" }.joined(separator: ", ")
        return "UPDATE \(tableName) SET \(settings) WHERE Z_PK = ? AND Z_OPT = ?"
    }

    package var delete: String { "DELETE FROM \(tableName) WHERE Z_PK = ? AND Z_OPT = ?" }

    /// Deletes the rows of a range of keys that a function of the connection says are due, whatever their entity.
    package var deleteRange: String {
        "DELETE FROM \(tableName) WHERE Z_PK BETWEEN ? AND ? AND datamonk_isDue(Z_PK, Z_OPT)"
    }

    /// Deletes a row whatever its version, for an object that was never read.
    package var deleteAnyVersion: String { "DELETE FROM \(tableName) WHERE Z_PK = ?" }
}
