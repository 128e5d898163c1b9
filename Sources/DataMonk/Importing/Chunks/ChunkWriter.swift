import DataMonkCore

/// **Confined.** Matches the rows of a chunk with the objects of a context, and sets what they say: one attempt.
///
/// Rows find what the rows before them have made of the objects, as if each had a chunk of its own: an object that a row has
/// created, whatever leads to it, and one whose key a row has changed by its new key alone.
struct ChunkWriter {
    private let plan: ImportPlan
    let context: ManagedObjectContext
    /// The objects by their keys, for each table of the plan. Those with former keys leave when they are met.
    private var tables: [ObjectTable]
    /// The objects that rows change, if code of classes may change any, or if there is an audit.
    private let changes: RowChanges?
    /// Finds the rows that fail, if this attempt is made for that.
    private let audit: ChunkAudit?
    private var relatedInserted = 0

    init(plan: ImportPlan, context: ManagedObjectContext, changes: RowChanges?, audit: ChunkAudit?) {
        self.plan = plan
        self.context = context
        self.changes = changes
        self.audit = audit
        tables = Array(repeating: ObjectTable(), count: plan.tables.count)
    }

    /// Sets what the rows say.
    ///
    /// - Parameter failed: The failures of rows that are left out.
    /// - Returns: The outcome of each row; `nil` if another row has failed. Of an attempt with an audit, which has such failures,
    ///   the outcome of all rows.
    /// - Throws: ``/DataMonkCore/StoreError`` if the store fails, also if code of a class has read a substitute for a value;
    ///   ``/DataMonkCore/FetchError`` if others have deleted an object meanwhile; `CancellationError`.
    mutating func write(
        _ rows: some Sequence<PreparedRow>, wanted: WantedObjects, failed: [Int: ImportFailure]
    ) throws -> ChunkOutcome? {
        for query in wanted.queries { try find(query) }
        var outcomes: [RowOutcome] = []
        outcomes.reserveCapacity(rows.underestimatedCount)
        for (position, prepared) in rows.enumerated() {
            if position % Self.rowsBetweenChecks == 0 { try Task.checkCancellation() }
            if let failure = failed[position] {
                outcomes.append(.failed(failure))
                continue
            }
            guard let outcome = try write(prepared, at: position) else { return nil }
            outcomes.append(outcome)
        }
        return ChunkOutcome(rows: outcomes, relatedInserted: relatedInserted)
    }

    private static var rowsBetweenChecks: Int { 256 }

    /// Writes a row. Returns `nil` if it has failed without an audit; with one, it is taken back.
    private mutating func write(_ prepared: PreparedRow, at position: Int) throws -> RowOutcome? {
        beginRow()
        var outcome = RowOutcome.unchanged
        var failure: (any Error)?
        do {
            outcome = try context.withoutSaving { try self.outcome(of: prepared) }
        } catch let error as RowError {
            failure = error.error
        } catch let error as SaveError where !error.isOfReading {
            // Code of a class has tried to discard what the rows have set.
            failure = error
        }
        var changed = changes?.take() ?? []
        let dropped = try context.failureOfAccesses()
        failure = failure ?? dropped
        if failure != nil, audit == nil { return nil }
        if changes == nil { return outcome }
        // Code of a class may have changed any object.
        if case .unchanged = outcome, plan.isHooked, !changed.isEmpty { outcome = .updated }
        if let audit, let failure = try audit.end(position, changed: &changed, error: failure) {
            for table in tables.indices { tables[table].takeBackRow() }
            return .failed(ImportFailure(at: prepared.place, because: failure))
        }
        for object in changed { try place(object) }
        return outcome
    }

    private mutating func beginRow() {
        guard let audit else { return }
        audit.begin()
        for table in tables.indices { tables[table].beginRow() }
    }

    /// **Value.** An error that is the failure of its row. One of a hook is, whatever it is: a hook may look for an object that
    /// there is not.
    private struct RowError: Error {
        let error: any Error
    }

    private mutating func outcome(of prepared: PreparedRow) throws -> RowOutcome {
        do {
            let before = relatedInserted
            let written = try write(prepared.object, isRelated: false)
            if written.isSkipped { return .skipped }
            if written.isNew { return .inserted }
            return written.isChanged || relatedInserted > before ? .updated : .unchanged
        } catch {
            throw error is RowError || error.endsChunk ? error : RowError(error: error)
        }
    }

