import DataMonkCore

/// **Confined.** Finds the rows of a chunk that fail, in an attempt that is made when another one has shown that some do.
///
/// Each row is a user event of the context. So what it has changed is known, whatever did that: its values, the other end of
/// a relationship, or code of a class.
///
/// 1. A row is to blame for an object that it has left invalid, unless a later row makes that valid again.
/// 2. Of objects with the same unique values, the row is to blame that has given them to one of these last.
/// 3. What a failing row has changed is taken back in the next attempt. A row that meets such an object may be all right then,
///    or fail for another reason: it is in doubt, and so are those that meet what it has changed.
final class ChunkAudit {
    /// **Confined.** A row, and what it has done.
    private struct Step {
        let row: Int
        let failure: (any Error)?
        /// The objects with values that it has changed, in the order of their first changes.
        let changed: [ManagedObject]
        /// The objects that it has found or made.
        let reached: [ManagedObject]
    }

    /// **Confined.** The unique attributes of one object.
    private struct Subject: Hashable {
        let object: ManagedObject
        let names: [String]
    }

    private let context: ManagedObjectContext
    /// The sets of attributes whose unique values are followed.
    private let constraints: Set<[String]>
    private var observation: ContextObservation?
    /// The objects of the row that has just ended.
    private var event: [ManagedObject] = []
    private var steps: [Step] = []
    /// The objects that are invalid, with the rows that have made them so.
    private var problems: [ObjectIdentifier: (row: Int, error: any Error)] = [:]
    private var lastChanges: [ObjectIdentifier: Int] = [:]
    /// The unique values of objects, with the rows that have set them; `nil` for those that were stored.
    private var given: [Subject: (values: ImportKey, row: Int?)] = [:]

    init(_ context: ManagedObjectContext, constraints: Set<[String]>) {
        self.context = context
        self.constraints = constraints
        observation = context.observeChanges { [weak self] changes in
            self?.event += changes.inserted + changes.updated + changes.deleted
        }
    }

    /// Ends a row.
    ///
    /// - Throws: ``/DataMonkCore/StoreError`` if the store fails meanwhile, which is no row's failure.
    func end(_ row: Int, reached: [ManagedObject], failure: (any Error)?) throws {
        event = []
        context.processPendingChanges()
        for object in event {
            let id = ObjectIdentifier(object)
            lastChanges[id] = row
            if let error = try object.problem() {
                if problems[id] == nil { problems[id] = (row, error) }
            } else {
                problems[id] = nil
            }
            for names in constraints { try follow(names, of: object, after: row) }
        }
        // An object of which only the other ends of relationships have changed has nothing to be taken back.
        steps.append(Step(row: row, failure: failure, changed: event.filter(\.hasChanges), reached: reached))
    }

    private func follow(_ names: [String], of object: ManagedObject, after row: Int) throws {
        let subject = Subject(object: object, names: names)
        guard !object.isDeleted, let values = try object.uniqueValues(names) else {
            given[subject] = nil
            return
        }
        if let known = given[subject] {
            if known.values != values { given[subject] = (values, row) }
            return
        }
        let isStored = try !object.isInserted && object.storedUniqueValues(names) == values
        given[subject] = (values, isStored ? nil : row)
    }

    // MARK: Blame

    /// Returns the rows that certainly fail, with the reasons.
    func failures() throws -> [Int: any Error] {
        for object in context.changedObjects where problems[ObjectIdentifier(object)] == nil {
            // Its validity depends on other objects, if that was not seen at the row which has changed it.
            guard let row = lastChanges[ObjectIdentifier(object)], let error = try object.problem() else { continue }
            problems[ObjectIdentifier(object)] = (row, error)
        }
        var failures: [Int: any Error] = [:]
        for step in steps { failures[step.row] = step.failure ?? firstProblem(of: step) }
        return certain(failures)
    }

    private func firstProblem(of step: Step) -> (any Error)? {
        let problems = step.changed.lazy.compactMap { self.problems[ObjectIdentifier($0)] }
        return problems.first { $0.row == step.row }?.error
    }

