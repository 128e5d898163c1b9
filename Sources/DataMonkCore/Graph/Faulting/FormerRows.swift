/// **Confined.** The rows that commits after a generation have replaced, as they were at that generation. From their
/// notices, for a context that stands there and reads from a newer snapshot what the row cache no longer has.
final class FormerRows {
    /// The generation of the rows.
    let generation: Generation
    /// The generation of the last commit that was added.
    private(set) var end: Generation
    /// The index in `rows`, plus 1, of each key.
    private var places = KeyTable()
    /// The rows; `nil` for one that did not exist.
    private var rows: ContiguousArray<Row?> = []

    init(at generation: Generation) {
        self.generation = generation
        end = generation
    }

    deinit { places.deallocate() }

    /// Adds the commits after `end` through a generation. Without their notices nothing is known.
    func add(_ notices: [CommitNotice]?, through newEnd: Generation) {
        end = newEnd
        for notice in notices ?? [] {
            for commit in notice.commits {
                for change in commit.changes.updated { if let base = change.base { add(base, of: change.key) } }
                for change in commit.changes.inserted { add(nil, of: change.key) }
                for deletion in commit.changes.deleted { if let base = deletion.base { add(base, of: deletion.key) } }
            }
        }
    }

    /// The first commit that changed a row replaced the one of the generation.
    private func add(_ row: Row?, of key: ObjectKey) {
        if places.find(key.rawValue) != 0 { return }
        rows.append(row)
        places.set(key.rawValue, to: UInt(rows.count))
    }

    func find(_ key: ObjectKey) -> RowCache<Row>.Answer {
        let place = places.find(key.rawValue)
        if place == 0 { return .unknown }
        return rows[Int(place) - 1].map { .row($0) } ?? .deleted
    }
}

@available(*, unavailable)
extension FormerRows: Sendable {}

extension CommitNotice {
    /// Returns whether it contains the former row of each row that the commits have changed, and the former members of
    /// each to-many in their order.
    func tellsFormerRows(in directory: ObjectDirectory) -> Bool {
        !isForeign && commits.allSatisfy { $0.changes.tellsFormerRows && $0.tellsFormerMembers(in: directory) }
    }
}

extension ChangeSet {
    fileprivate var tellsFormerRows: Bool {
        batch == nil && consequences.isEmpty && updated.allSatisfy { $0.base != nil }
            && deleted.allSatisfy { $0.base != nil }
    }
}

extension CommitNotice.Commit {
    /// `false` for an ordered to-many, whose former order is not known, and for one that may have lost a member without being
    /// told: to another owner, or with a deleted object, if no delete rule removes that.
    fileprivate func tellsFormerMembers(in directory: ObjectDirectory) -> Bool {
        let reorders = touchedRelations.contains { touched in
            directory.layouts[touched.owner.entityIndex].entity.properties[touched.slot].relationship?.isOrdered
                ?? false
        }
        if reorders || changes.links.contains(where: { !$0.added.isEmpty && $0.relationship.isOwnedByOneSideAlone }) {
            return false
        }
        return changes.deleted.allSatisfy { deletion in
            let entity = deletion.key.entityIndex
            return !directory.entitiesHeldWithoutInverse.contains(entity)
                && directory.layouts[entity].relationships.allSatisfy(\.tellsLostMembers)
        }
    }
}

extension Entity.Relationship {
    /// Indicates whether the members that a deleted object had are in the changes.
    fileprivate var tellsLostMembers: Bool {
        !isToMany || isTransient || inverse.map { !$0.isToMany || deleteRule.leavesOtherEnd } ?? false
    }
}
