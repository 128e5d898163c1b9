package import DataMonkCore

/// **Value.** The statements that write many rows of one entity at a time. Keys are passed as one parameter: a JSON array.
///
///     DELETE FROM ZPERSON WHERE Z_PK IN (SELECT value FROM json_each(?))
///     UPDATE ZPERSON SET Z_OPT = Z_OPT + 1, ZFRIEND = NULL WHERE Z_PK IN (…) RETURNING Z_PK, Z_ENT, Z_OPT
package struct BatchWriting: Sendable {
    private let schema: EntitySchema
    private static let keys = "(SELECT value FROM json_each(?))"

    package init(_ schema: EntitySchema) { self.schema = schema }

    /// Selects the keys that have a row: primary key, entity number.
    package var present: String { "SELECT Z_PK, Z_ENT FROM \(schema.table.identifier) WHERE Z_PK IN \(Self.keys)" }

    package var deleteRows: String { "DELETE FROM \(schema.table.identifier) WHERE Z_PK IN \(Self.keys)" }

    /// The statements that remove the objects' links, one for each relationship.
    package var deleteLinks: [String] {
        schema.storage.compactMap { LinkWriting($0)?.deleteAll }.map { sql in
            // The statement for a single object ends with its key.
            sql.dropLast("= ?".count) + "IN \(Self.keys)"
        }
    }

    /// Returns the statement that sets a to-one to NULL, together with the position in its ordered inverse.
    package func clear(_ relationship: Entity.Relationship, orderColumn: String?) -> String? {
        guard case .toOne(let storage) = schema.storage[relationship.slot] else { return nil }
        let columns = [storage.column.identifier, storage.entityColumn?.identifier, orderColumn].compactMap(\.self)
        let settings = (["Z_OPT = Z_OPT + 1"] + columns.map { "\($0) = NULL" }).joined(separator: ", ")
        return """
            UPDATE \(schema.table.identifier) SET \(settings) WHERE Z_PK IN \(Self.keys) RETURNING Z_PK, Z_ENT, Z_OPT
            """
    }

    /// Returns the SELECT of a to-one's destinations: primary key, and entity number if there are several entities.
    package func toOneKeys(_ storage: ToOneStorage) -> String {
        let columns = [storage.column.identifier, storage.entityColumn?.identifier].compactMap(\.self)
        return """
            SELECT \(columns.joined(separator: ", ")) FROM \(schema.table.identifier) \
            WHERE Z_PK IN \(Self.keys) AND \(columns[0]) IS NOT NULL
            """
    }
}
