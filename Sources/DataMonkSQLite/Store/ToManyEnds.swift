import DataMonkCore
import DataMonkSQL

/// **Value.** The two ends of a to-many relationship, as named in SELECTs of its destinations (with the alias `t0`).
struct ToManyEnds {
    /// The joined tables to select from.
    let tables: String
    /// The column with the key of the relationship's source object.
    let owner: String
    /// The column with the position in an ordered relationship.
    let order: String?

    /// Returns `nil` if the relationship is not kept in this store.
    init?(of relationship: Entity.Relationship, in schema: StoreSchema) {
        guard let storage = schema.schema(of: relationship.entity)?.storage[relationship.slot],
            let table = schema.schema(of: relationship.destination)?.table
        else { return nil }
        switch storage {
        case .toMany(let storage):
            tables = "\(table.identifier) t0"
            owner = "t0.\(storage.column.identifier)"
            order = storage.orderColumn.map { "t0.\($0.identifier)" }
        case .manyToMany(let storage):
            func column(_ name: String) -> String { "j.\(SQLIdentifier.quotedIfNeeded(name))" }
            let join = SQLIdentifier.quotedIfNeeded(storage.table.name)
            tables = "\(join) j JOIN \(table.identifier) t0 ON t0.Z_PK = \(column(storage.destinationColumn))"
            owner = column(storage.sourceColumn)
            order = storage.orderColumn.map(column)
        case .none, .value, .composite, .toOne:
            return nil
        }
    }
}
