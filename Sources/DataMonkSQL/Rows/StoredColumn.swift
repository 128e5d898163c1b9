package import DataMonkCore

/// **Value.** The columns of a property in a statement: the form of its value there, and its places in the statement and in
/// a row. SELECTs are read, and INSERTs and UPDATEs bound, by the same description.
///
/// It contains no references, so that the loops over millions of values copy it without counting any.
package struct StoredColumn: Sendable {
    /// **Value.** The form of a value in the database.
    package enum Form: UInt8, Sendable {
        /// INTEGER: integers and Booleans.
        case integer
        /// REAL, or INTEGER for an integral number: doubles, floats, and dates as seconds since 2001.
        case real
        /// TEXT: strings and URLs.
        case text
        /// BLOB: data, UUIDs in 16 bytes, and transformable values.
        case bytes
        /// REAL or INTEGER, or TEXT if it has more digits than a double.
        case decimal
        /// BLOB whose first byte tells whether the data follows or the name of a file.
        case externalData
        /// The elements of a composite attribute, one column each.
        case composite
        /// The primary key of an object of one entity.
        case toOne
        /// The primary key of an object, then the number of its entity.
        case toAnyOne
    }

    package let form: Form
    /// The property's slot in a row.
    package let slot: Int32
    /// The position of the first column in a result, or of the first parameter, counted from the plan's first one.
    package var position: Int32
    /// The number of columns.
    package let width: Int32
    /// For a to-one relationship, the index of its destination entity.
    package let destination: Int32

    /// A Boolean value indicating whether the value is text or bytes, which are read and bound as they lie in a row's tail.
    package var isLong: Bool { form == .text || form == .bytes }
}

extension StoredColumn {
    /// Returns `nil` for a property without a column in its entity's table.
    init?(property: Entity.Property, storage: PropertyStorage, position: Int = 0) {
        switch (storage, property) {
        case (.value, .attribute(let attribute)): form = Form(attribute)
        case (.composite, _): form = .composite
        case (.toOne(let toOne), _): form = toOne.entityColumn == nil ? .toOne : .toAnyOne
        default: return nil
        }
        slot = Int32(property.slot)
        self.position = Int32(position)
        width = Int32(storage.columns.count)
        destination = Int32(property.relationship?.destination.index ?? 0)
    }
}

extension StoredColumn.Form {
    /// Creates the form of an attribute that is not composite.
    package init(_ attribute: Entity.Attribute) {
        switch attribute.type {
        case .integer16, .integer32, .integer64, .boolean: self = .integer
        case .double, .float, .date: self = .real
        case .decimal: self = .decimal
        case .string, .uri: self = .text
        case .binary: self = attribute.description.allowsExternalBinaryDataStorage ? .externalData : .bytes
        case .undefined, .uuid, .transformable, .objectID, .composite: self = .bytes
        }
    }
}
