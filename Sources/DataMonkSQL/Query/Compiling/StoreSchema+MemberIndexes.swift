import DataMonkCore

// An index on a value inside JSON is an index on the very expression that conditions compare, made of SQLite's own functions:
//
//     CREATE INDEX "DATAMONK_JSON$ZARTICLE$ZENCLOSURE$number$length"
//         ON ZARTICLE (CASE WHEN json_valid(ZENCLOSURE) THEN … json_extract(ZENCLOSURE, '$."length"') … END)
//
// Any program with SQLite's functions for JSON keeps it.

extension StoreSchema {
    /// The indexes on values inside JSON that the model asks for, in the order of the entities' numbers.
    package var memberIndexes: [IndexSchema] {
        numbering.entities.flatMap { entity -> [IndexSchema] in
            guard let schema = schema(of: entity) else { return [] }
            return entity.declaredAttributes.flatMap { attribute -> [IndexSchema] in
                guard case .value(let column) = schema.storage[attribute.slot] else { return [] }
                return attribute.indexedMembers.map { Self.index(on: $0, in: column, of: schema.table) }
            }
        }
    }

    private static func index(on member: ResolvedMember, in column: ColumnSchema, of table: TableSchema) -> IndexSchema
    {
        let place = [column.name, member.wantedName, member.names.joined(separator: ".")].joined(separator: "$")
        return IndexSchema(
            name: "\(memberIndexPrefix)\(table.name)$\(place)", tableName: table.name, isUnique: false,
            columns: [member.sql(in: column.identifier)], condition: nil)
    }

    /// The beginning of the names of indexes on values inside JSON. No index of Core Data's begins like that.
    package static let memberIndexPrefix = "DATAMONK_JSON$"
}

extension ResolvedMember {
    /// The type of the values that count, as names of indexes have it.
    fileprivate var wantedName: String {
        switch wanted {
        case .boolean: "boolean"
        case .string: "text"
        // Dates are numbers of seconds.
        default: "number"
        }
    }
}
