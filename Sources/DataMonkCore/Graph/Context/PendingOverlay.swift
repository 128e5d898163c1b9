/// **Confined.** Unsaved changes applied to a store's answer, which add objects to it and remove others.
///
/// A root has a single layer of changes, its own; a child has its own layer over those of its parents. For each object,
/// its state in the nearest context that has changed it counts.
struct PendingOverlay {
    /// The changed objects of the fetch's entity, deleted ones included.
    private(set) var dirty: Set<ObjectKey> = []
    /// The changed objects that match the fetch in their current state, in the order of their change, a parent's before
    /// its child's. Each one is an object of the context that changed it.
    private(set) var matching: [ManagedObject] = []

    fileprivate var isEmpty: Bool { dirty.isEmpty }

    /// Adds the changes of a context beneath those added before.
    fileprivate mutating func add(_ context: ManagedObjectContext, for fetch: ResolvedFetch) throws {
        if context.work.changed.isEmpty { return }
        context.graph.propagateDeletions()
        let changed = context.work.changed.filter { fetch.includes($0.entity) && $0.hasChanges }
        // A fault of which only a to-many was changed may no longer exist in the store; then it does not match.
        try context.faults.loadRows(of: changed.filter(\.isFault).map(\.key))
        var wanted: [ManagedObject] = []
        try context.faults.evaluating {
            for object in changed {
                guard dirty.insert(object.key).inserted, !object.isDeleted, !object.isFault else { continue }
                if try fetch.matches(object) { wanted.append(object) }
            }
        }
        matching = wanted + matching
    }

    /// Returns the fetch to send to the store, with enough rows to fill the page even if all changed objects drop out.
    func widened(_ fetch: ResolvedFetch) -> ResolvedFetch { fetch.widened(by: dirty.count) }

    /// Returns the page of `fetch`, given the store's answer to `widened`.
    func merged(into stored: [ManagedObject], _ fetch: ResolvedFetch) -> [ManagedObject] {
        let clean = stored.filter { !dirty.contains($0.key) }
        return fetch.page(fetch.merged(clean, with: fetch.sorted(matching)))
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
