import DataMonkCore

/// **Confined.** The attempts to write one chunk: again after a conflict, and without the rows that have failed.
///
///     attempt --a row fails---------> taken back, again with an audit
///        +--save--conflict----------> taken back, again over what the others have committed; `retries` times
///             +---invalid objects, or unique values of others---> taken back, again with an audit
///             +---saved-------------> done
///     audit --undecided-------------> taken back, another one, which knows more
///        +----rows fail-------------> taken back, again without them
///        +----none fails------------> saved as any attempt
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
    private let regardsStoredValues: Bool
    private var failed: [Int: ImportFailure] = [:]
    private var conflicts = 0
    /// Indicates whether the next attempt finds the rows that fail.
    private var isAudited: Bool
    /// The findings of the audits since a row was left out last.
    private var trail = AuditTrail()

    /// Creates the attempts of a chunk.
    ///
    /// - Parameter regardsStoredValues: Whether rows fail by unique values that stored objects have.
    init(
        _ rows: [PreparedRow], wanted: WantedObjects, plan: ImportPlan, options: ImportOptions,
        regardsStoredValues: Bool
    ) {
        self.regardsStoredValues = regardsStoredValues
        self.plan = plan
        self.options = options
        self.rows = rows
        self.wanted = wanted
        // It tells the failures that otherwise only a save finds.
        isAudited = options.isDryRun
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
            // A row before the first one that is known to fail may fail as well.
            let first = options.stopsAtFirstFailure ? failed.keys.min() : nil
            let isAudited = isAudited || first != nil
            let changes = isAudited || plan.isHooked ? RowChanges(of: context) : nil
            let audit = try changes.flatMap { changes in
                isAudited
                    ? try ChunkAudit(
                        context, changes: changes, trail: trail, regardsStoredValues: regardsStoredValues) : nil
            }
            var writer = ChunkWriter(plan: plan, context: context, changes: changes, audit: audit)
            let outcome = try writer.write(rows.prefix(first ?? rows.count), wanted: wanted, failed: failed)
            if let audit, try !finish(audit, in: context) { return nil }
            if let failure = first.flatMap({ failed[$0] }) {
                throw ImportError.rowFailed(failure, isDryRun: options.isDryRun)
            }
            guard let outcome else {
                beginAudit(in: context)
                return nil
            }
            return Attempt(outcome: outcome, audit: audit)
        } catch  where error.isOfDeletedObject {
            context.recorder = nil
            try countConflict(error)
            context.reset()
            return nil
        }
    }

    /// Ends an audit. Returns `false` if another attempt is to be made.
    private mutating func finish(_ audit: ChunkAudit, in context: ManagedObjectContext) throws -> Bool {
        switch try audit.finish() {
        case .failures(let failures): return !leaveOut(failures, from: context)
        case .undecided(let trail):
            self.trail = trail
            beginAudit(in: context)
            return false
        }
    }

    /// Prepares another attempt after a save has failed, and empties the context.
    ///
    /// - Throws: The error, if another attempt would meet it again.
    mutating func recover(from error: any Error, of attempt: Attempt, in context: ManagedObjectContext) throws {
        if error.isOfReading { throw error }
        try context.requireReads()
        let saveError = error as? SaveError
        if saveError?.code == .mergeConflict {
            try countConflict(error)
            context.reset()
        } else if let audit = attempt.audit {
            // Others have committed the same values since it has looked for them.
            if saveError?.code == .constraintConflict, conflicts < options.retries {
                conflicts += 1
                return beginAudit(in: context)
            }
            guard let saveError, leaveOut(audit.failures(of: saveError), from: context) else { throw error }
        } else {
            let isOfRows =
                saveError.map {
                    $0.code == .constraintConflict || $0.code == .unreadValues || $0.code == .savedWhileSaving
                        || !$0.validationProblems.isEmpty
                } ?? false
            guard try isOfRows || context.hasInvalidObjects() else { throw error }
            beginAudit(in: context)
        }
    }

    private mutating func beginAudit(in context: ManagedObjectContext) {
        isAudited = true
        context.reset()
    }

    private mutating func countConflict(_ error: any Error) throws {
        conflicts += 1
        if conflicts > options.retries { throw error }
    }

    /// Leaves rows out of the next attempt. Returns `false` if there are none.
    private mutating func leaveOut(_ failures: [Int: any Error], from context: ManagedObjectContext) -> Bool {
        if failures.isEmpty { return false }
        for (row, error) in failures where failed[row] == nil {
            failed[row] = ImportFailure(at: rows[row].place, because: error)
        }
        isAudited = options.isDryRun
        trail = AuditTrail()
        conflicts = 0
        context.reset()
        return true
    }
}

@available(*, unavailable)
extension ChunkImport: Sendable {}

@available(*, unavailable)
extension ChunkImport.Attempt: Sendable {}

extension ImportError {
    static func rowFailed(_ failure: ImportFailure, isDryRun: Bool) -> ImportError {
        let remedy =
            isDryRun
            ? "Nothing was written. Correct the row"
            : "The chunks before it are kept. Correct the row and go on from there with resumingAt"
        let stop = "\(failure)".hasSuffix(".") ? "" : "."
        return ImportError(
            .rowFailed,
            """
            The import stopped at \(failure)\(stop) \(remedy), or let failing rows be reported by stopsAtFirstFailure = false.
            """, key: failure.key, place: failure.place, underlyingError: failure.error)
    }
}
