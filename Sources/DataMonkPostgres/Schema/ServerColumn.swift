#if Postgres
    import DataMonkCore

    /// **Value.** A column of a server's table.
    struct ServerColumn: Sendable, Hashable {
        enum Kind: Sendable, Hashable {
            /// The object's primary key, `_id`.
            case id
            /// The number of the object's entity, `_entity`.
            case entity
            /// The version of the object's row, `_version`: the number of times it was saved.
            case version
            /// A value of an attribute, or of an element of a composite one.
            case value(AttributeType)
            /// The primary key of a to-one's destination, or of an end of a link.
            case key
            /// The number of that destination's entity.
            case keyEntity
            /// The position in an ordered relationship.
            case order
        }

        let name: String
        let kind: Kind

        /// The columns that each table of an entity begins with.
        static let own = [
            ServerColumn(name: "_id", kind: .id), ServerColumn(name: "_entity", kind: .entity),
            ServerColumn(name: "_version", kind: .version),
        ]

        /// The name, quoted for statements.
        var identifier: String { ServerName.quoted(name) }

        /// The type of its values.
        var type: PostgresType {
            switch kind {
            case .id, .version, .key, .order: .int8
            case .entity, .keyEntity: .int4
            case .value(let type): type.serverType
            }
        }

        /// A Boolean value indicating whether its values may be too long for an index.
        var isOfAnyLength: Bool { [.text, .bytea].contains(type) }

        /// A Boolean value indicating whether an entity's table has no NULL there. Values may be NULL whatever the model says:
        /// it is checked before values are written, and an older version of the model may permit it.
        var isRequired: Bool {
            switch kind {
            case .id, .entity, .version: true
            case .value, .key, .keyEntity, .order: false
            }
        }

        /// The column's definition in `CREATE TABLE`.
        var definition: String {
            // In the order of bytes, as in memory, whatever the language of the database is.
            let collation = type == .text ? " COLLATE \"C\"" : ""
            return "\(identifier) \(type.name)\(collation)\(isRequired ? " NOT NULL" : "")"
        }
    }

    extension AttributeType {
        /// The type of a server's columns.
        fileprivate var serverType: PostgresType {
            switch self {
            case .integer16: .int2
            case .integer32: .int4
            case .integer64: .int8
            case .decimal: .numeric
            case .double: .float8
            case .float: .float4
            case .string, .uri: .text
            case .boolean: .bool
            case .date: .timestamptz
            case .uuid: .uuid
            // The last three have no column: they are transient, of results, or their elements have the columns.
            case .binary, .transformable, .undefined, .objectID, .composite: .bytea
            }
        }
    }
#endif
