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
/// Only the end of the chunk shows that no later row does so, and the store tells then of its objects with the same values.
/// In the next audit such rows are taken back at once as well.
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
    private let recorder = ContextUndoManager(isHidden: true)
    private var index = UniqueValueIndex()
    /// The subjects with which something is wrong, and the rows that have made it so.
    private var problems: [Subject: (row: Int, error: any Error)] = [:]
    private var failures: [Int: any Error] = [:]
    private var lastChanges: [ManagedObject: Int] = [:]

    /// Begins an audit in an empty context.
    init(_ context: ManagedObjectContext, changes: RowChanges, trail: AuditTrail) throws {
        self.context = context
        self.changes = changes
        self.trail = trail
        context.recorder = recorder
        for object in try holders(of: trail.taken) { _ = try index.update(object, after: nil) }
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
            try context.withoutSaving { callWillSave(on: &changed) }
            before = changed.map { ($0, index.holdings(of: $0)) }
            findings = try self.findings(in: changed, after: row)
            if trail.isStrict(row) {
                failure = findings.first { $0.error != nil && problems[$0.subject] == nil }?.error
            }
        }
        recorder.endUndoGrouping()
        if let failure {
            recorder.undo()
            _ = changes.take()
            for (object, holdings) in before { index.set(holdings, of: object) }
            failures[row] = failure
            return failure
        }
        // The corrections that validation has made belong to the row.
        changed += changes.take()
        for finding in findings {
            problems[finding.subject] = finding.error.map { problems[finding.subject] ?? (row, $0) }
        }
        for object in changed { lastChanges[object] = row }
        return nil
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
        let taken = try findHolders()
        if !problems.isEmpty, trail.mayGoOn {
            return .undecided(trail.adding(unhealed: Set(problems.values.map(\.row)), taken: taken))
        }
        for (row, error) in problems.values { failures[row] = failures[row] ?? error }
        for object in context.changedObjects where problems[.object(object)] == nil {
            // Its validity depends on other objects, if that was not seen at the row which has changed it.
            guard let row = lastChanges[object], let error = try object.problem() else { continue }
            failures[row] = failures[row] ?? error
        }
        return .failures(failures)
    }

    /// Looks for the objects in the store that have the values which rows have given others. Returns these values.
    private func findHolders() throws -> Set<UniqueValues> {
        var taken: Set<UniqueValues> = []
        for object in try holders(of: index.given) {
            for values in try index.update(object, after: nil) where index.isShared(values) {
                guard problems[.values(values)] == nil, let row = index.lastRow(of: values) else { continue }
                problems[.values(values)] = (row, ImportError.takenValues(values))
                taken.insert(values)
            }
        }
        return taken
    }

    private func holders(of values: Set<UniqueValues>) throws -> [ManagedObject] {
        try Dictionary(grouping: values, by: \.constraint).flatMap { constraint, values in
            try FetchRequest.requests(for: Set(values.map(\.key)), by: constraint.names, of: constraint.entity)
                .flatMap { try context.fetch($0) }
        }
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
            if error is StoreError { throw error }
            return error
        }
    }
}
