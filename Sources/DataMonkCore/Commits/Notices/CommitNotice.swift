/// **Value.** The changes of one transaction, as contexts are notified of them. Includes the rows, so that no one has to
/// read them.
package struct CommitNotice: Sendable {
    /// **Shared.** The part of a single save. Immutable; shared by all contexts.
    package final class Commit: Sendable {
        /// The context that saved and knows of the commit; `nil` if it was told that its save failed.
        package let origin: ContextID?
        package let changes: ChangeSet
        /// To-manys whose members have changed on the other side.
        package let touchedRelations: [TouchedRelation]

        init(origin: ContextID?, changes: ChangeSet, touchedRelations: [TouchedRelation]) {
            self.origin = origin
            self.changes = changes
            self.touchedRelations = touchedRelations
        }

        /// The number of changes that a context examines to merge it.
        var size: Int {
            let batch = changes.batch.map { $0.updated.count + $0.followers.count + $0.deleted.count } ?? 0
            return changes.inserted.count + changes.updated.count + changes.consequences.count + batch
                + changes.deleted.count + changes.links.count + touchedRelations.count
        }

        /// Returns the part in some stores, for a save that was told that it failed.
        func part(in stores: StoreSet) -> Commit {
            var visible = changes
            visible.keepOnly(stores: stores)
            return Commit(origin: nil, changes: visible, touchedRelations: touchedRelations)
        }
    }

    /// **Value.** A to-many of an object whose members have changed.
    package struct TouchedRelation: Hashable, Sendable {
        package let owner: ObjectKey
        package let slot: Int
    }

    package let generation: Generation
    package let commits: [Commit]
    /// `true` if another process has made unknown changes, or a batch request has made too many changes to list.
    package let isForeign: Bool
    /// The approximate number of bytes that it keeps in memory.
    package let weight: Int

    /// The number of changes that a context examines to merge it. A refresh counts as 0, because it only creates faults.
    var size: Int { commits.reduce(0) { $0 + $1.size } }

    /// The indexes of the entities whose objects batch requests have changed.
    var batchedEntities: Set<Int> {
        var indices: Set<Int> = []
        for batch in commits.compactMap(\.changes.batch) {
            for keys in [batch.inserted, batch.updated, batch.deleted, batch.followers] {
                for key in keys { indices.insert(key.entityIndex) }
            }
        }
        return indices
    }

    init(generation: Generation, commits: [Commit], isForeign: Bool) {
        self.generation = generation
        self.commits = commits
        self.isForeign = isForeign
        weight = commits.reduce(0) { weight, commit in
            weight + commit.changes.weight
                + commit.touchedRelations.count * MemoryLayout<CommitNotice.TouchedRelation>.stride
        }
    }
}

extension ChangeSet {
    /// The approximate number of bytes that it keeps: its lists, and the blocks that contain its rows.
    fileprivate var weight: Int {
        var rows = RowWeight()
        var bases = RowWeight()
        for index in inserted.indices { rows.add(inserted[index].row) }
        for index in updated.indices {
            rows.add(updated[index].row)
            bases.add(updated[index].base)
        }
        for deletion in deleted { bases.add(deletion.base) }
        for stored in consequences { rows.add(stored.row) }
        let linked = links.reduce(0) { $0 + $1.added.count + $1.removed.count + ($1.order?.count ?? 0) }
        let unlinkedKeys = unlinked.reduce(0) { $0 + $1.removed.count }
        let keys = linked + unlinkedKeys + (batch.map { $0.requested.count + $0.followers.count } ?? 0)
        return rows.bytes + bases.bytes + keys * MemoryLayout<ObjectKey>.stride
            + (inserted.count + updated.count) * MemoryLayout<ObjectChange>.stride
            + deleted.count * MemoryLayout<Deletion>.stride
            + (links.count + unlinked.count) * MemoryLayout<LinkChange>.stride
    }
}

/// **Value.** The blocks of rows, each counted once. Consecutive rows are mostly in the same block.
private struct RowWeight {
    private(set) var bytes = 0
    private var last: ObjectIdentifier?
    /// The blocks before the last one.
    private var seen: Set<ObjectIdentifier> = []

    mutating func add(_ row: Row?) {
        guard let row else { return }
        let block = ObjectIdentifier(row.block)
        if block == last { return }
        if let last { seen.insert(last) }
        last = block
        // Most commits are small, and use a single block.
        if seen.isEmpty || !seen.contains(block) { bytes += Int(row.block.capacity) }
    }
}

extension ChangeSet {
    /// Returns the to-manys that these changes affect: those of the old and the new owner for each to-one that changed,
    /// and those whose links changed.
    func touchedRelations(layouts: [EntityLayout]) -> [CommitNotice.TouchedRelation] {
        var touched: Set<CommitNotice.TouchedRelation> = []
        func add(_ row: UnsafeRawPointer, through relationship: Entity.Relationship) {
            guard let inverse = relationship.inverse, inverse.isToMany,
                let owner = ObjectKey(slot: RowFormat.word(in: row, at: relationship.slot))
            else { return }
            touched.insert(.init(owner: owner, slot: inverse.slot))
        }
        func addAll(_ relationships: [Entity.Relationship], of row: Row?, only slots: SlotSet? = nil) {
            guard let row else { return }
            for relationship in relationships {
                if let slots, !slots.contains(relationship.slot) { continue }
                add(row.pointer, through: relationship)
            }
        }
        var toOnes = ToOnes(layouts)
        for index in inserted.indices where toOnes.exist(for: inserted[index].key) {
            addAll(toOnes.relationships, of: inserted[index].row)
        }
        for index in updated.indices where toOnes.exist(for: updated[index].key) {
            addAll(toOnes.relationships, of: updated[index].row, only: updated[index].changed)
            addAll(toOnes.relationships, of: updated[index].base, only: updated[index].changed)
        }
        for deletion in deleted where toOnes.exist(for: deletion.key) {
            addAll(toOnes.relationships, of: deletion.base)
        }
        func add(_ link: LinkChange) {
            touched.insert(.init(owner: link.owner, slot: link.relationship.slot))
            guard let inverse = link.relationship.inverse, inverse.isToMany else { return }
            for key in link.added + link.removed { touched.insert(.init(owner: key, slot: inverse.slot)) }
        }
        for link in links { add(link) }
        for link in unlinked { add(link) }
        return Array(touched)
    }
}

/// **Value.** The to-ones of the last requested entity. Changes of the same entity are mostly adjacent.
private struct ToOnes {
    private let layouts: [EntityLayout]
    private var entity = -1
    private(set) var relationships: [Entity.Relationship] = []

    init(_ layouts: [EntityLayout]) { self.layouts = layouts }

    /// Returns `true` if the entity of a key has any.
    mutating func exist(for key: ObjectKey) -> Bool {
        if key.entityIndex != entity {
            entity = key.entityIndex
            relationships = layouts[entity].relationships.filter { !$0.isToMany }
        }
        return !relationships.isEmpty
    }
}
