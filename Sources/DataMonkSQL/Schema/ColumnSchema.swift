package import DataMonkCore

/// **Value.** A column of an entity table.
package struct ColumnSchema: Sendable, Hashable {
    /// The contents of a column.
    package enum Kind: Sendable, Hashable {
        /// The object's key, `Z_PK`.
        case primaryKey
        /// The number of the object's entity, `Z_ENT`.
        case entity
        /// The version of the object's row, `Z_OPT`: the number of times it was saved.
        case version
        /// A value of an attribute, or of an element of a composite one.
        case value(AttributeType)
        /// The key of a to-one's destination.
        case toOne
        /// The number of that destination's entity.
        case toOneEntity
        /// The object's position in an ordered relationship.
        case order
    }

    /// The name, folded and numbered as in the store.
    package let name: String
    /// The contents of the column.
    package let kind: Kind

    init(name: String, kind: Kind) {
        self.name = name
        self.kind = kind
    }

    /// The name, quoted for statements.
    package var identifier: String { SQLIdentifier.quotedIfNeeded(name) }

    /// The column's definition in `CREATE TABLE`.
    package var definition: String { "\(identifier) \(declaredType)" }

    /// The type, as `CREATE TABLE` declares it.
    var declaredType: String {
        switch kind {
        case .primaryKey: "INTEGER PRIMARY KEY"
        case .entity, .version, .toOne, .toOneEntity, .order: "INTEGER"
        case .value(let type): type.columnType
        }
    }
}

extension AttributeType {
    /// The type that Core Data declares for columns of attributes.
    package var columnType: String {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: "INTEGER"
        case .double, .float: "FLOAT"
        case .date: "TIMESTAMP"
        case .decimal: "DECIMAL"
        case .string, .uri: "VARCHAR"
        case .uuid, .binary, .transformable, .undefined, .objectID, .composite: "BLOB"
        }
    }

    /// The rank by which Core Data orders columns of this type in a new table.
    var columnRank: Int {
        switch self {
        case .integer16, .integer32, .integer64, .boolean: 0
        case .double, .float, .date: 2
        case .decimal: 3
        case .string: 4
        case .uri: 5
        case .uuid: 6
        case .transformable: 7
        case .binary, .undefined, .objectID, .composite: 8
        }
    }
}
