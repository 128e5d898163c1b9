/// **Confined.** Takes rows out of a store into a context: a reader asks whether it wants a row, packs it and hands it in.
///
/// A registered object that has its row already wants no other: rows change for a context only when it advances. Each
/// object is appended to ``objects`` in the order of arrival, new row or not.
package final class RowIntake {
    private let context: ManagedObjectContext
    private let identities: IdentityMap
    /// Whether the context is a child: rows that its parents know are theirs, not the store's.
    private let inherits: Bool
    /// Whether the context stands behind the snapshot: rows that the row cache has of its generation are its own.
    private let isBehind: Bool
    /// Whether others are asked before a row is taken from the store.
    private let asksFirst: Bool
    // Unchecked exclusivity: confined, and each access ends at once; it is made for every row.
    @exclusivity(unchecked) package private(set) var objects: [ManagedObject] = []
    /// Where the reader packs rows.
    @exclusivity(unchecked) package var arena: RowArena
    // Not retained, for every row would pay for that: the identity map retains it, and from a `wants` to its `take` a store
    // only copies bytes.
    /// The registered object found by the last `wants`.
    @exclusivity(unchecked) private var found: Unmanaged<ManagedObject>?
    /// Whether any object has got a row: it may have to be woken.
    @exclusivity(unchecked) private var hasTakenRow = false
    /// For each owner whose destinations are complete, where they end in ``objects``.
    package private(set) var ends: [Int] = []
    private let limit: Int
    private let start: Int
    private let manner: Manner
    /// Whether `manner` is `.whole`: one test a row.
    private let isPlain: Bool

    /// **Value.** What becomes of a row.
    enum Manner {
        /// It makes an object of a fault.
        case whole
        /// It tells a fault some of its values, those of the slots.
        case partial(SlotSet)
        /// As `.whole`, and objects that have their row take over a newer one.
        case refreshing
    }

    /// - Parameters:
    ///   - limit: after how many objects no further owner's destinations are wanted.
    ///   - manner: what becomes of a row.
    init(context: ManagedObjectContext, limit: Int = .max, manner: Manner = .whole) {
        self.context = context
        identities = context.identities
        self.limit = limit
        self.manner = manner
        isPlain = if case .whole = manner { true } else { false }
        inherits = context.parent != nil
        isBehind = context.isBehind
        asksFirst = inherits || isBehind
        // Taken, not copied: what the context itself packs meanwhile must not lie in the same memory.
        arena = context.arena
        context.arena = RowArena()
        start = identities.cohortStart
    }

    /// Whether the reader shall pack the row of `key` and call `receive`; if not, the row is dealt with.
    package func wants(_ key: ObjectKey) -> Bool {
        guard let object = identities.find(key) else {
            found = nil
            return !asksFirst || !takeKnown(key)
        }
        if object.row != nil, isPlain || !refreshes(object) {
            objects.append(object)
            return false
        }
        found = Unmanaged.passUnretained(object)
        return !asksFirst || !takeKnown(key)
    }

    private func refreshes(_ object: ManagedObject) -> Bool {
        if case .refreshing = manner { !object.isDeleted } else { false }
    }

    /// Takes what the parents know of a row, or the row cache for a context behind; false if they know nothing. Whole,
    /// whatever was asked for: it is there, and may hold keys that the parents' save changes.
    private func takeKnown(_ key: ObjectKey) -> Bool {
        if inherits {
            switch context.inheritedRow(of: key) {
            case .row(let row):
                takeOrRefresh(key, row)
                return true
            // It counts where membership is the store's; whoever reads it finds that it is gone.
            case .deleted:
                takeFault(key)
                return true
            case .unknown: break
            }
        }
        guard isBehind, case .row(let row) = context.olderRow(of: key) else { return false }
        takeOrRefresh(key, row)
        return true
    }

    /// Takes the row that the last `wants` asked for, which has just been packed into `arena`. (That is not changed: a
    /// copy of it would retain its block for each row.)
    package func take(_ key: ObjectKey, at pointer: UnsafeMutableRawPointer, in arena: inout RowArena) {
        guard isPlain, found == nil else { return take(key, arena.row(at: pointer)) }
        // The commonest case, in which nothing is retained but what stays.
        hasTakenRow = true
        objects.append(context.makeObject(for: key, at: UnsafeRawPointer(pointer), in: arena.openBlock))
    }

    /// Takes the row that the last `wants` asked for, wherever it lies.
    package func take(_ key: ObjectKey, _ row: Row) {
        if isPlain { return takeWhole(key, row) }
        guard case .partial(let slots) = manner else { return takeOrRefresh(key, row) }
        let object = found?.takeUnretainedValue() ?? context.makeObject(for: key)
        object.dropValues(but: PartialRow(row: row, slots: slots))
        objects.append(object)
    }

    private func takeWhole(_ key: ObjectKey, _ row: Row) {
        let object = found?.takeUnretainedValue() ?? context.makeObject(for: key)
        object.adopt(row)
        hasTakenRow = true
        objects.append(object)
    }

    private func takeOrRefresh(_ key: ObjectKey, _ row: Row) {
        guard let found = found?.takeUnretainedValue(), found.row != nil else { return takeWhole(key, row) }
        objects.append(found)
        context.takeRefetched(row, as: found)
    }

    /// Takes an object whose values were not read.
    package func takeFault(_ key: ObjectKey) {
        objects.append(context.object(for: key))
    }

    /// The destinations of one owner are complete.
    ///
    /// - Returns: whether those of the next one are wanted.
    package func ownerDidEnd() -> Bool {
        ends.append(objects.count)
        return objects.count < limit
    }

    /// Gives the arena back to the context, which goes on filling its last block, and wakes the new objects: they may
    /// read whatever they like only now, when the reader is at rest.
    func finish() {
        context.arena = arena
        identities.endCohort(from: start)
        if !hasTakenRow { return }
        for object in objects where object.row != nil { object.awakeFromFetchOnce() }
    }
}

@available(*, unavailable)
extension RowIntake: Sendable {}
