/// Batch requests, which become ordinary change sets of the objects found.
extension InMemoryTransaction {
    private var reader: InMemoryReader { InMemoryReader(contents, directory: directory) }

    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey] { try reader.keys(fetch) }

    func present(_ keys: [ObjectKey]) throws -> [ObjectKey] {
        let reader = reader
        contents.base?.prepare(keys)
        let present = keys.filter { reader.stored($0) != nil }
        try contents.requireReadable()
        return present
    }

    func destinationKeys(of relationship: Entity.Relationship, from keys: [ObjectKey]) throws -> [ObjectKey] {
        let found = foundKeys(of: relationship, from: keys)
        try contents.requireReadable()
        return found
    }

    private func foundKeys(of relationship: Entity.Relationship, from keys: [ObjectKey]) -> [ObjectKey] {
        let reader = reader
        if relationship.isToMany { return keys.flatMap { contents.destinations(of: relationship, from: $0) } }
        return keys.compactMap { reader.stored($0)?.toOneKey(relationship.slot) }
    }

    func links(of relationship: Entity.Relationship, from owners: [ObjectKey]) throws -> [StoredLink] {
        let found = foundLinks(of: relationship, from: owners)
        try contents.requireReadable()
        return found
    }

    private func foundLinks(of relationship: Entity.Relationship, from owners: [ObjectKey]) -> [StoredLink] {
        if relationship.isToMany {
            return owners.flatMap { owner in
                contents.destinations(of: relationship, from: owner).map { StoredLink(owner: owner, destination: $0) }
            }
        }
        guard let inverse = relationship.inverse, !inverse.isToMany else { return [] }
        let wanted = Set(owners)
        let references = owners.prefix(Self.narrowedCount).map { owner in
            Condition.compare(inverse.name, .equal, .object(AnyObjectID(key: owner, directory: directory)))
        }
        var found: [StoredLink] = []
        contents.forEach(of: inverse.entity, where: owners.count > Self.narrowedCount ? nil : .or(references)) {
            stored in
            guard layout(stored.key).entity.isKind(of: inverse.entity),
                let owner = ObjectKey(slot: RowFormat.word(in: stored.row.pointer, at: inverse.slot)),
                wanted.contains(owner)
            else { return true }
            found.append(StoredLink(owner: owner, destination: stored.key))
            return true
        }
        return found
    }

    func update(
        _ update: ResolvedBatchUpdate, check: (ManagedValue, Entity.Attribute) throws -> Void
    ) throws -> [BatchChanges.Written] {
        var changes = ChangeSet()
        var arena = RowArena()
        let slots = SlotSet(update.assignments.map(\.property.slot))
        for object in try reader.page(update.fetch) {
            let draft = copy(of: object.row, layout(object.objectKey))
            for assignment in update.assignments {
                try assign(assignment, constants: update.constants, of: object, to: draft, check: check)
            }
            try draft.requireAllValues(of: layout(object.objectKey).entity)
            changes.updated.append(change(of: object, draft: draft, slots: slots, in: &arena))
        }
        return try write(updates: changes, of: update.fetch.entity)
    }

    func clear(_ relationship: Entity.Relationship, of keys: [ObjectKey]) throws -> [BatchChanges.Written] {
        let reader = reader
        var changes = ChangeSet()
        var arena = RowArena()
        contents.base?.prepare(keys)
        for object in keys.compactMap(reader.stored) {
            let draft = copy(of: object.row, layout(object.objectKey))
            RowEditor(draft).setNull(relationship.slot)
            changes.updated.append(change(of: object, draft: draft, slots: SlotSet([relationship.slot]), in: &arena))
        }
        return try write(updates: changes, of: relationship.entity)
    }

    func delete(_ keys: [ObjectKey]) throws {
        var changes = ChangeSet()
        changes.deleted = keys.map { ChangeSet.Deletion(key: $0, base: nil) }
        _ = try write(changes)
    }

    // MARK: Rows

    private func assign(
        _ assignment: ResolvedBatchUpdate.Assignment, constants: Row, of object: InMemoryObject, to draft: DraftRow,
        check: (ManagedValue, Entity.Attribute) throws -> Void
    ) throws {
        guard let expression = assignment.expression, let attribute = assignment.property.attribute else {
            return layout(object.objectKey).copy(assignment.property.slot, from: constants.pointer, to: draft)
        }
        let value = try expression.value(for: attribute, of: object) ?? .null
        if !attribute.isDerived { try check(value, attribute) }
        var editor = RowEditor(draft)
        attribute.write(value, to: &editor)
    }

    private func copy(of row: Row, _ layout: EntityLayout) -> DraftRow {
        DraftRow(copying: row.pointer, of: layout, base: row)
    }

    private func change(
        of object: InMemoryObject, draft: DraftRow, slots: SlotSet, in arena: inout RowArena
    ) -> ChangeSet.ObjectChange {
        let row = layout(object.objectKey).seal(
            draft, version: RowFormat.version(after: object.row.version), in: &arena)
        return ChangeSet.ObjectChange(key: object.objectKey, row: row, base: object.row, changed: slots)
    }

    private func write(updates changes: ChangeSet, of entity: Entity) throws -> [BatchChanges.Written] {
        let conflicts = try write(changes)
        if let conflict = conflicts.first {
            throw SaveError.duplicate(conflict.duplicate?.constraint ?? [], of: entity)
        }
        return changes.updated.map { BatchChanges.Written(key: $0.key, version: $0.row.version) }
    }
}