    private func run<Value>(_ hook: () throws -> Value) throws -> Value {
        do { return try hook() } catch { throw error.isOfReading ? error : RowError(error: error) }
    }

    private mutating func find(_ query: WantedObjects.Query) throws {
        guard case .key(let positions, _) = plan.mappings[query.mapping].identity else { return }
        let mapping = plan.mappings[query.mapping]
        tables[query.table].reserveCapacity(forMore: query.keys.count)
        for request in query.requests(of: plan) {
            for object in try context.fetch(request) {
                guard let key = try mapping.key(of: object, at: positions) else { continue }
                tables[query.table].add(object, for: key)
            }
        }
    }

    // MARK: Objects

    private struct Written {
        let object: ManagedObject
        var isNew = false
        var isChanged = false
        /// The object's class does not want the row, or has deleted the object.
        var isSkipped = false
    }

    /// Sets what a row, or a part of one, says of an object.
    ///
    /// - Parameter known: The object, if the row does not need to say which one it is.
    private mutating func write(
        _ prepared: PreparedObject, isRelated: Bool, onto known: ManagedObject? = nil
    ) throws -> Written {
        var written = try object(for: prepared, or: known)
        // A mere key says nothing of the object that was found by it.
        if prepared.isReference, !written.isNew { return written }
        let mapping = plan.mappings[prepared.mapping]
        // Nor is it anything that a hook could judge.
        let hooks = mapping.isHooked && !prepared.isReference ? written.object as? any ImportHooks : nil
        if let hooks {
            guard try run({ try hooks.shouldImport(prepared.source) }) else { return skip(written) }
            try run { try hooks.willImport(prepared.source) }
        }
        try writeValues(of: prepared, onto: &written, hooks)
        if plan.changesKeys(prepared.mapping) { try place(written.object) }
        try writeLinks(of: prepared, onto: &written, hooks)
        if let hooks, !written.object.isDeleted { try run { try hooks.didImport(prepared.source) } }
        // Code of a class, its own or that of an object inside of it, has deleted it.
        if written.object.isDeleted { return Written(object: written.object, isSkipped: true) }
        if written.isNew, isRelated { relatedInserted += 1 }
        return written
    }

    private func writeValues(
        of prepared: PreparedObject, onto written: inout Written, _ hooks: (any ImportHooks)?
    ) throws {
        let mapping = plan.mappings[prepared.mapping]
        let object = written.object
        for given in prepared.values where !object.isDeleted {
            let imported = mapping.attributes[given.position]
            if let hooks, try run({ try hooks.importValue(given.value, forKey: imported.attribute.name) }) { continue }
            if hooks != nil, object.isDeleted { return }
            let value = mapping.isHooked ? try imported.converted(given.value, isCell: prepared.hasCells) : given.value
            let whole = imported.attribute.type == .composite ? try imported.whole(value, of: object) : value
            if try object.assign(whole, to: imported.attribute) { written.isChanged = true }
        }
    }

    private mutating func writeLinks(
        of prepared: PreparedObject, onto written: inout Written, _ hooks: (any ImportHooks)?
    ) throws {
        for link in prepared.links where !written.object.isDeleted {
            let imported = plan.mappings[prepared.mapping].relationships[link.position]
            let name = imported.relationship.name
            if let hooks, try run({ try hooks.importValue(prepared.value(of: imported), forKey: name) }) { continue }
            if try write(link, to: imported, of: written) { written.isChanged = true }
        }
    }

    private mutating func object(for prepared: PreparedObject, or known: ManagedObject?) throws -> Written {
        let mapping = plan.mappings[prepared.mapping]
        // The object that is there may be of another entity than those that the relationship's className makes.
        if let known, known.entity.isKind(of: mapping.entity) { return Written(object: known) }
        guard let key = prepared.key, case .key(let positions, let table) = mapping.identity else {
            return Written(object: try insert(mapping.entity), isNew: true)
        }
        while let found = tables[table][key] {
            if try found.isDeleted || plan.isMatchedInOrder && mapping.key(of: found, at: positions) != key {
                tables[table].removeFirst(of: key)
            } else if found.entity.isKind(of: mapping.entity) {
                return Written(object: found)
            } else {
                throw ImportError.otherEntity(found.entity, than: mapping.entity)
            }
        }
        let object = try insert(mapping.entity)
        tables[table].addFirst(object, for: key)
        return Written(object: object, isNew: true)
    }

