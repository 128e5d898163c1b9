/// **Confined.** Unsaved changes laid over the answer of a store, both ways: changed objects fall in and out.
struct PendingOverlay {
    /// The context's changed objects of the fetch's entity, deleted ones included.
    private let dirty: Set<ManagedObject>
    /// Those that the fetch wants as they are now, in the order of their change.
    private let matching: [ManagedObject]

    fileprivate init(dirty: [ManagedObject], matching: [ManagedObject]) {
        self.dirty = Set(dirty)
        self.matching = matching
    }

    /// The fetch to ask the store: enough rows to fill the page when all changed objects have fallen out of it.
    func widened(_ fetch: ResolvedFetch) -> ResolvedFetch { fetch.widened(by: dirty.count) }

    /// The page of `fetch` over what `widened` answered.
    func lay(over stored: [ManagedObject], _ fetch: ResolvedFetch) -> [ManagedObject] {
        let clean = stored.filter { !dirty.contains($0) }
        return fetch.page(fetch.merged(clean, fetch.sorted(matching)))
    }
}

extension ManagedObjectContext {
    /// The overlay of a fetch; nil if no unsaved change concerns it.
    func pendingOverlay(of fetch: ResolvedFetch) throws -> PendingOverlay? {
        guard fetch.request.includesPendingChanges, !changed.isEmpty else { return nil }
        propagateDeletions()
        let dirty = changed.filter { fetch.includes($0.entity) && $0.hasChanges }
        if dirty.isEmpty { return nil }
        let matching = try dirty.filter { try !$0.isDeleted && fetch.matches($0) }
        return PendingOverlay(dirty: Array(dirty), matching: matching)
    }
}
