import DataMonkCore

/// **Value.** The statements that write rows of one entity, and the parameters of each slot.
///
///     INSERT INTO ZPERSON(Z_PK, Z_ENT, Z_OPT, ZAGE, ZFRIEND, ZNAME) VALUES(?, ?, ?, ?, ?, ?)
///     UPDATE ZPERSON SET Z_OPT = ?, ZAGE = ? WHERE Z_PK = ? AND Z_OPT = ?
///     DELETE FROM ZPERSON WHERE Z_PK = ? AND Z_OPT = ?
package struct RowWriting: Sendable {
    /// **Value.** A slot and its columns.
    package struct Column: Sendable {
        package let slot: Int
        package let name: String
        package let kind: RowColumn.Kind
        /// For a to-one whose destination has sub-entities, the column with the destination's entity number.
        package let entityColumnName: String?

        /// For a composite attribute, the columns of its elements after the first.
        package let elementNames: [String]
        /// The number of parameters.
        package let width: Int

        init(
            slot: Int, name: String, kind: RowColumn.Kind, entityColumnName: String? = nil, elementNames: [String] = []
        ) {
            self.slot = slot
            self.name = name
            self.kind = kind
            self.entityColumnName = entityColumnName
            self.elementNames = elementNames
            width = 1 + (entityColumnName == nil ? 0 : 1) + elementNames.count
        }
    }

    package let tableName: String
    package let entityNumber: Int
    /// The properties that are written, in slot order: all stored ones except those written by triggers.
    package let columns: [Column]

    package init(_ schema: EntitySchema) {
        tableName = schema.table.identifier
        entityNumber = schema.number
        columns = schema.entity.properties.compactMap { property in
            switch (property, schema.storage[property.slot]) {
            case (.attribute(let attribute), .value(let column)) where !attribute.isDerivedFromOthers:
                Column(
                    slot: attribute.slot, name: column.identifier, kind: RowColumn.Kind(attribute),
                    entityColumnName: nil)
            case (.attribute(let attribute), .composite(let columns)):
                columns.first.map { first in
                    Column(
                        slot: attribute.slot, name: first.identifier, kind: .composite(attribute),
                        elementNames: columns.dropFirst().map(\.identifier))
                }
            case (_, .toOne(let storage)):
                Column(
                    slot: property.slot, name: storage.column.identifier,
                    kind: .toOne(storage.relationship.destination, entityColumn: nil),
                    entityColumnName: storage.entityColumn?.identifier)
            default: nil
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

    /// Deletes a row whatever its version, for an object that was never read.
    package var deleteAnyVersion: String { "DELETE FROM \(tableName) WHERE Z_PK = ?" }
}

extension RowWriting.Column {
    var names: [String] { [name] + (entityColumnName.map { [$0] } ?? []) + elementNames }
}
