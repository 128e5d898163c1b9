import DataMonkCore

/// **Confined.** Finds the rows of a chunk that fail, in an attempt that is made when another one has shown that some do.
///
/// Each row is an undo step of the context: one that fails is taken back at once, so that no row after it sees what it has
/// done. A row fails
///
/// 1. if it cannot be written,
/// 2. if it leaves an object invalid that was valid before, after `willSave`, unless a later row makes that valid again,
/// 3. if it gives an object unique values that another one has, unless a later row changes these.
///
/// Only the end of the chunk shows that no later row does so, and the store tells then of its objects with the same values,
/// except in an update, whose commit may move these or settle them by its merge policy. In the next audit such rows are taken back at once as well. An object whose validity depends on others may have become
/// invalid by a row that has not changed it: in the next audit the rows that have changed it are watched.
final class ChunkAudit {
    /// **Confined.** The things that rows can leave wrong.
    private enum Subject: Hashable {
        case object(ManagedObject)
        case values(UniqueValues)
    }

    /// **Confined.** The state in which a row has left a subject; no error if nothing is wrong with it.
    private struct Finding {
        let subject: Subject
        let error: (any Error)?
    }

    /// The outcome of an audit.
    enum Verdict {
        /// These rows fail. If there are none, the attempt can be saved.
        case failures([Int: any Error])
        /// Another audit has to look at them again.
        case undecided(AuditTrail)
    }

    private let context: ManagedObjectContext
    private let changes: RowChanges
    private let trail: AuditTrail
    /// Indicates whether a row fails by a unique value that a stored object has. In an update, the commit decides on these.
    private let regardsStoredValues: Bool
    private let recorder = ContextUndoManager(isHidden: true)
    private var index = UniqueValueIndex()
    /// The subjects with which something is wrong, and the rows that have made it so.
    private var problems: [Subject: (rows: [Int], error: any Error)] = [:]
    private var failures: [Int: any Error] = [:]
    private var lastChanges: [ManagedObject: Int] = [:]
    /// The objects that watched rows have changed: any row after them may make these invalid.
    private var watched: Set<ManagedObject> = []

    /// Begins an audit in an empty context.
    init(
        _ context: ManagedObjectContext, changes: RowChanges, trail: AuditTrail, regardsStoredValues: Bool
    ) throws {
        self.regardsStoredValues = regardsStoredValues
        self.context = context
        self.changes = changes
        self.trail = trail
        context.recorder = recorder
        for object in try UniqueValueIndex.holders(of: trail.taken, in: context) {
            _ = try index.update(object, after: nil)
        }
    }

    // MARK: Rows

    /// Begins a row.
    func begin() {
        recorder.removeAllActions()
        recorder.beginUndoGrouping()
    }

    /// Ends a row, and takes it back if it fails.
    ///
    /// - Parameters:
    ///   - changed: The objects that it has changed; those that `willSave` changes are added.
    ///   - error: The reason why it could not be written.
    /// - Returns: The reason why it fails, or `nil` if it does not.
    /// - Throws: ``/DataMonkCore/StoreError`` if the store fails meanwhile, which is no row's failure.
    func end(_ row: Int, changed: inout [ManagedObject], error: (any Error)?) throws -> (any Error)? {
        var failure = error
        var findings: [Finding] = []
        var before: [(object: ManagedObject, holdings: UniqueValueIndex.Holdings?)] = []
        if failure == nil {
            do {
                try context.withoutSaving {
                    callWillSave(on: &changed)
                    before = changed.map { ($0, index.holdings(of: $0)) }
                    findings = try self.findings(in: changed, after: row)
                }
            } catch let error as SaveError where !error.isOfReading {
                // Code of a class has tried to discard what the rows have set.
                failure = error
            }
            let dropped = try context.failureOfAccesses()
            failure = failure ?? dropped
            if failure == nil, trail.isStrict(row) {
                failure = findings.first { $0.error != nil && problems[$0.subject] == nil }?.error
            }
        }
        recorder.endUndoGrouping()
        if let failure {
            try takeBack(before)
            failures[row] = failure
            return failure
        }
        // The corrections that validation has made belong to the row.
        changed += changes.take()
        for finding in findings { note(finding, after: row) }
        for object in changed { lastChanges[object] = row }
        if trail.watched.contains(row) { watched.formUnion(changed) }
        return nil
    }

    private func takeBack(_ before: [(object: ManagedObject, holdings: UniqueValueIndex.Holdings?)]) throws {
        recorder.undo()
        _ = changes.take()
        // A value that could not be set was a part of the row; one that cannot be read leaves it half taken back.
        _ = try context.failureOfAccesses()
        context.disregardFailedReads()
        for (object, holdings) in before { index.set(holdings, of: object) }
    }

