import DataMonkCore

/// **Confined.** The attempts to write one chunk: again after a conflict, and without the rows that have failed.
///
///     attempt --rows failed--------> taken back, again without them
///        +--save--conflict---------> taken back, again over what the others have committed; `retries` times
///             +---invalid objects--> taken back, again without their rows, or again to find the rows that made them so
///             +---saved------------> done
struct ChunkImport {
    /// **Confined.** One attempt: what is to be saved now.
    struct Attempt {
        let outcome: ChunkOutcome
        fileprivate let writer: ChunkWriter
    }

    private let plan: ImportPlan
    private let options: ImportOptions
    private let rows: [PreparedRow]
    private let wanted: WantedObjects
    private var failed: [Int: ImportFailure] = [:]
    private var conflicts = 0
    /// Objects that no row is about, but that some row has made invalid.
    private var watched: Set<AnyObjectID> = []
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
    ///   ``ChunkWriter/write(_:wanted:failed:watching:)``.
    mutating func attempt(in context: ManagedObjectContext) throws -> Attempt? {
        do {
            if options.stopsAtFirstFailure, let first = failed.keys.min() {
                try stop(at: first, in: context)
                return nil
            }
            var writer = ChunkWriter(plan: plan, context: context)
            let outcome = try writer.write(rows, wanted: wanted, failed: failed, watching: watched)
            let isComplete = try !leaveOut(outcome.newFailures(except: failed), from: context)
            if !isComplete { return nil }
            if options.isDryRun, try leaveOutInvalid(of: writer, from: context) { return nil }
            return Attempt(outcome: outcome, writer: writer)
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
        if let error = error as? SaveError, error.code == .mergeConflict || error.code == .constraintConflict {
            if error.code == .mergeConflict { try countConflict(error) } else { try note(error, of: attempt) }
            context.reset()
            return
        }
        let isLeftOut = try leaveOutInvalid(of: attempt.writer, from: context)
        if !isLeftOut { throw error }
    }

    /// Leaves the rows of invalid objects out of the next attempt, or lets it find the rows that have made other objects
    /// invalid. Returns `false` if there are none.
    private mutating func leaveOutInvalid(of writer: ChunkWriter, from context: ManagedObjectContext) throws -> Bool {
        if try leaveOut(writer.invalidRows(rows), from: context) { return true }
        let others = try writer.invalidOthers()
        if others.isSubset(of: watched) { return false }
        watched.formUnion(others)
        context.reset()
        return true
    }

    /// Notes the values that are taken. Others may have committed objects with the same keys, which the next attempt finds. The
    /// same values twice: what the row shares with another object is not its key.
    private mutating func note(_ error: SaveError, of attempt: Attempt) throws {
        let before = taken
        taken = attempt.writer.takenValues(in: error.conflicts)
        let isOwn = taken.intersection(before)
        // One attempt tells these from the others, even if there are to be no retries.
        if isOwn.isEmpty { try countConflict(error, allowing: max(1, options.retries)) } else { conflicts = 0 }
        for values in isOwn {
            failed[values.row] = ImportFailure(at: rows[values.row].place, because: ImportError.takenValues(error))
        }
    }

    private mutating func countConflict(_ error: any Error, allowing retries: Int? = nil) throws {
        conflicts += 1
        if conflicts > retries ?? options.retries { throw error }
    }

    /// Leaves rows out of the next attempt. Returns `false` if there are none.
    private mutating func leaveOut(
        _ failures: [Int: ImportFailure], from context: ManagedObjectContext
    ) throws -> Bool {
        if failures.isEmpty { return false }
        failed.merge(failures) { first, _ in first }
        context.reset()
        return true
    }

    /// Ends the import at a row, unless one before it fails as well, which may be known only when it is written.
    private mutating func stop(at first: Int, in context: ManagedObjectContext) throws {
        guard let failure = failed[first] else { return }
        var writer = ChunkWriter(plan: plan, context: context)
        let outcome = try writer.write(Array(rows[..<first]), wanted: wanted, failed: failed)
        var earlier = outcome.newFailures(except: failed)
        if earlier.isEmpty { earlier = try writer.invalidRows(rows) }
        let isFirst = try !leaveOut(earlier, from: context)
        if isFirst { throw ImportError.rowFailed(failure) }
    }
}

@available(*, unavailable)
extension ChunkImport: Sendable {}

@available(*, unavailable)
extension ChunkImport.Attempt: Sendable {}

extension ChunkOutcome {
    /// Returns the failures by the rows' positions, without those that are known.
    fileprivate func newFailures(except known: [Int: ImportFailure]) -> [Int: ImportFailure] {
        var failures: [Int: ImportFailure] = [:]
        for (position, row) in rows.enumerated() where known[position] == nil {
            if case .failed(let failure) = row { failures[position] = failure }
        }
        return failures
    }
}

extension ImportError {
    static func rowFailed(_ failure: ImportFailure) -> ImportError {
        ImportError(
            .rowFailed,
            """
            The import stopped at \(failure). The chunks before it are kept. Correct the row and go on from there with \
            resumingAt, or let failing rows be reported by stopsAtFirstFailure = false.
            """, key: failure.key, place: failure.place, underlyingError: failure.error)
    }

    fileprivate static func takenValues(_ error: SaveError) -> ImportError {
        let names = Set(error.conflicts.flatMap(\.constraint)).sorted().joined(separator: ", ")
        return ImportError(
            .invalidValue,
            """
            Another object has a value that must be unique (\(names)), and another key. Correct the row, or relate the \
            entity by that attribute.
            """, entityName: error.entityName, underlyingError: error)
    }
}
