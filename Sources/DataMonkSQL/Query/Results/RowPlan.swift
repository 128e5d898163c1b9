package import DataMonkCore

/// **Value.** The meaning of the columns of a SELECT for whole rows, and their destinations in a row.
///
/// ```
/// column   0     1       2       3 …
///          Z_PK  Z_ENT   Z_OPT   the fetched entity's own and inherited properties in slot order, then those that its
///                                sub-entities add, sub-entity after sub-entity
/// ```
/// `Z_ENT` is present only if the table contains several entities. A to-one takes one column, or two if its destination has
/// sub-entities: the key, then the entity number. To-manys and transient properties take none.
package struct RowPlan: Sendable {
    /// The columns of the keys.
    package let key: KeyPlan
    /// The position of the version, `Z_OPT`.
    package let versionColumn: Int
    /// The columns of each entity, by the position of the entity among `key.entities`.
    package let entities: [EntityPlan]
    /// The columns after the version, in order.
    let names: [String]

    /// The number of columns in a row, which is the position of the first column that a statement adds.
    package var columnCount: Int { versionColumn + 1 + names.count }

    /// **Value.** The columns of a row of one entity.
    package struct EntityPlan: Sendable {
        package let entity: Entity
        /// The entity's properties that have a column, in slot order.
        package let columns: [RowColumn]
    }
}

/// **Value.** One property in a row of a SELECT.
package struct RowColumn: Sendable {
    /// **Value.** The form of the property's value in the database.
    package enum Kind: Sendable {
        /// INTEGER: integers and booleans.
        case integer
        /// REAL, or INTEGER for an integral number: doubles, floats, and dates as seconds since 2001.
        case real
        /// REAL or INTEGER, or TEXT if it has more digits than a double.
        case decimal
        /// TEXT: strings and URLs.
        case text
        /// BLOB: data and transformable values.
        case blob
        /// BLOB of 16 bytes.
        case uuid
        /// BLOB whose first byte tells whether the data follows or the name of a file.
        case externalData
        /// The elements of a composite attribute, one column each, from `position` on.
        case composite(Entity.Attribute)
        /// The primary key of an object of the entity, or of the entity whose number is in the column `entityColumn`.
        case toOne(Entity, entityColumn: Int?)
    }

    /// The property's slot in a row.
    package let slot: Int
    /// The column's position in the result.
    package let position: Int
    package let kind: Kind

    package init(slot: Int, position: Int, kind: Kind) {
        self.slot = slot
        self.position = position
        self.kind = kind
    }
}

extension RowColumn.Kind {
    /// A Boolean value indicating whether values may be stored in separate files.
    package var isExternalData: Bool { if case .externalData = self { true } else { false } }

    /// Creates the kind of an attribute's column.
    package init(_ attribute: Entity.Attribute) {
        switch attribute.type {
        case .integer16, .integer32, .integer64, .boolean: self = .integer
        case .double, .float, .date: self = .real
        case .decimal: self = .decimal
        case .string, .uri: self = .text
        case .uuid: self = .uuid
        case .binary: self = attribute.description.allowsExternalBinaryDataStorage ? .externalData : .blob
        case .undefined, .transformable, .objectID, .composite: self = .blob
        }
    }
}

/// **Value.** The columns of an object's key in a result: the primary key in column 0, and the entity.
package struct KeyPlan: Sendable {
    /// The position of the entity number; `nil` if all rows are of one entity.
    package let entityColumn: Int?
    /// The entities that rows may belong to, with their numbers in the database.
    package let entities: [(number: Int, entity: Entity)]

    /// Returns the position among `entities` of a number in the database, or `nil` for an unexpected number.
    @inlinable
    package func position(ofNumber number: Int) -> Int? {
        // A linear search: there are few entities, and a row's is nearly always that of the row before.
        entities.firstIndex { $0.number == number }
    }
}
