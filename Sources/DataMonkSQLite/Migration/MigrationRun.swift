import DataMonkCore
import DataMonkSQL
import Foundation

/// **Confined.** Runs a script in the open transaction and reports its progress.
///
/// Progress is counted in rows of the old tables. A statement that processes no rows counts as one.
final class MigrationRun {
    private let script: MigrationScript
    private let connection: SQLiteConnection
    private let fileURL: URL
    private let observer: (@Sendable (MigrationProgress) throws -> Void)?
    private var completed: Int64 = 0
    private var total: Int64 = 0
    /// For each requirement, the keys of the objects that broke it before, and may go on to.
    private var formerMisfits: [Set<Int64>] = []

    init(
        script: MigrationScript, connection: SQLiteConnection, fileURL: URL,
        observer: (@Sendable (MigrationProgress) throws -> Void)?
    ) {
        self.script = script
        self.connection = connection
        self.fileURL = fileURL
        self.observer = observer
    }

    /// Runs the statements.
    ///
    /// - Parameter checksRequirements: Whether links that have to be there are checked; not if code may yet make them.
    func execute(checksRequirements: Bool) throws {
        let before = try script.tallies.map { try count($0.before) }
        formerMisfits = try script.requirements.map { requirement in
            var keys: Set<Int64> = []
            if let former = requirement.former { try forEachKey(former) { keys.insert($0) } }
            return keys
        }
        let weights = try weigh()
        total = weights.reduce(0, +)
        try dropTriggers()
        var problems: [MigrationError.Problem] = []
        for statement in script.collections { try run(statement) }
        try connection.renameTables(script.parkedNames)
        for (statement, weight) in zip(script.statements, weights) {
            try report(statement.entityName)
            do {
                if let place = statement.computation {
                    try compute(script.computations[place])
                } else {
                    try run(statement)
                }
            } catch let failure as SQLiteFailure where failure.constraintViolation != nil {
                // Only this statement is undone, so that further misfits are found, too.
                guard let problem = statement.problem else { throw failure }
                problems.append(problem)
            }
            completed += weight
        }
        if checksRequirements { problems += try missingLinks() }
        if !problems.isEmpty { throw MigrationError(.constraintViolation, problems: problems, storeURL: fileURL) }
        try verify(before)
        try report(nil)
    }

    /// Checks links that have to be there, after code that may have made them.
    func checkRequirements() throws {
        let problems = try missingLinks()
        if !problems.isEmpty { throw MigrationError(.constraintViolation, problems: problems, storeURL: fileURL) }
    }

    private func missingLinks() throws -> [MigrationError.Problem] {
        try zip(script.requirements, formerMisfits).compactMap { requirement, former in
            var (count, first) = (0, Int64.max)
            try forEachKey(requirement.sql) { key in
                if former.contains(key) { return }
                (count, first) = (count + 1, min(first, key))
            }
            return count == 0 ? nil : requirement.problem(count, firstKey: first)
        }
    }

    private func forEachKey(_ sql: String, _ body: (Int64) -> Void) throws {
        let prepared = try connection.prepare(sql)
        while try prepared.step() { body(prepared.int64(at: 0)) }
    }

    private func run(_ statement: MigrationScript.Statement) throws {
        // Not cached: a script's statements run once, and must not hold tables that are dropped later.
        let prepared = try connection.prepare(statement.sql)
        try prepared.bind(statement.bindings)
        try prepared.run()
    }

    /// Computes values for the rows of one entity. The old rows are read with a cursor, so that memory stays flat.
    private func compute(_ computation: RowComputation) throws {
        let rows = try connection.prepare(computation.selection)
        let update = try connection.prepare(computation.update)
        var done: Int64 = 0
        while try rows.step() {
            let key = rows.int64(at: 0)
            let values = computation.columns.map { ($0.alias, $0.value(rows.managedValue(at: $0.position))) }
            let row = SourceRow(
                entityName: computation.sourceName, primaryKey: key,
                values: Dictionary(values, uniquingKeysWith: { first, _ in first }))
            for (place, part) in computation.computations.enumerated() {
                try update.bind(binding(for: part, of: row, entityName: computation.entityName), at: place + 1)
            }
            update.bind(key, at: computation.computations.count + 1)
            try update.run()
            done += 1
            if done.isMultiple(of: 1_000) { try report(computation.entityName, rows: done) }
        }
    }

    private func binding(
        for part: AttributeComputation, of row: SourceRow, entityName: String
    ) throws -> SQLBinding {
        let cause: (any Error)?
        do {
            let value = try part.compute(row, part.attribute.type)
            if let binding = value.flatMap({ RowComputation.binding($0, for: part) }) { return binding }
            cause = nil
        } catch let error as CancellationError {
            throw MigrationError.cancelled(error, in: fileURL)
        } catch let error as MigrationError where error.code == .invalidMapping {
            throw error
        } catch {
            cause = error
        }
        throw MigrationError.unconvertible(part.attribute.name, of: entityName, key: row.primaryKey, cause: cause)
    }

    private func count(_ sql: String) throws -> Int64 {
        let prepared = try connection.prepare(sql)
        return try prepared.step() ? prepared.int64(at: 0) : 0
    }

    /// Returns the cost of each statement, in rows.
    private func weigh() throws -> [Int64] {
        guard observer != nil else { return script.statements.map { _ in 1 } }
        var rows: [String: Int64] = [:]
        return try script.statements.map { statement in
            guard let table = statement.weighingTable else { return 1 }
            if let known = rows[table] { return known }
            let count = try count("SELECT count(*) FROM \(SQLIdentifier.quotedIfNeeded(table))")
            rows[table] = max(1, count)
            return max(1, count)
        }
    }

    private func report(_ entityName: String?, rows: Int64 = 0) throws {
        do {
            try Task.checkCancellation()
            try observer?(
                MigrationProgress(
                    storeURL: fileURL, entityName: entityName, completedUnitCount: min(completed + rows, total),
                    totalUnitCount: total))
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
        for (tally, before) in zip(script.tallies, before) {
            let after = try count(tally.after)
            guard tally.mayShrink ? after <= before : after == before else {
                throw MigrationError.unfaithful(tally.subject, in: fileURL)
            }
        }
        for table in script.writtenTables {
            let report = try connection.text("PRAGMA integrity_check(\(SQLIdentifier.quotedIfNeeded(table)))")
            if report != "ok" { throw MigrationError.unfaithful("the table \(table)", in: fileURL) }
        }
    }
}
