/// **Value.** All data that one save writes: the rows are sealed, the keys are known, and nothing refers to the context.
///
/// Rows of new objects, and slots that refer to new objects, have temporary keys until the leader of a commit assigns
/// permanent ones (`ChangeSet.makePermanent`). No one else uses the rows before the commit is published.
package struct ChangeSet: Sendable {
    /// **Value.** The new row of one object.
    package struct ObjectChange: Sendable {
        package var key: ObjectKey
        /// The values to store, including the version.
        package var row: Row
        /// The row that the change started from; `nil` for a new object.
        package let base: Row?
        /// The slots that differ from `base`; empty for a new object, all of whose slots are written.
        package let changed: SlotSet

        package init(key: ObjectKey, row: Row, base: Row?, changed: SlotSet) {
            self.key = key
            self.row = row
            self.base = base
            self.changed = changed
        }
    }

    /// **Value.** The deletion of one object.
    package struct Deletion: Sendable {
        package let key: ObjectKey
        /// The last known row; `nil` if the object was never read.
        package let base: Row?

        package init(key: ObjectKey, base: Row?) {
            self.key = key
            self.base = base
        }
    }

    /// **Value.** Changes of links, which no to-one slot records: those of a many-to-many, of a to-many without an
    /// inverse, and the order of an ordered to-many.
    package struct LinkChange: Sendable {
        package let relationship: Entity.Relationship
        package var owner: ObjectKey
        package var added: [ObjectKey]
        package var removed: [ObjectKey]
        /// All destinations in their new order, if the relationship is ordered and the order changed.
        package var order: [ObjectKey]?
    }

    package var inserted: [ObjectChange] = []
    package var updated: [ObjectChange] = []
    package var deleted: [Deletion] = []
    package var links: [LinkChange] = []
    // Not in the changes themselves: each of them would pay for a field that few use.
    /// The increments of updated objects, by their index in `updated`; shorter than `updated` if the last ones have none.
    var increments: [Increments?] = []
    /// Rows of other objects that the store has changed as a consequence, in their derived attributes. Known once the set
    /// is written. Their versions are unchanged.
    package private(set) var consequences: [StoredVersion] = []

    /// The changes of a batch request, which makes no other changes.
    package private(set) var batch: BatchChanges?

    /// Indicates whether other processes have made further, unknown changes.
    package var comesWithForeignChanges = false

    /// The origin of the save, for stores that keep a history.
    package var signature: HistorySignature?

    /// New objects that get their permanent keys without being written: see `obtainPermanentIDs`.
    package var reserved: [ObjectKey] = []

    /// The indexes of the stores that new objects were assigned to, by their temporary keys. Other new objects go into
    /// the first store that contains their entity.
    var assigned: [ObjectKey: Int] = [:]

    /// The generation at which the changes began; `nil` if they may be based on an older one.
    var basis: Generation?

    /// Links of deleted objects that were removed before the deletion or by it. They are not written, since they are deleted
    /// with the objects, but the store still has them when it is asked for the objects that a delete rule has not reached,
    /// and other contexts know from them whose members have changed.
    var unlinked: [LinkChange] = []

    package init() {}

    init(_ batch: BatchChanges) { self.batch = batch }

    /// The deletion of objects whatever their versions are.
    package init(deleting keys: [ObjectKey]) { deleted = keys.map { Deletion(key: $0, base: nil) } }

    /// Replaces rows by those that the store has made of them.
    mutating func adopt(_ stored: [StoredVersion]) {
        if stored.isEmpty { return }
        let rows = Dictionary(stored.map { ($0.key, $0.row) }, uniquingKeysWith: { _, last in last })
        var known: Set<ObjectKey> = Set(deleted.map(\.key))
        func replace(_ change: inout ObjectChange) {
            known.insert(change.key)
            if let row = rows[change.key].flatMap(\.self) { change.row = row }
        }
        for index in inserted.indices { replace(&inserted[index]) }
        for index in updated.indices { replace(&updated[index]) }
        consequences += stored.filter { $0.row != nil && !known.contains($0.key) }
    }

    /// Removes the consequences in other stores, and a batch request's changes of them.
    mutating func keepOtherChanges(in stores: StoreSet) {
        consequences.removeAll { !stores.contains($0.key.storeIndex) }
        batch?.keepOnly(stores: stores)
    }

    /// Indicates whether no store has anything to write except reserved keys.
    package var isEmpty: Bool {
        inserted.isEmpty && updated.isEmpty && deleted.isEmpty && links.isEmpty && batch?.isEmpty ?? true
    }
}

extension UniquenessConstraint {
    /// Returns `true` if a change may introduce a value that already exists.
    package func concerns(_ change: ChangeSet.ObjectChange) -> Bool {
        change.base == nil || slots.contains(where: change.changed.contains)
    }
}
