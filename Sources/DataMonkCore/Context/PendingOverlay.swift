/// **Confined.** Unsaved changes laid over the answer of a store, both ways: changed objects fall in and out.
///
/// A root has one layer of them, its own; a child has its own over those of its parents. An object counts as it is in the
/// nearest context that has changed it.
struct PendingOverlay {
    /// The changed objects of the fetch's entity, deleted ones included.
    private(set) var dirty: Set<ObjectKey> = []
    /// Those that the fetch wants as they are now, in the order of their change, a parent's before its child's. Each is
    /// an object of the context that changed it.
    private(set) var matching: [ManagedObject] = []

    fileprivate var isEmpty: Bool { dirty.isEmpty }

    /// Adds the changes of a context under those that are there.
    fileprivate mutating func add(_ context: ManagedObjectContext, _ fetch: ResolvedFetch) throws {
        context.propagateDeletions()
        let changed = context.changed.filter { fetch.includes($0.entity) && $0.hasChanges }
        // A fault of which only a to-many was changed may be gone from the store: then it matches nothing.
        try context.loadRows(of: changed.filter(\.isFault).map(\.key))
        var wanted: [ManagedObject] = []
        try context.evaluating {
            for object in changed {
                guard dirty.insert(object.key).inserted, !object.isDeleted, !object.isFault else { continue }
                if try fetch.matches(object) { wanted.append(object) }
            }
        }
        matching = wanted + matching
    }

    /// The fetch to ask the store: enough rows to fill the page when all changed objects have fallen out of it.
    func widened(_ fetch: ResolvedFetch) -> ResolvedFetch { fetch.widened(by: dirty.count) }

    /// The page of `fetch` over what `widened` answered.
    func lay(over stored: [ManagedObject], _ fetch: ResolvedFetch) -> [ManagedObject] {
        let clean = stored.filter { !dirty.contains($0.key) }
        return fetch.page(fetch.merged(clean, fetch.sorted(matching)))
    }
}

extension ManagedObjectContext {
    /// The overlay of a fetch; nil if no unsaved change concerns it.
    func pendingOverlay(of fetch: ResolvedFetch) throws -> PendingOverlay? {
        guard fetch.request.includesPendingChanges else { return nil }
        var overlay = PendingOverlay()
        var context: ManagedObjectContext? = self
        while let layer = context {
            if !layer.changed.isEmpty { try overlay.add(layer, fetch) }
            context = layer.parent
        }
        return overlay.isEmpty ? nil : overlay
    }

    /// This context's objects for those of a page, some of which may be its parents'.
    func own(_ objects: [ManagedObject]) throws -> [ManagedObject] {
        if parent == nil { return objects }
        let inherited = objects.filter { $0.home.context !== self }
        if inherited.isEmpty { return objects }
        try loadRows(of: inherited.map(\.key))
        return objects.map { object(for: $0.key) }
    }
}
