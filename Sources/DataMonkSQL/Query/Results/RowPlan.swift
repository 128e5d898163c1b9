package import DataMonkCore

/// **Value.** What the columns of a SELECT for whole rows mean, and where a row reader puts them.
///
/// ```
/// column   0     1       2       3 …
///          Z_PK  Z_ENT   Z_OPT   the fetched entity's own and inherited properties in slot order, then those that its
///                                sub-entities add, sub-entity after sub-entity
/// ```
/// `Z_ENT` is there only where the table holds several entities. A to-one takes one column, or two where its destination
/// has sub-entities: the key, then the entity number. To-manys and transient properties take none.
package struct RowPlan: Sendable {
    /// Where the keys are.
    package let key: KeyPlan
    /// The position of the version, `Z_OPT`.
    package let versionColumn: Int
    /// How to read a row, by the position of its entity among `key.entities`.
    package let entities: [EntityPlan]
    /// The columns behind the version, in order.
    let names: [String]

    /// How many columns a row has: the position of a column that a statement adds.
    package var columnCount: Int { versionColumn + 1 + names.count }

    /// **Value.** How to read a row of one entity.
    package struct EntityPlan: Sendable {
        package let entity: Entity
        /// Its properties that have a column, in slot order.
        package let columns: [RowColumn]
    }
}

/// **Value.** One property in a row of a SELECT.
package struct RowColumn: Sendable {
    /// **Value.** How the property's value lies in the database.
    package enum Kind: Sendable {
        /// INTEGER: integers and booleans.
        case integer
        /// REAL, or INTEGER for a whole number: doubles, floats, and dates as seconds since 2001.
        case real
        /// REAL or INTEGER; or TEXT where it is longer than a double.
        case decimal
        /// TEXT: strings and URLs.
        case text
        /// BLOB: data and transformable values.
        case blob
        /// BLOB of 16 bytes.
        case uuid
        /// BLOB with a first byte that says whether the data follows or the name of a file.
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
    /// Whether values may lie in files of their own.
    package var isExternalData: Bool { if case .externalData = self { true } else { false } }

    /// The kind of an attribute's column.
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

/// **Value.** Where a result has the key of an object: the primary key in column 0, and the entity.
package struct KeyPlan: Sendable {
    /// The position of the entity number, nil where every row is of the one entity.
    package let entityColumn: Int?
    /// The entities that rows can be of, with their numbers in the database.
    package let entities: [(number: Int, entity: Entity)]

    /// The position among `entities` of a number in the database, nil for a number that should not be there.
    @inlinable
    package func position(ofNumber number: Int) -> Int? {
        // Few, and nearly always the one before.
        entities.firstIndex { $0.number == number }
    }
}