    /// Returns the rows that certainly fail for an error of a save, which code of classes has caused.
    func failures(of error: SaveError) -> [Int: any Error] {
        let rows = Dictionary(
            context.changedObjects.compactMap { object in
                lastChanges[ObjectIdentifier(object)].map { (object.anyObjectID, $0) }
            }, uniquingKeysWith: { first, _ in first })
        let blamed = error.validationProblems.compactMap { rows[$0.objectID] }
        return certain(Dictionary(blamed.map { ($0, error) }, uniquingKeysWith: { first, _ in first }))
    }

    /// Returns the rows that certainly fail since other objects have their unique values.
    func failures(of conflicts: [MergeConflict], because error: any Error) -> [Int: any Error] {
        let objects = Dictionary(
            context.changedObjects.map { ($0.anyObjectID, $0) }, uniquingKeysWith: { first, _ in first })
        var failures: [Int: any Error] = [:]
        for conflict in conflicts {
            let rivals = [conflict.objectID, conflict.storedObjectID].compactMap { objects[$0] }
            let rows = rivals.compactMap { rival in
                given[Subject(object: rival, names: conflict.constraint)]?.row
            }
            guard let row = rows.max() ?? rivals.first.flatMap({ lastChanges[ObjectIdentifier($0)] }) else { continue }
            failures[row] = error
        }
        return certain(failures)
    }

    /// Returns the rows that certainly fail since other objects have their unique values, as a save would find them.
    func failuresOfTakenValues() throws -> [Int: any Error] {
        var failures: [Int: any Error] = [:]
        for (subject, value) in given where value.row != nil {
            let (entity, names) = (subject.object.entity, subject.names)
            let declaring = (entity.ancestors + [entity]).first { entity in
                names.allSatisfy { entity.propertiesByName[$0] != nil }
            }
            var request = FetchRequest(entityName: (declaring ?? entity).name)
            request.condition = .and(zip(names, value.values.values).map { .compare($0, .equal, $1) })
            let holders = try context.fetch(request)
            if holders.count < 2 { continue }
            let rows = holders.compactMap { given[Subject(object: $0, names: names)]?.row }
            guard let row = rows.max() else { continue }
            failures[row] = ImportError.takenValues(names, of: entity.name)
        }
        return certain(failures)
    }

    /// Returns the failures that are not in doubt. The first one never is.
    private func certain(_ failures: [Int: any Error]) -> [Int: any Error] {
        var certain: [Int: any Error] = [:]
        var doubtful: Set<ObjectIdentifier> = []
        for step in steps {
            let failure = failures[step.row]
            if failure == nil, doubtful.isEmpty { continue }
            let isInDoubt = (step.changed + step.reached).contains { doubtful.contains(ObjectIdentifier($0)) }
            if let failure, !isInDoubt { certain[step.row] = failure }
            if failure != nil || isInDoubt { doubtful.formUnion(step.changed.map(ObjectIdentifier.init)) }
        }
        return certain
    }
}

@available(*, unavailable)
extension ChunkAudit: Sendable {}

extension ManagedObjectContext {
    /// The objects with unsaved changes.
    fileprivate var changedObjects: [ManagedObject] { insertedObjects + updatedObjects + deletedObjects }

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

    /// Returns the values of attributes that are unique together, or `nil` if the entity lacks some or one has no value.
    func uniqueValues(_ names: [String]) throws -> ImportKey? {
        if !names.allSatisfy({ entity.propertiesByName[$0] != nil }) { return nil }
        return ImportKey(try names.map { try value(forKey: $0) })
    }

    fileprivate func storedUniqueValues(_ names: [String]) throws -> ImportKey? {
        let values = try committedValues(forKeys: names)
        return ImportKey(names.map { values[$0] ?? .null })
    }
}

extension ImportKey {
    /// Creates the key of several values; `nil` if one is null.
    fileprivate init?(_ values: [ManagedValue]) {
        let keys = values.compactMap { ImportKey($0) }
        if keys.count < values.count { return nil }
        self = .several(keys)
    }
}
