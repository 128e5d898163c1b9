import DataMonkCore

/// **Confined.** Matches the rows of a chunk with the objects of a context, and sets what they say: one attempt.
///
/// Rows find what the rows before them have made of the objects, as if each had a chunk of its own: an object that a row has
/// created, whatever leads to it, and one whose key a row has changed by its new key alone.
struct ChunkWriter {
    private let plan: ImportPlan
    let context: ManagedObjectContext
    /// The objects by their keys, for each table of the plan.
    private var tables: [ObjectTable]
    /// The objects that a row has created or changed, with the row's position in the chunk.
    private(set) var touched: [(row: Int, object: ManagedObject)] = []
    private var row = 0
    private var relatedInserted = 0
    /// The rows that have made watched objects invalid.
    var culprits: [AnyObjectID: (row: Int, problem: any Error)] = [:]

    init(plan: ImportPlan, context: ManagedObjectContext) {
        self.plan = plan
        self.context = context
        tables = Array(repeating: ObjectTable(), count: plan.tables.count)
    }

    /// Sets what the rows say.
    ///
    /// - Parameters:
    ///   - failed: The failures of rows that are left out.
    ///   - watched: Objects that no row is about, but that some row makes invalid: it fails for that.
    /// - Returns: The outcome of each row. If it has other failures than `failed`, the changes of those rows are incomplete:
    ///   take all back, and write the chunk without them.
    /// - Throws: ``/DataMonkCore/StoreError`` if the store fails; ``/DataMonkCore/FetchError`` if others have deleted an object
    ///   meanwhile.
    mutating func write(
        _ rows: [PreparedRow], wanted: WantedObjects, failed: [Int: ImportFailure],
        watching watched: Set<AnyObjectID> = []
    ) throws -> ChunkOutcome {
        touched.reserveCapacity(rows.count)
        for query in wanted.queries { try find(query) }
        var outcomes: [RowOutcome] = []
        outcomes.reserveCapacity(rows.count)
        for (position, prepared) in rows.enumerated() {
            row = position
            if let failure = failed[position] {
                outcomes.append(.failed(failure))
            } else {
                outcomes.append(try outcome(of: prepared))
                try watch(watched, after: position)
            }
        }
        for (row, problem) in culprits.values {
            outcomes[row] = .failed(ImportFailure(at: rows[row].place, because: problem))
        }
        return ChunkOutcome(rows: outcomes, relatedInserted: relatedInserted)
    }

    private mutating func outcome(of prepared: PreparedRow) throws -> RowOutcome {
        do {
            let before = relatedInserted
            let written = try write(prepared.content.get(), isRelated: false)
            if written.isSkipped { return .skipped }
            if written.isNew { return .inserted }
            return written.isChanged || relatedInserted > before ? .updated : .unchanged
        } catch let failure as HookFailure {
            return .failed(ImportFailure(at: prepared.place, because: failure.error))
        } catch {
            if error.endsChunk { throw error }
            return .failed(ImportFailure(at: prepared.place, because: error))
        }
    }

    /// **Value.** An error of a hook, which is its row's whatever it is: a hook may look for an object that there is not.
    private struct HookFailure: Error {
        let error: any Error
    }

    private func run<Value>(_ hook: () throws -> Value) throws -> Value {
        do { return try hook() } catch { throw error is StoreError ? error : HookFailure(error: error) }
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
        /// The object's class does not want the row.
        var isSkipped = false
        /// There is no object that a relationship could lead to.
        var isGone: Bool { isSkipped && object.isDeleted }
    }

    /// Sets what a row, or a part of one, says of an object.
    ///
    /// - Parameter known: The object, if the row does not need to say which one it is.
    private mutating func write(
        _ prepared: PreparedObject, isRelated: Bool, onto known: ManagedObject? = nil
    ) throws -> Written {
        var written = try object(for: prepared, known)
        // A mere key says nothing of the object that was found by it.
        if prepared.isReference, !written.isNew { return written }
        let mapping = plan.mappings[prepared.mapping]
        var keys = try keys(before: written, in: prepared.mapping)
        // Nor is it anything that a hook could judge.
        let hooks = mapping.isHooked && !prepared.isReference ? written.object as? any ImportHooks : nil
        if let hooks {
            guard try run({ try hooks.shouldImport(prepared.source) }) else { return skip(written, for: prepared) }
            try run { try hooks.willImport(prepared.source) }
        }
        if written.isNew, isRelated { relatedInserted += 1 }
        for (position, value) in prepared.values {
            let attribute = mapping.attributes[position]
            if let hooks, try run({ try hooks.importValue(value, forKey: attribute.attribute.name) }) {
                written.isChanged = written.isChanged || written.object.hasChanges
                continue
            }
            let converted = mapping.isHooked ? try attribute.converted(value, isCell: prepared.hasCells) : value
            let whole = try attribute.whole(converted, of: written.object)
            if try written.object.assign(whole, to: attribute.attribute) { written.isChanged = true }
        }
        try move(written.object, in: prepared.mapping, from: &keys)
        for link in prepared.links {
            let imported = mapping.relationships[link.position]
            let name = imported.relationship.name
            if let hooks, try run({ try hooks.importValue(prepared.value(of: imported), forKey: name) }) {
                written.isChanged = written.isChanged || written.object.hasChanges
                continue
            }
            if try write(link, to: imported, of: written) { written.isChanged = true }
        }
        if let hooks {
            try run { try hooks.didImport(prepared.source) }
            try move(written.object, in: prepared.mapping, from: &keys)
            written.isChanged = written.isChanged || written.object.hasChanges
        }
        if written.isNew || written.isChanged { touched.append((row, written.object)) }
        return written
    }