    private func insert(_ entity: Entity) throws -> ManagedObject {
        if entity.isAbstract { throw ImportError.abstractEntity(entity) }
        return try context.insert(entity)
    }

    private func skip(_ written: Written) -> Written {
        if written.isNew { context.delete(written.object) }
        return Written(object: written.object, isSkipped: true)
    }

    // MARK: Keys

    /// Lets the rows that follow find an object by the keys that it has now.
    private mutating func place(_ object: ManagedObject) throws {
        if object.isDeleted { return }
        for position in plan.keyedMappings {
            let mapping = plan.mappings[position]
            guard case .key(let positions, let table) = mapping.identity,
                object.entity.isKind(of: plan.tables[table].root), let key = try mapping.key(of: object, at: positions)
            else { continue }
            tables[table].add(object, for: key)
        }
    }

    // MARK: Relationships

    /// Sets a relationship. Returns `true` if that, or an object at its other end, has changed.
    private mutating func write(
        _ link: PreparedObject.Link, to imported: ImportedRelationship, of owner: Written
    ) throws -> Bool {
        let relationship = imported.relationship
        if !relationship.isToMany { return try writeToOne(link.objects.first, to: relationship, of: owner) }
        var isChanged = false
        var members: [ManagedObject] = []
        try requireNewMembers(link, of: owner, relationship)
        for prepared in link.objects {
            let written = try write(prepared, isRelated: true)
            isChanged = isChanged || written.isChanged
            members.append(written.object)
        }
        // Code of a class may have deleted any of them.
        if owner.object.isDeleted { return isChanged }
        members.removeAll(where: \.isDeleted)
        if imported.order != nil, imported.keepsOthers {
            members = try owner.object.objects(forKey: relationship.name) + members
        }
        var seen: Set<ManagedObject> = []
        members = members.filter { seen.insert($0).inserted }
        if let order = imported.order { members = try members.sorted(using: [SortTerm(order.name)]) }
        let keepsOthers = imported.keepsOthers && imported.order == nil
        return try owner.object.assign(members, to: relationship, keepingOthers: keepsOthers) || isChanged
    }

    /// Throws an error if objects without a key might be among those that are there.
    private func requireNewMembers(
        _ link: PreparedObject.Link, of owner: Written, _ relationship: Entity.Relationship
    ) throws {
        // The object may be there because another row has led to it.
        if owner.isNew || link.objects.allSatisfy({ $0.key != nil }) { return }
        if try !owner.object.objects(forKey: relationship.name).isEmpty {
            throw ImportError.membersWithoutKey(relationship)
        }
    }

    /// Throws an error if other objects lead to an object without a key, which has changed for them as well.
    private func requireSoleOwner(of object: ManagedObject, by relationship: Entity.Relationship) throws {
        guard let inverse = relationship.inverse, inverse.isToMany else { return }
        if try object.objects(forKey: inverse.name).count > 1 { throw ImportError.sharedObjectWithoutKey(relationship) }
    }

    private mutating func writeToOne(
        _ prepared: PreparedObject?, to relationship: Entity.Relationship, of owner: Written
    ) throws -> Bool {
        guard let prepared else { return try owner.object.assign(nil, to: relationship) }
        // An object without a key is the one that is there.
        let known = prepared.key == nil ? try owner.object.assigned(relationship) : nil
        let written = try write(prepared, isRelated: true, onto: known)
        // A hook may change the object by itself.
        let mayDiffer = written.isChanged || plan.mappings[prepared.mapping].isHooked && !written.isSkipped
        if mayDiffer, let known, written.object === known { try requireSoleOwner(of: known, by: relationship) }
        if written.object.isDeleted || owner.object.isDeleted { return written.isChanged }
        return try owner.object.assign(written.object, to: relationship) || written.isChanged
    }
}

@available(*, unavailable)
extension ChunkWriter: Sendable {}

extension PreparedObject {
    /// The value of a relationship as the row has it.
    fileprivate func value(of imported: ImportedRelationship) -> ManagedValue {
        imported.path.value(in: source) ?? .null
    }
}
