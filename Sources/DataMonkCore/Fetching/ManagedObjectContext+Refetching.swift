extension ManagedObjectContext {
    /// Advances for a fetch. One that refreshes reads what the store has by now, be it by others: a snapshot of this turn
    /// may be older.
    func advance(for fetch: ResolvedFetch) throws {
        if fetch.request.shouldRefreshRefetchedObjects { endTurn() }
        try advance()
    }

    /// Takes over the row that a refreshing fetch brought of an object that has one. Unsaved changes stay.
    func takeRefetched(_ row: Row, as object: ManagedObject) {
        // What is in a to-many says nothing of its owner's version.
        for relation in object.toManys { relation.unload() }
        if object.storedRow?.version == row.version { return }
        noteArrival(object, .refreshed)
        if let draft = object.draft { rebase(object, draft, onto: row) } else { adopt(row, as: object) }
    }
}
