/// **Confined.** The effect of one event on one object, kept for undo: its former state.
///
/// It contains no keys, because an object that was saved in the meantime has another key. The row's to-one slots are not
/// read; `toOnes` is used instead.
struct ObjectDelta {
    let object: ManagedObject
    let before: ObjectPresence
    let after: ObjectPresence
    /// Indicates whether the object was deleted by a delete rule before the event, which has restored it.
    let wasCascaded: Bool
    /// The former values; `nil` if no attribute changed.
    let values: Row?
    /// The attributes that changed.
    let attributes: SlotSet
    /// Those of them that were incremented, and by how much: they are decremented, whatever they hold by then.
    let increments: Increments
    /// The to-ones that changed, and what they led to.
    let toOnes: [ToOne]
    let toManys: [ToMany]
    /// For a deleted object, its complete state, in case the deletion is saved.
    let fullRelationships: FullRelationships?

    struct ToOne {
        let relationship: Entity.Relationship
        let destination: ManagedObject?
    }

    struct ToMany {
        let relationship: Entity.Relationship
        let arrived: Set<ManagedObject>
        let left: Set<ManagedObject>
        /// The former order, if there was one and it has changed.
        let order: [ManagedObject]?
    }

    /// **Confined.** All relationships of an object, at its deletion.
    struct FullRelationships {
        let toOnes: [ToOne]
        let members: [(relationship: Entity.Relationship, objects: [ManagedObject])]
    }
}

@available(*, unavailable)
extension ObjectDelta: Sendable {}

/// **Confined.** New objects that were deleted, by the keys under which they can no longer be found.
struct DepartedObjects {
    private var objects: [ObjectKey: ManagedObject] = [:]

    init(_ images: ContiguousArray<BeforeImage>) {
        for image in images where image.object.isInserted && image.object.presence == .deleted {
            objects[image.object.key] = image.object
        }
    }

    func find(_ key: ObjectKey) -> ManagedObject? { objects[key] }
}

@available(*, unavailable)
extension DepartedObjects: Sendable {}

extension BeforeImage {
    /// By how much the event has incremented an attribute; nil if it was set, in the event or before it.
    fileprivate func growth(of slot: Int) -> ManagedValue? {
        let layout = object.home.layout
        let (before, after) = (increments?[slot], object.draft.flatMap(layout.increments)?[slot])
        func isStored(_ row: UnsafeRawPointer?) -> Bool {
            guard let row, let stored = object.storedRow else { return true }
            return layout.isEqual(slot, in: row, and: stored.pointer)
        }
        switch (before, after) {
        case (nil, let after?): return isStored(row?.pointer) ? .some(after) : .none
        case (let before?, nil): return isStored(object.row) ? before.opposite : .none
        case (let before?, let after?):
            return before.opposite.flatMap { object.entity.properties[slot].attribute?.sumOfAmounts(after, $0) }
        case (nil, nil): return nil
        }
    }
}

extension ManagedObjectContext {
    /// Reads the data that undo needs for the objects that an event has deleted, in sets. When the deletion is saved,
    /// their rows and links are deleted from the store.
    func readForUndo(of images: ContiguousArray<BeforeImage>) {
        let deleted = images.lazy.filter { $0.presence == .present && $0.object.presence == .deleted }.map(\.object)
        do {
            for group in faults.groupedForReading(ContiguousArray(deleted)) {
                try faults.readRows(of: group)
                for relationship in group[0].home.layout.relationships where relationship.isToMany {
                    try faults.readToMany(relationship, of: group)
                }
            }
        } catch {
            // Missing data is requested again, object by object, and each failure is then reported.
            coordinator.report(error)
        }
    }

    /// Returns the effect of an event on an object; `nil` if the object is unchanged.
    func delta(of image: BeforeImage, _ departed: DepartedObjects) -> ObjectDelta? {
        let object = image.object
        switch (image.presence, object.presence) {
        case (.present, .present):
            if !image.isChanged { return nil }
        case (.present, _): break
        case (_, .present): break
        default: return nil
        }
        if image.presence != .present { return arrival(of: image) }
        let isDeletion = image.presence == .present && object.presence == .deleted
        // The row is deleted from the store when the deletion is saved, so it is read now if necessary.
        if isDeletion, object.row == nil { _ = faults.fulfill(object) }
        var (attributes, increments, toOnes) = (SlotSet(), Increments(), [ObjectDelta.ToOne]())
        let before = image.rowBefore
        image.changedSlots.forEach { slot in
            if let toOne = before.flatMap({ self.toOne(slot, of: object, in: $0, among: departed) }) {
                toOnes.append(toOne)
            } else {
                attributes.insert(slot)
                if object.presence == .present { increments[slot] = image.growth(of: slot) }
            }
        }
        return ObjectDelta(
            object: object, before: image.presence, after: object.presence, wasCascaded: false, values: before,
            attributes: attributes, increments: increments, toOnes: toOnes, toManys: toManys(of: image),
            fullRelationships: isDeletion ? before.map { fullRelationships(of: object, in: $0, among: departed) } : nil)
    }

    /// Returns the delta of an insertion, or of the restoration of a deleted object. Undo removes the object, so its
    /// values do not matter. An inserted object leaves its relationships first, because a cascade would otherwise delete
    /// the objects linked to it; an object that had been deleted is deleted by its delete rules again.
    private func arrival(of image: BeforeImage) -> ObjectDelta {
        let isInsertion = image.presence == .unborn
        let toOnes = image.object.home.layout.relationships.filter { isInsertion && !$0.isToMany }
            .map { ObjectDelta.ToOne(relationship: $0, destination: nil) }
        return ObjectDelta(
            object: image.object, before: image.presence, after: .present, wasCascaded: image.wasCascaded, values: nil,
            attributes: SlotSet(), increments: Increments(), toOnes: toOnes,
            toManys: isInsertion ? toManys(of: image) : [], fullRelationships: nil)
    }

    private func toManys(of image: BeforeImage) -> [ObjectDelta.ToMany] {
        image.relations.compactMap { relation in
            if !relation.isChanged { return nil }
            return ObjectDelta.ToMany(
                relationship: relation.relation.relationship, arrived: relation.arrived, left: relation.left,
                order: relation.orderBefore)
        }
    }

    private func toOne(
        _ slot: Int, of object: ManagedObject, in row: Row, among departed: DepartedObjects
    ) -> ObjectDelta.ToOne? {
        guard let relationship = object.entity.properties[slot].relationship, !relationship.isToMany else { return nil }
        let key = ObjectKey(slot: RowFormat.word(in: row.pointer, at: slot))
        return .init(relationship: relationship, destination: key.map { departed.find($0) ?? self.object(for: $0) })
    }

    private func fullRelationships(of object: ManagedObject, in row: Row, among departed: DepartedObjects)
        -> ObjectDelta.FullRelationships
    {
        let relationships = object.home.layout.relationships
        return ObjectDelta.FullRelationships(
            toOnes: relationships.filter { !$0.isToMany }
                .compactMap { toOne($0.slot, of: object, in: row, among: departed) },
            members: relationships.filter(\.isToMany).map { ($0, faults.toMany($0, of: object).elements) })
    }
}
