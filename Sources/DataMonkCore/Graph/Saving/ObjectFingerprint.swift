/// **Confined.** The values of an object that a save would write, at one moment, to detect whether a hook has really
/// changed it.
struct ObjectFingerprint {
    let row: Row?
    let state: ObjectState
    let relations: [RelationFingerprint]

    /// **Confined.** The changes of a to-many that a save would write.
    struct RelationFingerprint {
        let slot: Int
        let added: Set<ManagedObject>
        let removed: Set<ManagedObject>
        let order: [ManagedObject]
    }

    /// Records the state of an object. The row is copied into `arena`.
    init(at object: ManagedObject, in arena: inout RowArena) {
        row = object.draft.map { object.home.layout.seal($0, version: 0, in: &arena) }
        state = object.state.intersection(Self.saved)
        relations = object.toManys.filter(\.hasChanges).map(RelationFingerprint.init)
    }

    private static let saved: ObjectState = [.inserted, .updated, .deleted]

    /// Returns `true` if the object is still in this state.
    func isCurrent(of object: ManagedObject) -> Bool {
        guard object.state.intersection(Self.saved) == state, (object.draft == nil) == (row == nil) else {
            return false
        }
        if let row, let draft = object.draft, !object.home.layout.changedSlots(of: draft, from: row.pointer).isEmpty {
            return false
        }
        let changed = object.toManys.filter(\.hasChanges)
        return changed.count == relations.count && zip(changed, relations).allSatisfy { $1.isCurrent(of: $0) }
    }
}

extension ObjectFingerprint.RelationFingerprint {
    fileprivate init(_ relation: ToManyRelation) {
        self.init(
            slot: relation.relationship.slot, added: relation.added, removed: relation.removed, order: relation.order)
    }

    fileprivate func isCurrent(of relation: ToManyRelation) -> Bool {
        relation.relationship.slot == slot && relation.added == added && relation.removed == removed
            && relation.order == order
    }
}

@available(*, unavailable)
extension ObjectFingerprint: Sendable {}

@available(*, unavailable)
extension ObjectFingerprint.RelationFingerprint: Sendable {}
