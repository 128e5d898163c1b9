import DataMonkCore

/// **Confined.** The attempts to write one chunk: again after a conflict, and without the rows that have failed.
///
///     attempt --a row fails---------> taken back, again with an audit
///        +--save--conflict----------> taken back, again over what the others have committed; `retries` times
///             +---invalid objects---> taken back, again with an audit
///             +---unique values, which another object has in the next attempt as well---> as with an audit
///             +---saved-------------> done
///     audit --rows are to blame-----> taken back, again without them, and with no audit
struct ChunkImport {
    /// **Confined.** One attempt: what is to be saved now.
    struct Attempt {
        let outcome: ChunkOutcome
        fileprivate let audit: ChunkAudit?
    }

    private let plan: ImportPlan
    private let options: ImportOptions
    private let rows: [PreparedRow]
    private let wanted: WantedObjects
    private var failed: [Int: ImportFailure] = [:]
    private var conflicts = 0
    /// Indicates whether the next attempt finds the rows that fail.
    private var isAudited = false
    /// The sets of attributes of which values were another object's.
    private var constraints: Set<[String]> = []
    /// The unique values that were another object's in the last attempt.
    private var taken: Set<TakenValues> = []

    init(_ rows: [PreparedRow], wanted: WantedObjects, plan: ImportPlan, options: ImportOptions) {
        self.plan = plan
        self.options = options
        self.rows = rows
        self.wanted = wanted
        for (position, row) in rows.enumerated() {
            if case .failure(let error) = row.content {
                failed[position] = ImportFailure(at: row.place, because: error)
            }
        }
    }

    /// Writes the rows into an empty context.
    ///
    /// - Returns: `nil` if the context was emptied, and another attempt is to be made.
    /// - Throws: ``ImportError`` with the code `rowFailed` if the options say to stop; the errors of
    ///   ``ChunkWriter/write(_:wanted:failed:)``.
    mutating func attempt(in context: ManagedObjectContext) throws -> Attempt? {
        do {
            if options.stopsAtFirstFailure, let first = failed.keys.min() {
                try stop(at: first, in: context)
                return nil
            }
            let audit = isAudited ? ChunkAudit(context, constraints: constraints) : nil
            var writer = ChunkWriter(plan: plan, context: context, audit: audit)
            let outcome = try writer.write(rows, wanted: wanted, failed: failed)
            if let audit, try leaveOut(audit.failures(), from: context) { return nil }
            guard let outcome, try !options.isDryRun || audit != nil || !context.hasInvalidObjects() else {
                beginAudit(in: context)
                return nil
            }
            return Attempt(outcome: outcome, audit: audit)
        } catch  where error.isOfDeletedObject {
            try countConflict(error)
            context.reset()
            return nil
        }
    }

    /// Prepares another attempt after a save has failed, and empties the context.
    ///
    /// - Throws: The error, if another attempt would meet it again.
    mutating func recover(from error: any Error, of attempt: Attempt, in context: ManagedObjectContext) throws {
        let saveError = error as? SaveError
        if error is StoreError { throw error }
        if saveError?.code == .mergeConflict {
            try countConflict(error)
            context.reset()
        } else if let saveError, saveError.code == .constraintConflict {
            try recover(fromTakenValues: saveError, of: attempt, in: context)
        } else if let audit = attempt.audit {
            // Objects that code of the save has made invalid.
            var failures = try audit.failures()
            if failures.isEmpty, let saveError { failures = audit.failures(of: saveError) }
            if try !leaveOut(failures, from: context) { throw error }
        } else {
            guard try saveError?.validationProblems.isEmpty == false || context.hasInvalidObjects() else { throw error }
            beginAudit(in: context)
        }
    }

    private mutating func beginAudit(in context: ManagedObjectContext) {
        isAudited = true
        context.reset()
    }

    /// Notes the values that are taken. Others may have committed objects with the same keys, which the next attempt finds. The
    /// same values twice: what the row shares with another object is not its key.
    private mutating func recover(
        fromTakenValues error: SaveError, of attempt: Attempt, in context: ManagedObjectContext
    ) throws {
        let found = try error.conflicts.map { (conflict: $0, values: try TakenValues($0, in: context)) }
        let own = found.filter { taken.contains($0.values) }.map(\.conflict)
        taken = Set(found.map(\.values))
        constraints.formUnion(taken.map(\.names))
        // One attempt tells these from the others, even if there are to be no retries.
        if own.isEmpty { try countConflict(error, allowing: max(1, options.retries)) }
        guard let audit = attempt.audit, !own.isEmpty else { return beginAudit(in: context) }
        conflicts = 0
        let names = Set(own.flatMap(\.constraint)).sorted()
        let reason = ImportError.takenValues(names, of: error.entityName, because: error)
        let failures = audit.failures(of: own, because: reason)
        if try !leaveOut(failures, from: context) { throw error }
        isAudited = true
    }

    private mutating func countConflict(_ error: any Error, allowing retries: Int? = nil) throws {
        conflicts += 1
        if conflicts > retries ?? options.retries { throw error }
    }

    /// Leaves rows out of the next attempt. Returns `false` if there are none.
    private mutating func leaveOut(_ failures: [Int: any Error], from context: ManagedObjectContext) throws -> Bool {
        if failures.isEmpty { return false }
        for (row, error) in failures where failed[row] == nil {
            failed[row] = ImportFailure(at: rows[row].place, because: error)
        }
        isAudited = false
        context.reset()
        return true
    }

    /// Ends the import at a row, unless one before it fails as well, which may be known only when it is written.
    private mutating func stop(at first: Int, in context: ManagedObjectContext) throws {
        guard let failure = failed[first] else { return }
        let audit = ChunkAudit(context, constraints: plan.constraints)
        var writer = ChunkWriter(plan: plan, context: context, audit: audit)
        _ = try writer.write(rows[..<first], wanted: wanted, failed: failed)
        var earlier = try audit.failures()
        if earlier.isEmpty { earlier = try audit.failuresOfTakenValues() }
        if try !leaveOut(earlier, from: context) { throw ImportError.rowFailed(failure) }
    }
}

@available(*, unavailable)
extension ChunkImport: Sendable {}

@available(*, unavailable)
extension ChunkImport.Attempt: Sendable {}

extension ImportError {
    static func rowFailed(_ failure: ImportFailure) -> ImportError {
        ImportError(
            .rowFailed,
            """
            The import stopped at \(failure). The chunks before it are kept. Correct the row and go on from there with \
            resumingAt, or let failing rows be reported by stopsAtFirstFailure = false.
            """, key: failure.key, place: failure.place, underlyingError: failure.error)
    }
}