    private func note(_ finding: Finding, after row: Int) {
        guard let error = finding.error else {
            problems[finding.subject] = nil
            return
        }
        problems[finding.subject, default: ([], error)].rows.append(row)
    }

    /// The number of times that `willSave` may change objects again. A save tells who never ends.
    private static let maximumRounds = 100

    /// Calls the code that a save of the row would call.
    private func callWillSave(on changed: inout [ManagedObject]) {
        var round = changed
        for _ in 0..<Self.maximumRounds where !round.isEmpty {
            for object in round where object.hasChanges { object.willSave() }
            round = changes.take()
            changed += round
        }
    }

    private func findings(in changed: [ManagedObject], after row: Int) throws -> [Finding] {
        var findings = try changed.map { Finding(subject: .object($0), error: try $0.problem()) }
        for object in watched.isEmpty ? [] : watched.subtracting(changed) {
            let finding = Finding(subject: .object(object), error: try object.problem())
            // The row has nothing to do with one that was invalid already.
            if finding.error == nil || problems[finding.subject] == nil { findings.append(finding) }
        }
        var touched: Set<UniqueValues> = []
        for object in changed { touched.formUnion(try index.update(object, after: row)) }
        findings += touched.map { values in
            Finding(subject: .values(values), error: index.isShared(values) ? ImportError.takenValues(values) : nil)
        }
        return findings
    }

    // MARK: Verdict

    /// Ends the audit.
    func finish() throws -> Verdict {
        context.recorder = nil
        let taken = regardsStoredValues ? try findHolders() : []
        let surprises = try self.surprises()
        try context.requireReads()
        if trail.mayGoOn, !problems.isEmpty || !surprises.isEmpty {
            return .undecided(
                trail.adding(
                    unhealed: Set(problems.values.flatMap(\.rows)), taken: taken, watched: Set(surprises.keys)))
        }
        for (rows, error) in problems.values { for row in rows { failures[row] = failures[row] ?? error } }
        // Without the rows that fail, the objects may be valid.
        return .failures(failures.isEmpty ? surprises : failures)
    }

    /// Returns the rows that have last changed objects which have become invalid since.
    private func surprises() throws -> [Int: any Error] {
        var surprises: [Int: any Error] = [:]
        for object in context.changedObjects where problems[.object(object)] == nil {
            if let row = lastChanges[object], let error = try object.problem() { surprises[row] = error }
        }
        return surprises
    }

    /// Looks for the objects in the store that have the values which rows have given others. Returns these values.
    private func findHolders() throws -> Set<UniqueValues> {
        let taken = try index.addHolders(in: context)
        for values in taken where problems[.values(values)] == nil {
            guard let row = index.lastRow(of: values) else { continue }
            problems[.values(values)] = ([row], ImportError.takenValues(values))
        }
        return taken
    }

    /// Returns the rows that have last changed the objects which a save refuses, though the audit has found nothing.
    func failures(of error: SaveError) -> [Int: any Error] {
        let ids = error.validationProblems.map(\.objectID) + error.conflicts.map(\.objectID)
        let rows = Dictionary(
            context.changedObjects.compactMap { object in lastChanges[object].map { (object.anyObjectID, $0) } },
            uniquingKeysWith: { first, _ in first })
        return Dictionary(ids.compactMap { rows[$0] }.map { ($0, error) }, uniquingKeysWith: { first, _ in first })
    }
}

@available(*, unavailable)
extension ChunkAudit: Sendable {}

extension ManagedObjectContext {
    /// The objects with unsaved changes.
    var changedObjects: [ManagedObject] { insertedObjects + updatedObjects + deletedObjects }

    /// Returns the reason why code of a class could not set a value; `nil` if there is none.
    ///
    /// - Throws: The error of a read that such code got a substitute for, which is no row's failure.
    func failureOfAccesses() throws -> (any Error)? {
        try requireReads()
        return failedAccesses.first?.cause
    }

    /// Returns `true` if an object cannot be saved.
    func hasInvalidObjects() throws -> Bool { try changedObjects.contains { try $0.problem() != nil } }
}

extension ManagedObject {
    /// Returns the reason why the object cannot be saved, or `nil` if it can be.
    ///
    /// - Throws: ``/DataMonkCore/StoreError`` if the store fails meanwhile.
    fileprivate func problem() throws -> (any Error)? {
        if !hasChanges { return nil }
        do {
            if isDeleted {
                try validateForDelete()
            } else if isInserted {
                try validateForInsert()
            } else {
                try validateForUpdate()
            }
            return nil
        } catch {
            if error.isOfReading { throw error }
            return error
        }
    }
}
