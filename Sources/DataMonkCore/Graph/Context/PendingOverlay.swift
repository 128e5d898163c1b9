/// **Confined.** Unsaved changes applied to a store's answer, which add objects to it and remove others.
///
/// A root has a single layer of changes, its own; a child has its own layer over those of its parents. For each object,
/// its state in the nearest context that has changed it counts.
struct PendingOverlay {
    /// The contexts with changes that may concern the fetch, the nearest first.
    private var layers: [ManagedObjectContext] = []
    /// The number of changed objects of the fetch's entity, deleted ones included, without those about which the store
    /// decides; an object that several contexts have changed counts for each of them.
    private(set) var changedCount = 0
    /// The changed objects that match the fetch in their current state, in the order of their change, a parent's before
    /// its child's. Each one is an object of the context that changed it.
    private(set) var matching: [ManagedObject] = []

    fileprivate var isEmpty: Bool { changedCount == 0 }

    /// Returns the objects that the store has found, without those whose unsaved changes decide instead.
    ///
    /// An object that has been changed since the overlay was made, by `awakeFromFetch` perhaps, is not part of it and stays if
    /// it still matches.
    func unchanged<Element>(
        in stored: [Element], of fetch: ResolvedFetch, _ key: (Element) -> ObjectKey
    ) throws(FetchError) -> [Element] {
        let decided = Set(matching.map(\.key))
        var unchanged: [Element] = []
        unchanged.reserveCapacity(stored.count)
        for element in stored {
            guard let changed = changedObject(for: key(element)) else {
                unchanged.append(element)
                continue
            }
            if decided.contains(changed.key) || changed.isDeleted || changed.isFault { continue }
            if try fetch.matches(changed) { unchanged.append(element) }
        }
        return unchanged
    }

    /// Returns the object with unsaved changes that has a key, of the nearest context that has one.
    private func changedObject(for key: ObjectKey) -> ManagedObject? {
        for layer in layers {
            if let object = layer.identities.find(key), object.hasChanges { return object }
        }
        return nil
    }

    /// Adds the changes of a context beneath those added before.
    fileprivate mutating func add(_ context: ManagedObjectContext, for fetch: ResolvedFetch) throws {
        if context.work.changed.isEmpty { return }
        context.graph.propagateDeletions()
        // Beneath other changes, the store does not know what an object is changed from.
        let isAlone = layers.isEmpty && context.backing.ancestors.isEmpty
        let (changed, count) = context.work.candidates(of: fetch, isAlone: isAlone)
        if count == 0 { return }
        // A fault of which only a to-many was changed may no longer exist in the store; then it does not match.
        try context.stores.reading(for: fetch) { try context.faults.loadRows(of: changed.filter(\.isFault).map(\.key)) }
        var wanted: [ManagedObject] = []
        try context.evaluating(fetch) {
            for object in changed where !object.isDeleted && !object.isFault && changedObject(for: object.key) == nil {
                if try fetch.matches(object) { wanted.append(object) }
            }
        }
        matching = wanted + matching
        changedCount += count
        layers.append(context)
    }

    /// Returns the fetch to send to the store, with enough rows to fill the page even if all changed objects drop out.
    func widened(_ fetch: ResolvedFetch) -> ResolvedFetch { fetch.widened(by: changedCount) }

    /// Returns the page of `fetch`, given the store's answer to `widened`.
    func merged(into stored: [ManagedObject], _ fetch: ResolvedFetch) throws(FetchError) -> [ManagedObject] {
        let clean = try unchanged(in: stored, of: fetch, \.key)
        return fetch.page(fetch.merged(clean, with: fetch.sorted(matching)))
    }
}

