/// **Confined.** What changed in a context since its last user event ended. There while somebody wants to know: an
/// observer of changes, or an undo manager; and while changes of an event that has ended are unsaved. (Without them
/// everything that is unsaved is the running event's, and nothing has to be written down.)
///
/// Changes are not written down one by one: before its first change in an event an object is *touched*, which keeps an
/// image of it, and the end of the event compares. States of an object:
///
///     watched --first change--> touched --end of the event--> watched
///
/// A clean object is watched by having no draft: its first write asks for one. A draft that outlives its event is
/// watched by a flag, which sends its next write the same slow way.
///
/// Invariants, checked by `checkInvariants()`:
/// 1. Each touched object has one image, and `places` finds it.
/// 2. The draft of an object that is not touched is watched.
/// 3. There are observers, an undo manager or changed objects: a journal that nobody reads is dropped.
/// 4. `told` is empty but for the time of a notice, and of the hooks of a save.
final class EventJournal {
    /// In the order of the first changes.
    private(set) var touched: ContiguousArray<ObjectImage> = []
    private(set) var places: [ObjectIdentifier: Int] = [:]
    /// The images of the event that has just ended, as long as observers are told of it and its save calls hooks.
    private(set) var told: ContiguousArray<ObjectImage> = []
    private var toldPlaces: [ObjectIdentifier: Int] = [:]
    /// What did not come from this context's user.
    var arrivals = Arrivals()
    var observers = ObserverList<ObjectChanges>()
    var undoManager: ContextUndoManager?
    private var arena = RowArena()

    var isObserved: Bool { !observers.isEmpty }
    var isNeeded: Bool { isObserved || undoManager != nil }

    /// Keeps what an object is, before it changes for the first time in this event.
    func touch(_ object: ManagedObject) { touch(object, as: object.presence) }

    /// An object is about to be inserted.
    func touchUnborn(_ object: ManagedObject) { touch(object, as: .unborn) }

    private func touch(_ object: ManagedObject, as presence: ObjectPresence) {
        if let draft = object.draft { draft.isWatched = false }
        if places[ObjectIdentifier(object)] != nil { return }
        places[ObjectIdentifier(object)] = touched.count
        touched.append(
            ObjectImage(
                object: object, presence: presence, row: unsavedRow(of: object),
                increments: object.draft.flatMap(object.home.layout.increments)))
    }

    private func unsavedRow(of object: ManagedObject) -> Row? {
        guard let draft = object.draft else { return nil }
        return object.home.layout.seal(draft, version: draft.base?.version ?? 0, in: &arena)
    }

    /// Keeps what a to-many of a touched object is, before it changes for the first time in this event.
    func touch(_ relation: ToManyRelation, of object: ManagedObject) {
        touch(object)
        guard let place = places[ObjectIdentifier(object)],
            !touched[place].relations.contains(where: { $0.relation === relation })
        else { return }
        touched[place].relations.append(RelationImage(relation))
    }

    /// The object's unsaved values are gone without being changed: it is read again.
    func forgetValues(of object: ManagedObject) {
        guard let place = places[ObjectIdentifier(object)] else { return }
        touched[place].row = nil
        touched[place].increments = nil
        touched[place].relations = []
    }

    /// The unsaved values have moved from one stored row onto another: what the object was moves along, so that only what
    /// the user did is a change.
    func rebase(_ object: ManagedObject, from base: Row, onto row: Row) {
        guard let place = places[ObjectIdentifier(object)], let before = touched[place].row else { return }
        let layout = object.home.layout
        let moved = DraftRow(copying: row.pointer, of: layout, base: row)
        let increments = touched[place].increments
        for slot in 0..<layout.slotCount where !layout.isEqual(slot, before.pointer, base.pointer) {
            if increments?[slot] == nil { layout.copy(slot, from: before.pointer, to: moved) }
        }
        if let increments { layout.write(increments, over: row, to: moved) }
        layout.copyTransients(from: before.pointer, to: moved)
        touched[place].row = layout.seal(moved, version: row.version, in: &arena)
    }

    /// Objects have got their permanent keys: what pointed at them goes on doing so.
    func redirectRows(by keys: [ObjectKey: ObjectKey]) {
        for place in touched.indices {
            guard let row = touched[place].row else { continue }
            touched[place].row = touched[place].object.home.layout.copy(row, in: &arena) { keys[$0] ?? $0 }
        }
    }

    /// Whether an object has changed in this event, perhaps.
    func hasTouched(_ object: ManagedObject) -> Bool { places[ObjectIdentifier(object)] != nil }

    /// What the object was when observers last heard.
    func presenceBefore(_ object: ManagedObject) -> ObjectPresence {
        places[ObjectIdentifier(object)].map { touched[$0].presence } ?? object.presence
    }

    /// Ends the event: hands out its images, and watches what they are of.
    func takeImages() -> ContiguousArray<ObjectImage> {
        defer { forgetTouched() }
        for image in touched { image.object.draft?.isWatched = true }
        (told, toldPlaces) = (touched, places)
        return touched
    }

    /// What an object was before the running event, or before the one that is being told; nil if that has not touched it.
    func image(of object: ManagedObject) -> ObjectImage? {
        if let place = toldPlaces[ObjectIdentifier(object)] { return told[place] }
        return places[ObjectIdentifier(object)].map { touched[$0] }
    }

    /// The notice is over.
    func forgetTold() {
        told = []
        toldPlaces = [:]
    }

    /// The event's changes are no more: saved or taken back, or their objects forgotten.
    func forgetTouched() {
        touched = []
        places = [:]
    }
}

@available(*, unavailable)
extension EventJournal: Sendable {}
