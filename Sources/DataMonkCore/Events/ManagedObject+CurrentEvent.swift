extension ManagedObject {
    /// The old values, by name, of the properties that the running user event has changed: since
    /// `processPendingChanges()` last told of changes. To-ones are ids, to-manys lists of ids; a new object's old values are
    /// its defaults.
    ///
    ///     person.age = 18
    ///     context.processPendingChanges()
    ///     person.name = "Monk"
    ///     person.changedValuesForCurrentEvent()       // ["name": .string("")]
    ///     person.changedValues()                      // ["age": .int(18), "name": .string("Monk")]
    ///
    /// An observer of changes still sees the event that it is told of, and `willSave` and validation the one that the save
    /// has ended. Transient properties are left out. What was unsaved when a context's first observer or its undo manager
    /// came belongs to no event.
    ///
    /// - Complexity: a look at each property. Reads nothing: of a to-many whose members were not read it names those that
    ///   left.
    public final nonisolated func changedValuesForCurrentEvent() -> [String: ManagedValue] {
        guard let context = home.context else { return [:] }
        context.requireOwner()
        if let journal = context.journal {
            return journal.image(of: self).map(oldValues) ?? [:]
        }
        // No event has ended since the last save: the running one made every unsaved change.
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

    private nonisolated func oldValues(_ image: ObjectImage) -> [String: ManagedValue] {
        var values: [String: ManagedValue] = [:]
        let before = image.rowBefore ?? (image.presence == .unborn ? home.layout.initialRow : nil)
        if let before, let row, row != before.pointer {
            var slots = SlotSet()
            for slot in 0..<home.layout.slotCount where !home.layout.isEqual(slot, before.pointer, row) {
                slots.insert(slot)
            }
            add(slots, of: before.pointer, to: &values)
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
    /// The members without those that have come since, and with those that have gone; of a relation that is not loaded
    /// nothing is known but the latter.
    fileprivate func membersBefore(arrived: Set<ManagedObject>, left: Set<ManagedObject>) -> [ManagedObject] {
        (isLoaded ? elements.filter { !arrived.contains($0) } : []) + left
    }
}
