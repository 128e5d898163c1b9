/// **Value.** A change of one object by a change set or a batch request, to be recorded in a history.
package struct HistoryEntry: Sendable {
    package let type: HistoryChange.ChangeType
    package let key: ObjectKey
    /// The changed slots of an update.
    package var slots: SlotSet

    package init(_ type: HistoryChange.ChangeType, of key: ObjectKey, slots: SlotSet = SlotSet()) {
        self.type = type
        self.key = key
        self.slots = slots
    }
}

extension ChangeSet {
    /// The entries of the change set: inserted objects, then updated and deleted ones. An object of which only links changed
    /// counts as updated.
    package var historyEntries: [HistoryEntry] {
        var entries = inserted.map { HistoryEntry(.insert, of: $0.key) }
        let known = Set(inserted.map(\.key)).union(deleted.map(\.key))
        var places: [ObjectKey: Int] = [:]
        for change in updated {
            places[change.key] = entries.count
            entries.append(HistoryEntry(.update, of: change.key, slots: change.changed))
        }
        for link in links where !known.contains(link.owner) {
            let place = places[link.owner] ?? entries.count
            if place == entries.count {
                places[link.owner] = place
                entries.append(HistoryEntry(.update, of: link.owner))
            }
            entries[place].slots.insert(link.relationship.slot)
        }
        return entries + deleted.map { HistoryEntry(.delete, of: $0.key) }
    }
}

extension Entity {
    /// The attributes whose values the history keeps when an object is deleted, by name. Large values are not kept.
    package var tombstoneAttributes: [Entity.Attribute] {
        attributes.filter { attribute in
            attribute.description.preservesValueInHistoryOnDeletion && !attribute.isTransient
                && attribute.type != .composite
                && !attribute.description.allowsExternalBinaryDataStorage
        }.sorted { String.precedesInBytes($0.name, $1.name) }
    }
}
