extension ManagedObject {
    /// Returns the unsaved values by name: those of each property that differs from the value last saved or read, or from
    /// its default in a new object. A to-one is an id, a to-many a list of ids. Reads nothing: for a to-many whose
    /// members have not been read, the list holds the members that were added.
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

    /// Returns the values last saved or read by name, for some properties or for all. A to-one is an id, a to-many a list
    /// of ids. All values of a new object are null.
    ///
    ///     person.age = 18
    ///     try person.committedValues(forKeys: ["age"])        // ["age": .int(17)]
    ///
    /// - Parameter keys: The names of properties; `nil` for every attribute and to-one.
    /// - Throws: ``FetchError`` for an unknown name, with the nearest correct one, and for a to-many of an object whose
    ///   context has been released; ``StoreError`` if the values cannot be read.
    /// - Complexity: One read for the row of a fault, and one for each to-many whose members have not been read.
    public final nonisolated func committedValues(forKeys keys: [String]? = nil) throws -> [String: ManagedValue] {
        let properties = try keys.map { try $0.map { try property(named: $0) } } ?? entity.properties
        if row == nil { _ = try home.context?.faults.fulfillLazilyOrThrow(self) ?? fulfill() }
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

    /// Returns the row last received from the store. Reads it now for an object that was changed when its row could not
    /// be read.
    private nonisolated func readStoredRow() throws -> Row {
        let empty = home.layout.emptyRow
        guard let row = storedRow else { return empty }
        let isUnread = draft != nil && row.pointer == empty.pointer && !state.contains(.inaccessible)
        return isUnread ? try home.context?.faults.storedRow(of: key) ?? row : row
    }

    /// Indicates whether there are changes for a store to write. Changes of transient properties do not count.
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
            return ObjectKey(slot: RowFormat.word(in: row, at: slot)).map { .object(id(of: $0)) } ?? .null
        }
    }

    /// Returns the id of an object at the other end of a relationship. A registered object provides its own id, because
    /// it records when a temporary id becomes known.
    private nonisolated func id(of key: ObjectKey) -> AnyObjectID {
        home.context?.identities.find(key)?.anyObjectID ?? AnyObjectID(key: key, directory: home.directory)
    }

    final nonisolated func ids(_ objects: [ManagedObject]) -> ManagedValue {
        .list(objects.map { .object($0.anyObjectID) })
    }

    private nonisolated func committedMembers(of relationship: Entity.Relationship) throws -> [ManagedObject] {
        if isInserted { return [] }
        guard let context = home.context else { throw FetchError.contextIsGone(entity) }
        let relation = try context.faults.loadedToMany(relationship, of: self)
        return relation.elements.filter { !relation.added.contains($0) } + relation.removed
    }
}
