import DataMonkCore
import DataMonkSQL

extension SQLiteStore {
    /// The keys that a query for keys gives, in its order.
    func keys(_ query: SQLQuery, on connection: SQLiteConnection) throws -> [ObjectKey] {
        guard case .keys(let plan) = query.result else {
            preconditionFailure("A fetch of keys was compiled to something else")
        }
        return try connection.withStatement(query.sql) { statement in
            defer { statement.reset() }
            try statement.bind(query.bindings)
            var keys: [ObjectKey] = []
            while try statement.step() {
                let number = plan.entityColumn.map { Int(statement.int64(at: $0)) } ?? plan.entities[0].number
                guard let position = plan.position(ofNumber: number) else {
                    throw StoreError.unexpectedEntity(number, fileURL)
                }
                let entity = plan.entities[position].entity.index
                keys.append(ObjectKey(store: index, entity: entity, primaryKey: statement.int64(at: 0)))
            }
            return keys
        }
    }
}
