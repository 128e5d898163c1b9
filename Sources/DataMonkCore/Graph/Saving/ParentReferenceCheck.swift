/// **Confined.** Checks the referential integrity of a child's save against its parent's unsaved state, as
/// `ReferenceCheck` does against a store.
struct ParentReferenceCheck {
    private let parent: ManagedObjectContext
    private let changes: ChangeSet
    private let deleted: Set<ObjectKey>

    init(_ changes: ChangeSet, in parent: ManagedObjectContext) {
        self.parent = parent
        self.changes = changes
        deleted = Set(changes.deleted.lazy.map(\.key))
    }

    /// Returns the child's objects that would have a relationship to an object that does not exist in the parent.
    ///
    /// - Throws: The errors of reading the destinations of deleted objects.
    func conflicts() throws -> [StoredVersion] {
        try missingDestinations() + unreachedReferrers()
    }

    private func missingDestinations() -> [StoredVersion] {
        var broken = BrokenReferences()
        let inserted = Set(changes.inserted.lazy.map(\.key))
        changes.forEachReference(layouts: parent.directory.layouts) { source, relationship, destination in
            guard let relationship, !deleted.contains(destination), !inserted.contains(destination),
                isGone(destination)
            else { return }
            broken.add(destination, at: source, in: relationship)
        }
        return broken.conflicts { .missing($0, destinations: $1) }
    }

    /// Returns `true` if the parent knows that the object does not exist. Objects it does not know are checked in the
    /// store by the root's save.
    private func isGone(_ key: ObjectKey) -> Bool {
        if let known = parent.identities.find(key) { return known.isDeleted }
        switch parent.inheritedRow(of: key) {
        case .row: return false
        case .deleted: return true
        case .unknown: return key.isTemporary
        }
    }

    private func unreachedReferrers() throws -> [StoredVersion] {
        if deleted.isEmpty { return [] }
        var broken = BrokenReferences()
        let updated = Dictionary(
            changes.updated.lazy.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        let objects = ContiguousArray(
            changes.deleted.lazy.map { parent.object(for: $0.key) }.filter { !$0.isDeleted })
        try readReferrers(of: objects)
        for object in objects {
            let key = object.key
            for relationship in object.home.layout.relationships where relationship.ruleConcernsReferrers {
                for other in try parent.graph.readDestinations(byRuleOf: relationship, from: object)
                where !other.isDeleted && !deleted.contains(other.key) {
                    // A parent that does not follow commits may have read the to-many later than the row.
                    if let inverse = relationship.inverse, !inverse.isToMany,
                        RowFormat.word(in: try parent.faults.rowOrEmpty(of: other), at: inverse.slot) != key.rawValue
                    {
                        continue
                    }
                    if isTaken(other, from: object, in: relationship, by: updated[other.key]) { continue }
                    broken.add(other.key, at: key, in: relationship)
                }
            }
        }
        return broken.conflicts { .unreached($0, referrers: $1) }
    }

    /// Reads everything that the rules need in sets, as the rules themselves do.
    private func readReferrers(of objects: ContiguousArray<ManagedObject>) throws {
        for group in parent.faults.groupedForReading(objects) {
            for relationship in group[0].home.layout.relationships where relationship.ruleConcernsReferrers {
                if relationship.isToMany {
                    try parent.faults.readToMany(relationship, of: group)
                } else {
                    try parent.faults.readRows(of: group)
                }
            }
        }
    }

    /// Returns `true` if the child itself has removed an object from a deleted one's relationship.
    private func isTaken(
        _ other: ManagedObject, from object: ManagedObject, in relationship: Entity.Relationship,
        by change: ChangeSet.ObjectChange?
    ) -> Bool {
        if relationship.hasOwnLinks {
            return changes.endLink(StoredLink(owner: object.key, destination: other.key), of: relationship)
        }
        guard let inverse = relationship.inverse, let change else { return false }
        return change.changed.contains(inverse.slot)
            && RowFormat.word(in: change.row.pointer, at: inverse.slot) != object.key.rawValue
    }
}

@available(*, unavailable)
extension ParentReferenceCheck: Sendable {}
