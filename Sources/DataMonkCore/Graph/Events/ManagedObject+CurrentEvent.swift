extension ManagedObject {
    /// Returns the old values, by name, of the properties changed by the current user event, that is, since
    /// `processPendingChanges()` last reported changes. A to-one is an id, a to-many a list of ids. The old values of a
    /// new object are its defaults.
    ///
    ///     person.age = 18
    ///     context.processPendingChanges()
    ///     person.name = "Monk"
    ///     person.changedValuesForCurrentEvent()       // ["name": .string("")]
    ///     person.changedValues()                      // ["age": .int(18), "name": .string("Monk")]
    ///
    /// Within an observer of changes, the values are those of the event being reported; within `willSave` and validation,
    /// those of the event that the save has ended. Transient properties are omitted. Changes that were unsaved when the
    /// context got its first observer or its undo manager do not belong to any event.
    ///
    /// - Complexity: One look at each property. Reads nothing: for a to-many whose members have not been read, the list
    ///   contains the members that were removed.
    public final nonisolated func changedValuesForCurrentEvent() -> [String: ManagedValue] {
        guard let context = home.context else { return [:] }
        context.requireOwner()
        if let journal = context.journal {
            return journal.image(of: self).map(oldValues) ?? [:]
        }
        // No event has ended since the last save, so the current one has made every unsaved change.
        var values: [String: ManagedValue] = [:]
        if let draft {
            let before = (draft.base ?? home.layout.initialRow).pointer
            add(home.layout.changedSlots(of: draft, from: before), of: before, to: &values)
        }
        for relation in toManys where relation.hasChanges && !relation.relationship.isTransient {
            values[relation.relationship.name] = ids(
                relation.membersBefore(arrived: relation.added, left: relation.removed))
        }
        return values
    }

    private nonisolated func oldValues(_ image: BeforeImage) -> [String: ManagedValue] {
        var values: [String: ManagedValue] = [:]
        let before = image.rowBefore ?? (image.presence == .unborn ? home.layout.initialRow : nil)
        if let before, let row, row != before.pointer {
            add(home.layout.changedSlots(of: row, from: before.pointer), of: before.pointer, to: &values)
        }
        for change in image.relations where change.isChanged && !change.relation.relationship.isTransient {
            let members =
                change.orderBefore ?? change.relation.membersBefore(arrived: change.arrived, left: change.left)
            values[change.relation.relationship.name] = ids(members)
        }
        return values
    }

    private nonisolated func add(
        _ slots: SlotSet, of row: UnsafeRawPointer, to values: inout [String: ManagedValue]
    ) {
        slots.forEach { slot in
            let property = entity.properties[slot]
            if !property.isTransient { values[property.name] = value(of: slot, in: row) }
        }
    }
}

extension ToManyRelation {
    /// Returns the members without those added since and with those removed since; for a relation that is not loaded,
    /// only the latter are known.
    fileprivate func membersBefore(arrived: Set<ManagedObject>, left: Set<ManagedObject>) -> [ManagedObject] {
        (isLoaded ? elements.filter { !arrived.contains($0) } : []) + left
    }
}
