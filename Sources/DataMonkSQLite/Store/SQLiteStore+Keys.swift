import DataMonkCore
import DataMonkSQL

extension SQLiteStore {
    /// Returns the keys that a query yields, in its order.
    func keys(
        _ query: SQLQuery, on connection: SQLiteConnection, damaged handling: DamagedRows.Handling
    ) throws -> [ObjectKey] {
        guard case .keys(let plan) = query.result else {
            preconditionFailure("A fetch of keys was compiled to another kind of query")
        }
        return try connection.withStatement(query.sql) { statement in
            defer { statement.reset() }
            try statement.bind(query.bindings)
            var keys: [ObjectKey] = []
            var damaged = DamagedRows(handling)
            while try statement.step() {
                let number = plan.entityColumn.map { Int(statement.int64(at: $0)) } ?? plan.entities[0].number
                let primaryKey = statement.int64(at: 0)
                guard let position = plan.position(ofNumber: number) else {
                    try damaged.add(
                        damagedRow(StoreError.unexpectedEntity(number, fileURL), plan.entities[0].entity, primaryKey))
                    continue
                }
                guard primaryKey > 0, primaryKey <= ObjectKey.maximumPrimaryKey else {
                    try damaged.add(
                        damagedRow(
                            StoreError.unusablePrimaryKey(primaryKey, fileURL), plan.entities[position].entity,
                            primaryKey))
                    continue
                }
                let entity = plan.entities[position].entity.index
                keys.append(ObjectKey(store: index, entity: entity, primaryKey: primaryKey))
            }
            damaged.report(to: directory)
            return keys
        }
    }
}
