/// **Confined.** Makes a context's objects of the rows that a store reads.
///
/// A registered object that already has its row wants no other one, because rows only change for a context when it advances.
/// Every object is appended to ``objects`` in the order of arrival, whether its row is new or not.
///
/// Usable from inlined code, although nothing is inlined: otherwise stores would call it through its witness table.
@usableFromInline
package final class ObjectSink: RowSink {
    private let context: ManagedObjectContext
    private let identities: IdentityMap
    /// A Boolean value indicating whether the context is a child. Rows known to its parents take precedence over the
    /// store's.
    let inherits: Bool
    /// A Boolean value indicating whether the context is behind the snapshot. Rows that the row cache has for its generation
    /// take precedence over the store's.
    private let isBehind: Bool
    /// A Boolean value indicating whether parents or the row cache are asked before a row is taken from the store.
    let asksFirst: Bool
    // Unchecked exclusivity: the type is confined, and each access ends at once. It happens for every row.
    @exclusivity(unchecked) package private(set) var objects: [ManagedObject] = []
    /// The memory in which the reader packs rows.
    @usableFromInline
    @exclusivity(unchecked) package var arena: RowArena
    // Not retained, because every row would pay for that: the identity map retains it, and between `wants` and `take` a
    // store only copies bytes.
    /// The registered object found by the last `wants`.
    @exclusivity(unchecked) private var found: Unmanaged<ManagedObject>?
    /// A Boolean value indicating whether any object has received a row and may have to be awakened.
    @exclusivity(unchecked) private var hasTakenRow = false
    /// The end in ``objects`` of each owner's destinations, for the owners that are complete.
    package private(set) var ends: [Int] = []
    private let limit: Int
    private let start: Int
    private let materialization: Materialization
    /// A Boolean value indicating whether `materialization` is `.whole`, which takes a single test per row.
    private let isPlain: Bool

    /// **Value.** The use of a received row.
    enum Materialization {
        /// Fulfills a fault.
        case whole
        /// Gives a fault some of its values, those of the slots.
        case partial(SlotSet)
        /// As `.whole`, and also replaces the rows of fulfilled objects with newer ones.
        case refreshing
    }

    /// Creates a sink for a context.
    ///
    /// - Parameters:
    ///   - limit: The number of objects after which no further owner's destinations are wanted.
    ///   - materialization: The use of the rows.
    init(context: ManagedObjectContext, limit: Int = .max, materialization: Materialization = .whole) {
        self.context = context
        identities = context.identities
        self.limit = limit
        self.materialization = materialization
        isPlain = if case .whole = materialization { true } else { false }
        inherits = !context.backing.ancestors.isEmpty
        isBehind = context.stores.isBehind
        asksFirst = inherits || isBehind
        // Moved rather than copied: rows that the context itself packs meanwhile must not use the same memory.
        arena = context.arena
        context.arena = RowArena()
        start = identities.cohortStart
    }

    /// Returns `true` if the reader must pack the row of `key` and call `take`. Otherwise the row has been handled.
    @usableFromInline
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
        if case .refreshing = materialization { !object.isDeleted } else { false }
    }

    /// Uses the row that the parents know, or for a context behind the snapshot the one in the row cache. Returns `false` if
    /// there is none. The row is used as a whole, whatever was requested: it is available, and may contain keys that the
    /// parents' save changes.
    private func takeKnown(_ key: ObjectKey) -> Bool {
        if inherits {
            switch context.inheritedRow(of: key) {
            case .row(let row):
                takeOrRefresh(key, row: row)
                return true
            // It counts where the store decides on membership. Reading it reveals that it is deleted.
            case .deleted:
                takeFault(key)
                return true
            case .unknown: break
            }
        }
        if !isBehind { return false }
        switch context.faults.olderRow(of: key) {
        case .row(let row): takeOrRefresh(key, row: row)
        // A later commit has inserted it. It stays a fault until the context has moved there.
        case .deleted where context.faults.readsFormerRows: takeFault(key)
        case .deleted, .unknown: return false
        }
        return true
    }

    /// Takes the row requested by the last `wants`, which has just been packed into `arena`. (The arena is not changed: a
    /// copy of it would retain its block for each row.)
    @usableFromInline
    package func take(_ key: ObjectKey, at pointer: UnsafeMutableRawPointer, in arena: inout RowArena) {
        guard isPlain, found == nil else { return take(key, row: arena.row(at: pointer)) }
        // The most common case, in which only what stays is retained.
        hasTakenRow = true
        objects.append(context.makeObject(for: key, at: UnsafeRawPointer(pointer), in: arena.openBlock))
    }

    /// Takes the row requested by the last `wants`, wherever it is in memory.
    @usableFromInline
    package func take(_ key: ObjectKey, row: Row) {
        if isPlain { return takeWhole(key, row: row) }
        guard case .partial(let slots) = materialization else { return takeOrRefresh(key, row: row) }
        let object = found?.takeUnretainedValue() ?? context.makeObject(for: key)
        object.dropValues(but: PartialRow(row: row, slots: slots))
        objects.append(object)
    }

    private func takeWhole(_ key: ObjectKey, row: Row) {
        let object = found?.takeUnretainedValue() ?? context.makeObject(for: key)
        object.adopt(row)
        hasTakenRow = true
        objects.append(object)
    }

    private func takeOrRefresh(_ key: ObjectKey, row: Row) {
        guard let found = found?.takeUnretainedValue(), found.row != nil else { return takeWhole(key, row: row) }
        objects.append(found)
        context.takeRefetched(row, as: found)
    }

    /// Takes an object whose values were not read.
    @usableFromInline
    package func takeFault(_ key: ObjectKey) {
        objects.append(context.object(for: key))
    }

    /// Records that the destinations of one owner are complete.
    ///
    /// - Returns: `true` if those of the next owner are wanted.
    @usableFromInline
    package func ownerDidEnd() -> Bool {
        ends.append(objects.count)
        return objects.count < limit
    }

    /// Returns the arena to the context, which continues to fill its last block, and awakens the new objects. Only now, with
    /// the reader at rest, may they read anything.
    func finish() {
        context.arena = arena
        identities.endCohort(from: start)
        if !hasTakenRow { return }
        for object in objects where object.row != nil { object.awakeFromFetchOnce() }
    }
}

@available(*, unavailable)
extension ObjectSink: Sendable {}

extension ResolvedFetch {
    /// The mode in which rows are turned into objects.
    var materialization: ObjectSink.Materialization {
        if request.shouldRefreshRefetchedObjects { return .refreshing }
        return loadedSlots.map { .partial($0) } ?? .whole
    }
}