    private mutating func object(for prepared: PreparedObject, _ known: ManagedObject?) throws -> Written {
        let mapping = plan.mappings[prepared.mapping]
        // The object that is there may be of another entity than those that the relationship's className makes.
        if let known, known.entity.isKind(of: mapping.entity) { return Written(object: known) }
        guard let key = prepared.key, case .key(_, let table) = mapping.identity else {
            return Written(object: try insert(mapping.entity), isNew: true)
        }
        while let found = tables[table][key] {
            if found.isDeleted {
                tables[table].remove(found, for: key)
            } else if found.entity.isKind(of: mapping.entity) {
                return Written(object: found)
            } else {
                throw ImportError.otherEntity(found.entity, than: mapping.entity)
            }
        }
        let object = try insert(mapping.entity)
        tables[table].add(object, for: key)
        return Written(object: object, isNew: true)
    }

    private func insert(_ entity: Entity) throws -> ManagedObject {
        if entity.isAbstract { throw ImportError.abstractEntity(entity) }
        return try context.insert(entity)
    }

    private mutating func skip(_ written: Written, for prepared: PreparedObject) -> Written {
        if written.isNew {
            context.delete(written.object)
            if let key = prepared.key, case .key(_, let table) = plan.mappings[prepared.mapping].identity {
                tables[table].remove(written.object, for: key)
            }
        }
        return Written(object: written.object, isSkipped: true)
    }

    // MARK: Keys

    /// Returns the keys, by their tables, that an object has before a row is written; none of a new object.
    private func keys(before written: Written, in mapping: Int) throws -> [Int: ImportKey] {
        written.isNew || !plan.changesKeys(mapping) ? [:] : try keys(of: written.object)
    }

    private func keys(of object: ManagedObject) throws -> [Int: ImportKey] {
        var keys: [Int: ImportKey] = [:]
        if object.isDeleted { return keys }
        for mapping in plan.keyedMappings.lazy.map({ plan.mappings[$0] }) where object.entity.isKind(of: mapping.entity)
        {
            guard case .key(let positions, let table) = mapping.identity else { continue }
            keys[table] = try mapping.key(of: object, at: positions)
        }
        return keys
    }

    /// Lets the rows that follow find an object by the keys that it has now, and no longer by those that it had.
    private mutating func move(
        _ object: ManagedObject, in mapping: Int, from keys: inout [Int: ImportKey]
    ) throws {
        guard plan.changesKeys(mapping) else { return }
        let present = try self.keys(of: object)
        for (table, key) in keys where present[table] != key { tables[table].remove(object, for: key) }
        for (table, key) in present where keys[table] != key { tables[table].add(object, for: key) }
        keys = present
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
        for prepared in link.objects {
            if prepared.key == nil, !owner.isNew { throw ImportError.membersWithoutKey(relationship) }
            let written = try write(prepared, isRelated: true)
            if written.isGone { continue }
            isChanged = isChanged || written.isChanged
            members.append(written.object)
        }
        if imported.order != nil, imported.keepsOthers {
            members = try owner.object.objects(forKey: relationship.name) + members
        }
        var seen: Set<ManagedObject> = []
        members = members.filter { seen.insert($0).inserted }
        if let order = imported.order { members = try members.sorted(using: [SortTerm(order.name)]) }
        let keepsOthers = imported.keepsOthers && imported.order == nil
        return try owner.object.assign(members, to: relationship, keepingOthers: keepsOthers) || isChanged
    }

    private mutating func writeToOne(
        _ prepared: PreparedObject?, to relationship: Entity.Relationship, of owner: Written
    ) throws -> Bool {
        guard let prepared else { return try owner.object.assign(nil, to: relationship) }
        // An object without a key is the one that is there.
        let known = prepared.key == nil ? try owner.object.assigned(relationship) : nil
        let written = try write(prepared, isRelated: true, onto: known)
        if written.isGone { return false }
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

extension ImportError {
    fileprivate static func otherEntity(_ found: Entity, than wanted: Entity) -> ImportError {
        ImportError(
            .invalidRelationship,
            "The object with this key is a \(found.name), and no \(wanted.name). Give the row another key.",
            entityName: wanted.name)
    }

    fileprivate static func abstractEntity(_ entity: Entity) -> ImportError {
        ImportError(
            .invalidRelationship,
            """
            There is no object with this key, and \(entity.name) is abstract, so that none can be made. Import the \
            sub-entities, or name one by \(ImportNote.className.rawValue) in the relationship's user info.
            """, entityName: entity.name)
    }

    fileprivate static func membersWithoutKey(_ relationship: Entity.Relationship) -> ImportError {
        ImportError(
            .invalidRelationship,
            """
            The objects of \(relationship.entity.name).\(relationship.name) have no key, so that they cannot be told from those \
            that are there. Name one by \(ImportNote.relatedByAttribute.rawValue) in the user info of \(relationship.destination.name).
            """, entityName: relationship.entity.name, key: relationship.name)
    }
}
