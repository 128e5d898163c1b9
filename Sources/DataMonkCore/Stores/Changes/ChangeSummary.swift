/// **Value.** The entities and slots that commits have changed, for those who need to know no more.
package struct ChangeSummary: Sendable {
    /// **Value.** The changes of one entity's objects.
    enum EntityChange: Sendable {
        /// Updates of these slots alone.
        case updated(SlotSet)
        /// Insertions, deletions, links, or updates of unknown slots.
        case any
    }

    /// By the index of the entity.
    private(set) var changes: [Int: EntityChange] = [:]
    /// Indicates whether anything may have changed: other processes have written, or more than a batch request lists.
    private(set) var isEverything = false

    var isEmpty: Bool { changes.isEmpty && !isEverything }

    package init() {}

    /// A summary that excludes nothing.
    package static var everything: ChangeSummary {
        var summary = ChangeSummary()
        summary.isEverything = true
        return summary
    }

    /// Adds the changes of a commit.
    ///
    /// - Complexity: Linear in the number of changes.
    mutating func add(_ commit: ChangeSet) {
        if commit.comesWithForeignChanges { isEverything = true }
        if let batch = commit.batch {
            if !batch.isListed { isEverything = true }
            for keys in [batch.inserted, batch.updated, batch.deleted, batch.followers] { keys.forEach { add($0) } }
        }
        for change in commit.inserted { add(change.key) }
        for deletion in commit.deleted { add(deletion.key) }
        for change in commit.updated { add(.updated(change.changed), of: change.key.entityIndex) }
        // The slots that the store has changed are not listed.
        for stored in commit.consequences { add(stored.key) }
        for links in [commit.links, commit.unlinked] { for link in links { add(link.owner) } }
    }

    /// Adds the changes of another summary.
    package mutating func formUnion(_ other: ChangeSummary) {
        if other.isEverything { isEverything = true }
        for (index, change) in other.changes { add(change, of: index) }
    }

    private mutating func add(_ key: ObjectKey) { changes[key.entityIndex] = .any }

    private mutating func add(_ change: EntityChange, of index: Int) {
        switch (changes[index], change) {
        case (.any?, _): return
        case (.updated(let known)?, .updated(let slots)): changes[index] = .updated(known.union(slots))
        default: changes[index] = change
        }
    }
}
