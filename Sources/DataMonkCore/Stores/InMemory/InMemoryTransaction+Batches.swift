/// Batch requests: change sets like any other, of what is found.
extension InMemoryTransaction {
    private var reader: InMemoryReader { InMemoryReader(contents, directory: directory) }

    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey] { try reader.keys(fetch) }

    func present(_ keys: [ObjectKey]) -> [ObjectKey] {
        let reader = reader
        return keys.filter { reader.stored($0) != nil }
    }

    func destinationKeys(of relationship: Entity.Relationship, from keys: [ObjectKey]) -> [ObjectKey] {
        let reader = reader
        if relationship.isToMany { return keys.flatMap { contents.destinations(of: relationship, from: $0) } }
        return keys.compactMap { reader.stored($0)?.toOneKey(relationship.slot) }
    }

    func update(
        _ update: ResolvedBatchUpdate, check: (ManagedValue, Entity.Attribute) throws -> Void
    ) throws -> [BatchChanges.Written] {
        var changes = ChangeSet()
        var arena = RowArena()
        for object in try reader.page(update.fetch) {
            let draft = copy(of: object.row, layout(object.objectKey))
            for assignment in update.assignments { try assign(assignment, update.constants, object, draft, check) }
            changes.updated.append(change(of: object, draft, in: &arena))
        }
        return try write(updates: changes, of: update.fetch.entity)
    }

    func clear(_ relationship: Entity.Relationship, of keys: [ObjectKey]) throws -> [BatchChanges.Written] {
        let reader = reader
        var changes = ChangeSet()
        var arena = RowArena()
        for object in keys.compactMap(reader.stored) {
            let draft = copy(of: object.row, layout(object.objectKey))
            RowEditor(draft).setNull(relationship.slot)
            changes.updated.append(change(of: object, draft, in: &arena))
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
        _ assignment: ResolvedBatchUpdate.Assignment, _ constants: Row, _ object: InMemoryObject, _ draft: DraftRow,
        _ check: (ManagedValue, Entity.Attribute) throws -> Void
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
        DraftRow(copying: row.pointer, slots: layout.slotCount, size: layout.size(of: row.pointer), base: row)
    }

    private func change(of object: InMemoryObject, _ draft: DraftRow, in arena: inout RowArena)
        -> ChangeSet.ObjectChange
    {
        let layout = layout(object.objectKey)
        let row = layout.seal(draft, version: object.row.version + 1, in: &arena)
        return ChangeSet.ObjectChange(
            key: object.objectKey, row: row, base: object.row, changed: layout.changedSlots(of: draft))
    }

    private func write(updates changes: ChangeSet, of entity: Entity) throws -> [BatchChanges.Written] {
        let conflicts = try write(changes)
        if let conflict = conflicts.first { throw SaveError.duplicate(conflict.duplicate?.constraint ?? [], entity) }
        return changes.updated.map { BatchChanges.Written(key: $0.key, version: $0.row.version) }
    }
}
