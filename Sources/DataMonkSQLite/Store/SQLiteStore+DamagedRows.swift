import DataMonkCore
import Foundation

extension SQLiteStore {
    /// Returns the error for a row that cannot be read, with the entity and the URI of its object.
    func damagedRow(_ cause: any Error, of entity: Entity, primaryKey: Int64) -> StoreError {
        var error = cause as? StoreError ?? StoreError(.corrupt, "\(cause)", storeURL: fileURL)
        error.entityName = entity.name
        error.objectURI = "x-coredata://\(identifier.uuidString)/\(entity.name)/p\(primaryKey)"
        return error
    }

    /// Returns the error for the current row of a SELECT of objects.
    @inline(never)
    func damagedRow(_ cause: any Error, in statement: SQLiteStatement, plan: LoadPlan) -> StoreError {
        let number = plan.entityColumn < 0 ? nil : Int(truncatingIfNeeded: statement.int64(at: plan.entityColumn))
        let entity = plan.entities.first { $0.number == number } ?? plan.entities[0]
        return damagedRow(cause, of: entity.layout.entity, primaryKey: statement.int64(at: 0))
    }
}
