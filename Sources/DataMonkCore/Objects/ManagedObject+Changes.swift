extension ManagedObject {
    /// The unsaved values, by name: of each property that differs from what was last saved or read, in a new object from
    /// its default. To-ones are ids, to-manys lists of ids. Reads nothing: of a to-many whose members were not read,
    /// those that were added.
    ///
    ///     person.age = 18
    ///     person.changedValues()                  // ["age": .int(18)]
    ///     try context.save()
    ///     person.changedValues()                  // [:]
    public final nonisolated func changedValues() -> [String: ManagedValue] { changedValues(in: draft) }

    private nonisolated func changedValues(in draft: DraftRow?) -> [String: ManagedValue] {
        var values: [String: ManagedValue] = [:]
        if let draft {
            let layout = home.layout
            layout.changedSlots(of: draft, from: (draft.base ?? layout.initialRow).pointer).forEach { slot in
                values[entity.properties[slot].name] = value(of: slot, in: UnsafeRawPointer(draft.row))
            }
        }
        for relation in toManys where relation.hasChanges {
            values[relation.relationship.name] = ids(relation.isLoaded ? relation.elements : Array(relation.added))
        }
        return values
    }

    /// The values that were last saved or read, by name, of some properties or of all. To-ones are ids, to-manys lists of
    /// ids; new objects have none but nil.
    ///
    ///     person.age = 18
    ///     try person.committedValues(forKeys: ["age"])        // ["age": .int(17)]
    ///
    /// - Parameter keys: names of properties; nil for every attribute and to-one.
    /// - Throws: ``FetchError`` with the nearest right name for an unknown one, and for a to-many of an object whose context
    ///   is gone; ``StoreError`` if the values cannot be read.
    /// - Complexity: one read of the row of a fault, and one for each to-many whose members were not read.
    public final nonisolated func committedValues(forKeys keys: [String]? = nil) throws -> [String: ManagedValue] {
        let properties = try keys.map { try $0.map { try property(named: $0) } } ?? entity.properties
        if row == nil { _ = try home.context?.fulfillLazilyOrThrow(self) ?? fulfill() }
        let storedRow = try readStoredRow()
        let stored = storedRow.pointer
        var values: [String: ManagedValue] = [:]
        for property in properties {
            if let relationship = property.relationship, relationship.isToMany {
                if keys != nil { values[property.name] = ids(try committedMembers(of: relationship)) }
            } else {
                values[property.name] = value(of: property.slot, in: stored)
            }
        }
        return values
    }

    /// The row that the store last gave. Of an object that was changed when its row could not be read it is read now.
    private nonisolated func readStoredRow() throws -> Row {
        let empty = home.layout.emptyRow
        guard let row = storedRow else { return empty }
        let isUnread = draft != nil && row.pointer == empty.pointer && !state.contains(.inaccessible)
        return isUnread ? try home.context?.storedRow(of: key) ?? row : row
    }

    /// Whether there is something that a store would write: a change of a transient property is none.
    public final nonisolated var hasPersistentChangedValues: Bool {
        if isInserted || state.contains(.deleted) { return hasChanges }
        if let draft, !home.layout.storedChanges(of: draft).isEmpty { return true }
        return toManys.contains { $0.hasChanges && !$0.relationship.isTransient }
    }

    // MARK: Steps

    final nonisolated func value(of slot: Int, in row: UnsafeRawPointer) -> ManagedValue {
        switch entity.properties[slot] {
        case .attribute(let attribute): return attribute.value(in: row, of: self)
        case .relationship:
            return ObjectKey(slot: RowFormat.word(row, slot)).map { .object(id(of: $0)) } ?? .null
        }
    }

    /// The id of an object that this one leads to. Whoever is registered says it itself: a temporary one has to be known.
    private nonisolated func id(of key: ObjectKey) -> AnyObjectID {
        home.context?.identities.find(key)?.anyObjectID ?? AnyObjectID(key: key, directory: home.directory)
    }

    final nonisolated func ids(_ objects: [ManagedObject]) -> ManagedValue {
        .list(objects.map { .object($0.anyObjectID) })
    }

    private nonisolated func committedMembers(of relationship: Entity.Relationship) throws -> [ManagedObject] {
        if isInserted { return [] }
        guard let context = home.context else { throw FetchError.contextIsGone(entity) }
        let relation = try context.loadedToMany(relationship, of: self)
        return relation.elements.filter { !relation.added.contains($0) } + relation.removed
    }
}

extension EntityLayout {
    /// The slots in which a draft differs from a row.
    func changedSlots(of draft: DraftRow, from row: UnsafeRawPointer) -> SlotSet {
        var changed = SlotSet()
        for slot in 0..<slotCount where !isEqual(slot, UnsafeRawPointer(draft.row), row) { changed.insert(slot) }
        return changed
    }
}
