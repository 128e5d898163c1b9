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
            try statement.bind(query.bindings)
            var keys: [ObjectKey] = []
            var damaged = DamagedRows(handling)
            while try statement.step() {
                let number = plan.entityColumn.map { Int(statement.int64(at: $0)) } ?? plan.entities[0].number
                let primaryKey = statement.int64(at: 0)
                let position = plan.position(ofNumber: number)
                do {
                    guard let position else { throw StoreError.unexpectedEntity(number, in: fileURL) }
                    let entity = plan.entities[position].entity.index
                    keys.append(ObjectKey(store: index, entity: entity, primaryKey: try usable(primaryKey)))
                } catch {
                    try damaged.add(damagedRow(error, of: plan.entities[position ?? 0].entity, primaryKey: primaryKey))
                }
            }
            damaged.report(to: directory)
            return keys
        }
    }
    /// Returns the key of a row. Throws if the model has no entity of that number, or the primary key is out of range.
    func key(ofEntityNumber number: Int, _ primaryKey: Int64) throws -> ObjectKey {
        ObjectKey(store: index, entity: try entityIndex(ofNumber: number), primaryKey: try usable(primaryKey))
    }

    func entityIndex(ofNumber number: Int) throws -> Int {
        guard let entity = plans.entityIndicesByNumber[number] else {
            throw StoreError.unexpectedEntity(number, in: fileURL)
        }
        return entity
    }

    /// Returns a primary key of the file, which a key can hold only if it is in range.
    @inline(__always)
    func usable(_ primaryKey: Int64) throws -> Int64 {
        guard primaryKey > 0, primaryKey <= ObjectKey.maximumPrimaryKey else {
            throw StoreError.unusablePrimaryKey(primaryKey, in: fileURL)
        }
        return primaryKey
    }
}

extension Collection<ObjectKey> {
    /// `[1,2,3]`: a list of any length as one value.
    var primaryKeyList: String {
        "[\(lazy.map { String($0.primaryKey) }.joined(separator: ","))]"
    }
}
