import DataMonkCore
import DataMonkSQL
import Foundation

/// **Confined.** Runs a plan in the open transaction and reports its progress.
///
/// Progress is counted in rows of the old tables. A statement that processes no rows counts as one.
final class MigrationRun {
    private let plan: MigrationPlan
    private let connection: SQLiteConnection
    private let fileURL: URL
    private let observer: (@Sendable (MigrationProgress) throws -> Void)?
    private var completed: Int64 = 0
    private var total: Int64 = 0

    init(
        plan: MigrationPlan, connection: SQLiteConnection, fileURL: URL,
        observer: (@Sendable (MigrationProgress) throws -> Void)?
    ) {
        self.plan = plan
        self.connection = connection
        self.fileURL = fileURL
        self.observer = observer
    }

    func execute() throws {
        let before = try plan.tallies.map { try count($0.before) }
        let weights = try weigh()
        total = weights.reduce(0, +)
        try dropTriggers()
        var problems: [MigrationError.Problem] = []
        for (statement, weight) in zip(plan.statements, weights) {
            try report(statement.entityName)
            do {
                try run(statement)
            } catch let failure as SQLiteFailure where failure.constraintViolation != nil {
                // Only this statement is undone, so that further misfits are found, too.
                guard let problem = statement.problem else { throw failure }
                problems.append(problem)
            }
            completed += weight
        }
        problems += try plan.requirements.filter { try count($0.sql) > 0 }.map(\.problem)
        if !problems.isEmpty { throw MigrationError(.constraintViolation, problems: problems, storeURL: fileURL) }
        try verify(before)
        try report(nil)
    }

    private func run(_ statement: MigrationPlan.Statement) throws {
        // Not cached: a plan's statements run once, and must not hold tables that are dropped later.
        let prepared = try connection.prepare(statement.sql)
        try prepared.bind(statement.bindings)
        try prepared.run()
    }

    private func count(_ sql: String) throws -> Int64 {
        let prepared = try connection.prepare(sql)
        return try prepared.step() ? prepared.int64(at: 0) : 0
    }

    /// Returns the cost of each statement, in rows.
    private func weigh() throws -> [Int64] {
        guard observer != nil else { return plan.statements.map { _ in 1 } }
        var rows: [String: Int64] = [:]
        return try plan.statements.map { statement in
            guard let table = statement.weighingTable else { return 1 }
            if let known = rows[table] { return known }
            let count = try count("SELECT count(*) FROM \(SQLIdentifier.quotedIfNeeded(table))")
            rows[table] = max(1, count)
            return max(1, count)
        }
    }

    private func report(_ entityName: String?) throws {
        do {
            try Task.checkCancellation()
            try observer?(
                MigrationProgress(
                    storeURL: fileURL, entityName: entityName, completedUnitCount: completed, totalUnitCount: total))
        } catch {
            throw MigrationError.cancelled(error, in: fileURL)
        }
    }

    /// Drops the triggers of the old version's derived attributes, which would run for every copied row.
    private func dropTriggers() throws {
        for object in try connection.schemaObjects() where object.kind == .trigger {
            try connection.execute("DROP TRIGGER \(SQLIdentifier.quotedIfNeeded(object.name))")
        }
    }

    // MARK: Verification

    private func verify(_ before: [Int64]) throws {
        for (tally, before) in zip(plan.tallies, before) {
            let after = try count(tally.after)
            guard tally.mayShrink ? after <= before : after == before else {
                throw MigrationError.unfaithful(tally.subject, in: fileURL)
            }
        }
        for table in plan.writtenTables {
            let report = try connection.text("PRAGMA integrity_check(\(SQLIdentifier.quotedIfNeeded(table)))")
            if report != "ok" { throw MigrationError.unfaithful("the table \(table)", in: fileURL) }
        }
    }
}
