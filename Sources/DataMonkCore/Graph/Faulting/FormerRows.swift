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
    /// Indicates whether it contains the former row of each row that the commits have changed, and the former members of
    /// each to-many.
    var tellsFormerRows: Bool { !isForeign && commits.allSatisfy(\.changes.tellsFormerRows) }
}

extension ChangeSet {
    fileprivate var tellsFormerRows: Bool {
        batch == nil && consequences.isEmpty && updated.allSatisfy { $0.base != nil }
            && deleted.allSatisfy { $0.base != nil } && links.allSatisfy(\.tellsFormerMembers)
    }
}

extension ChangeSet.LinkChange {
    /// `false` for a new order, which does not tell the former one, and without an inverse for a new member, which may have
    /// had another owner.
    fileprivate var tellsFormerMembers: Bool { order == nil && (added.isEmpty || !relationship.isOwnedByOneSideAlone) }
}