extension UnitOfWork {
    /// Returns the changed objects that may satisfy the condition of a fetch, and the number of changed objects of its
    /// entity, without those about which the store decides. Among equals, these keep the store's order.
    ///
    /// - Parameter isAlone: Whether there are no changes above or beneath these.
    fileprivate func candidates(
        of fetch: ResolvedFetch, isAlone: Bool
    ) -> (objects: [ManagedObject], changedCount: Int) {
        if let (listed, count) = valueIndexes.candidates(of: fetch, among: changed) {
            return (listed.filter { fetch.includes($0.entity) && $0.hasChanges }, count)
        }
        let objects = changed.filter { fetch.includes($0.entity) && $0.hasChanges }
        guard isAlone, changesRowsOfSnapshot, let slots = fetch.decidingSlots else { return (objects, objects.count) }
        // A loop that fetches and changes one part of the objects after the other would else look at all of them each time.
        let undecided = objects.filter { !$0.isAsStored(in: slots) }
        // Before the store answers, a hook of a fault that is read could make the context advance.
        return undecided.contains(where: \.isFault) ? (objects, objects.count) : (undecided, undecided.count)
    }

    /// Indicates whether the rows beneath all changes are those that the store's answer is made of: nobody has committed since
    /// the unsaved changes began, and the snapshot stays the one that it is.
    private var changesRowsOfSnapshot: Bool {
        let stores = context.stores
        guard context.followsCommits, context.graph.references.isOfPresent, let snapshot = stores.snapshot
        else { return false }
        return snapshot.generation == stores.generation && !snapshot.canBeLost
    }
}

extension ManagedObject {
    /// Returns `true` if the store has the object with the same values in some slots.
    fileprivate final nonisolated func isAsStored(in slots: [Int]) -> Bool {
        if !state.isDisjoint(with: [.inserted, .deleted]) { return false }
        guard let draft else { return !isFault }
        // Of a row that could not be read, nothing is known.
        guard let base = draft.base, base.pointer != home.layout.emptyRow.pointer else { return false }
        return slots.allSatisfy { home.layout.isEqual($0, in: draft.row, and: base.pointer) }
    }
}

extension ResolvedFetch {
    /// The slots of the attributes that alone decide if and where an object is in the result; `nil` if other things do.
    fileprivate var decidingSlots: [Int]? {
        var slots: [Int] = []
        if let condition, !condition.addSlots(to: &slots) { return nil }
        return sortTerms.allSatisfy { $0.expression.addSlot(to: &slots) } ? slots : nil
    }
}

extension ResolvedCondition {
    /// Adds the slots of the attributes that decide about the condition. Returns `false` if other things do.
    fileprivate func addSlots(to slots: inout [Int]) -> Bool {
        switch self {
        case .constant: true
        case .comparison(let comparison):
            comparison.left.addSlot(to: &slots) && comparison.right.addSlot(to: &slots)
        case .identity: false
        case .and(let parts), .or(let parts): parts.allSatisfy { $0.addSlots(to: &slots) }
        case .not(let inner): inner.addSlots(to: &slots)
        }
    }
}

extension ResolvedExpression {
    /// Adds the slot of an attribute. Returns `false` if the expression is neither that nor a constant.
    fileprivate func addSlot(to slots: inout [Int]) -> Bool {
        switch self {
        case .constant: return true
        case .path(let path):
            guard path.start == .object, path.steps.isEmpty, let attribute = path.attribute, !attribute.isTransient
            else { return false }
            slots.append(attribute.slot)
            return true
        default: return false
        }
    }
}

extension ManagedObjectContext {
    /// Returns the overlay for a fetch; `nil` if it is not affected by unsaved changes.
    func pendingOverlay(of fetch: ResolvedFetch) throws -> PendingOverlay? {
        guard fetch.request.includesPendingChanges else { return nil }
        var overlay = PendingOverlay()
        try overlay.add(self, for: fetch)
        for parent in backing.ancestors { try overlay.add(parent, for: fetch) }
        return overlay.isEmpty ? nil : overlay
    }

    /// Returns this context's objects for those of a page, some of which may be its parents'.
    func own(_ objects: [ManagedObject]) throws -> [ManagedObject] {
        let inherited = objects.filter { $0.home.context !== self }
        if inherited.isEmpty { return objects }
        try faults.loadRows(of: inherited.map(\.key))
        return objects.map { object(for: $0.key) }
    }
}
