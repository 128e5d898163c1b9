/// **Confined.** The changes of a context since its last user event ended. A journal exists while there are observers of
/// changes or an undo manager, and while changes of an event that has ended are unsaved. (Otherwise all unsaved changes
/// belong to the current event, and nothing needs to be recorded.)
///
/// Changes are not recorded individually. Before its first change in an event, an object is *touched*, which keeps an
/// image of it; the end of the event compares. States of an object:
///
///     watched --first change--> touched --end of the event--> watched
///
/// A clean object is watched by having no draft: its first write requests one. A draft that outlives its event is watched
/// by a flag, which sends its next write through the same slow path.
///
/// Invariants, checked by `checkInvariants()`:
/// 1. Each touched object has one image, and `places` contains its index.
/// 2. The draft of an object that is not touched is watched.
/// 3. There are observers, an undo manager or changed objects: an unused journal is dropped.
/// 4. `told` is empty except during a notice and during the hooks of a save.
final class EventJournal {
    /// The images of touched objects, in the order of the first changes.
    private(set) var touched: ContiguousArray<BeforeImage> = []
    private(set) var places: [ObjectIdentifier: Int] = [:]
    /// The images of the event that has just ended, while observers are notified of it and its save calls hooks.
    private(set) var told: ContiguousArray<BeforeImage> = []
    private var toldPlaces: [ObjectIdentifier: Int] = [:]
    /// The changes that were not made by this context's user.
    var externalChanges = ExternalChanges()
    var observers = ObserverList<ObjectChanges>()
    var undoManager: ContextUndoManager?
    private var arena = RowArena()

    var isObserved: Bool { !observers.isEmpty }
    var isNeeded: Bool { isObserved || undoManager != nil }

    /// Keeps an image of an object before its first change in this event.
    func touch(_ object: ManagedObject) { touch(object, as: object.presence) }

    /// Keeps an image of an object that is about to be inserted.
    func touchUnborn(_ object: ManagedObject) { touch(object, as: .unborn) }

    private func touch(_ object: ManagedObject, as presence: ObjectPresence) {
        if let draft = object.draft {
            draft.isWatched = false
            if object.state.contains(.indexed) { object.noteUnsavedValues() }
        }
        if places[ObjectIdentifier(object)] != nil { return }
        places[ObjectIdentifier(object)] = touched.count
        touched.append(
            BeforeImage(
                object: object, presence: presence, wasCascaded: object.state.contains(.cascaded),
                row: unsavedRow(of: object), increments: object.draft.flatMap(object.home.layout.increments)))
    }

    private func unsavedRow(of object: ManagedObject) -> Row? {
        guard let draft = object.draft else { return nil }
        return object.home.layout.seal(draft, version: draft.base?.version ?? 0, in: &arena)
    }

    /// Keeps an image of a touched object's to-many before its first change in this event.
    func touch(_ relation: ToManyRelation, of object: ManagedObject) {
        touch(object)
        guard let place = places[ObjectIdentifier(object)],
            !touched[place].relations.contains(where: { $0.relation === relation })
        else { return }
        touched[place].relations.append(RelationImage(relation))
    }

    /// Forgets an object's unsaved values, which have been discarded rather than changed: it is read again.
    func forgetValues(of object: ManagedObject) {
        guard let place = places[ObjectIdentifier(object)] else { return }
        touched[place].row = nil
        touched[place].increments = nil
        touched[place].relations = []
    }

    /// Moves an object's image onto another stored row, as its unsaved values have been, so that only the user's actions
    /// count as changes.
    func rebase(_ object: ManagedObject, from base: Row, onto row: Row) {
        guard let place = places[ObjectIdentifier(object)], let before = touched[place].row else { return }
        let layout = object.home.layout
        let moved = DraftRow(copying: row.pointer, of: layout, base: row)
        let increments = touched[place].increments
        for slot in 0..<layout.slotCount where !layout.isEqual(slot, in: before.pointer, and: base.pointer) {
            if increments?[slot] == nil { layout.copy(slot, from: before.pointer, to: moved) }
        }
        if let increments { layout.write(increments, over: row, to: moved) }
        layout.copyTransients(from: before.pointer, to: moved)
        touched[place].row = layout.seal(moved, version: row.version, in: &arena)
    }

    /// Replaces keys in images by the permanent keys that objects have received.
    func redirectRows(by keys: [ObjectKey: ObjectKey]) {
        for place in touched.indices {
            guard let row = touched[place].row else { continue }
            touched[place].row = touched[place].object.home.layout.copy(row, in: &arena) { keys[$0] ?? $0 }
        }
    }

    /// Returns `true` if an object may have changed in this event.
    func hasTouched(_ object: ManagedObject) -> Bool { places[ObjectIdentifier(object)] != nil }

    /// Returns the presence of an object at the last notice to observers.
    func presenceBefore(_ object: ManagedObject) -> ObjectPresence {
        places[ObjectIdentifier(object)].map { touched[$0].presence } ?? object.presence
    }

    /// Ends the event: returns its images, and watches their objects.
    func takeImages() -> ContiguousArray<BeforeImage> {
        defer { forgetTouched() }
        for image in touched { image.object.draft?.isWatched = true }
        (told, toldPlaces) = (touched, places)
        return touched
    }

    /// Returns the image of an object before the current event, or before the event that is being reported; `nil` if the
    /// object was not touched in it.
    func image(of object: ManagedObject) -> BeforeImage? {
        if let place = toldPlaces[ObjectIdentifier(object)] { return told[place] }
        return places[ObjectIdentifier(object)].map { touched[$0] }
    }

    /// Ends a notice.
    func forgetTold() {
        told = []
        toldPlaces = [:]
    }

    /// Forgets the event's changes, which were saved or discarded, or whose objects were removed.
    func forgetTouched() {
        touched = []
        places = [:]
    }
}

@available(*, unavailable)
extension EventJournal: Sendable {}
