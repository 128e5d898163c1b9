import DataMonkCore
import Foundation

/// **Value.** The rows of one read that cannot be made into objects, and the consequence for the read.
///
///     fetch of objects or of ids    returns the other rows, and reports the damaged ones at its end, in one error
///     rows by keys                  skips them; reading one of them by its key throws
///     row by key; a to-many         throws, so that no deletion or count of members silently leaves them out
///     keys for a batch request      throws
struct DamagedRows {
    enum Handling {
        case thrown, passedOver, reported
    }

    private let handling: Handling
    private var first: StoreError?
    private var count = 0

    init(_ handling: Handling) { self.handling = handling }

    /// Adds a row.
    ///
    /// - Throws: The error itself, if this kind of read cannot continue without the row.
    @inline(never)
    mutating func add(_ error: @autoclosure () -> StoreError) throws {
        if case .thrown = handling { throw error() }
        count += 1
        if first == nil { first = error() }
    }

    /// Reports the rows to the error handler: a single error, however many there are.
    func report(to directory: ObjectDirectory) {
        guard case .reported = handling, var first else { return }
        if count > 1 { first.message += " The fetch left out \(count - 1) more rows that cannot be read." }
        directory.reportIncompleteRead(first)
    }
}

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
