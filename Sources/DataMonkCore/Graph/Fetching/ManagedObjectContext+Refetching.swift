extension ManagedObjectContext {
    /// Advances the context for a fetch. A refreshing fetch reads the current state of the store, including changes by
    /// others, so the snapshot of this turn, which may be older, is given up first.
    func advance(for fetch: ResolvedFetch) throws {
        if fetch.request.shouldRefreshRefetchedObjects { endTurn() }
        try advance()
    }

    /// Applies the row that a refreshing fetch has read for an object that has one. Unsaved changes stay.
    func takeRefetched(_ row: Row, as object: ManagedObject) {
        // The contents of a to-many can change without its owner's version.
        for relation in object.toManys { relation.unload() }
        if object.storedRow?.version == row.version { return }
        noteExternalChange(object, .refreshed)
        if let draft = object.draft { rebase(object, draft, onto: row) } else { adopt(row, as: object) }
    }
}
