public import DataMonkCore

extension MainContext {
    /// The objects that meet a condition, fetched without holding the main actor for long: the ids are found on another
    /// thread, and the objects are read here, so many a turn as `.Batch` says, 500 if it says nothing.
    ///
    ///     let people = try await World.fetchAsynchronously(Person.self, %"age" >= 18) { done, total in
    ///         bar.value = Double(done) / Double(total)
    ///     }
    ///
    /// Cancelling the task ends it between two turns. Objects that somebody deletes meanwhile are left out; what the others
    /// show is as new as their turn.
    ///
    /// - Parameter progress: called after each turn with how many objects there are, and how many there will be.
    /// - Throws: ``FetchError`` and ``StoreError`` as `fetchAll`; `CancellationError` if the task was cancelled.
    /// - Complexity: one SELECT for the ids, and one for each turn.
    public func fetchAsynchronously<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil,
        progress: (@MainActor (_ done: Int, _ total: Int) -> Void)? = nil
    ) async throws -> [Object] {
        let request = try reader.request(type, query, orderBy, options)
        let size = request.fetchBatchSize > 0 ? request.fetchBatchSize : 500
        let ids = try await read { reader in try reader.graph.objectIDs(request) }
        var objects: [Object] = []
        var rest = ids[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            // Nothing of this context is relied upon across the suspension but the ids, which any generation knows.
            objects += try fetch(type, rest.prefix(size).map { ObjectID($0) })
            rest = rest.dropFirst(size)
            progress?(ids.count - rest.count, ids.count)
            await Task.yield()
        }
        return objects
    }
}
