package import DataMonkCore

/// **Value.** The statements that write rows of one entity many at a time. Keys come as one parameter: a JSON array.
///
///     DELETE FROM ZPERSON WHERE Z_PK IN (SELECT value FROM json_each(?))
///     UPDATE ZPERSON SET Z_OPT = Z_OPT + 1, ZFRIEND = NULL WHERE Z_PK IN (…) RETURNING Z_PK, Z_ENT, Z_OPT
package struct BatchWriting: Sendable {
    private let schema: EntitySchema
    private static let keys = "(SELECT value FROM json_each(?))"

    package init(_ schema: EntitySchema) { self.schema = schema }

    /// The keys that have a row: primary key, entity number.
    package var present: String { "SELECT Z_PK, Z_ENT FROM \(schema.table.identifier) WHERE Z_PK IN \(Self.keys)" }

    package var deleteRows: String { "DELETE FROM \(schema.table.identifier) WHERE Z_PK IN \(Self.keys)" }

    /// Takes the objects' links out, a statement a relationship.
    package var deleteLinks: [String] {
        schema.storage.compactMap { LinkWriting($0)?.deleteAll }.map { sql in
            // The statement for one object ends with its key.
            sql.dropLast("= ?".count) + "IN \(Self.keys)"
        }
    }

    /// Empties a to-one, with the place in the ordered to-many that it belongs to.
    package func clear(_ relationship: Entity.Relationship, orderColumn: String?) -> String? {
        guard case .toOne(let storage) = schema.storage[relationship.slot] else { return nil }
        let columns = [storage.column.identifier, storage.entityColumn?.identifier, orderColumn].compactMap(\.self)
        let settings = (["Z_OPT = Z_OPT + 1"] + columns.map { "\($0) = NULL" }).joined(separator: ", ")
        return """
            UPDATE \(schema.table.identifier) SET \(settings) WHERE Z_PK IN \(Self.keys) RETURNING Z_PK, Z_ENT, Z_OPT
            """
    }

    /// The other ends of a to-one: primary key, and entity number where there are several entities.
    package func toOneKeys(_ storage: ToOneStorage) -> String {
        let columns = [storage.column.identifier, storage.entityColumn?.identifier].compactMap(\.self)
        return """
            SELECT \(columns.joined(separator: ", ")) FROM \(schema.table.identifier) \
            WHERE Z_PK IN \(Self.keys) AND \(columns[0]) IS NOT NULL
            """
    }

    /// A list of keys as one value.
    package static func list(of keys: some Sequence<ObjectKey>) -> String {
        "[" + keys.map { String($0.primaryKey) }.joined(separator: ",") + "]"
    }
}
