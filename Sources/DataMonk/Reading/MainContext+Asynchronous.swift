public import DataMonkCore

extension MainContext {
    /// Fetches the objects that meet a condition without holding the main actor for long. The ids are fetched on another
    /// thread; the objects are read here, in batches of the size given by `.Batch`, one a turn. The default batch size is
    /// 500.
    ///
    ///     let people = try await World.fetchAsynchronously(Person.self, %"age" >= 18) { done, total in
    ///         bar.value = Double(done) / Double(total)
    ///     }
    ///
    /// If the task is cancelled, the fetch ends between two turns. Objects that are deleted in the meantime are omitted.
    /// The values of the others are as recent as the turn that read them.
    ///
    /// - Parameter progress: A block that is called after each turn with the number of objects so far and their total
    ///   number.
    /// - Throws: ``/DataMonkCore/FetchError`` and ``/DataMonkCore/StoreError`` as `fetchAll` does; `CancellationError` if
    ///   the task was cancelled.
    /// - Complexity: One SELECT for the ids, and one for each turn.
    public func fetchAsynchronously<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil,
        progress: (@MainActor (_ done: Int, _ total: Int) -> Void)? = nil
    ) async throws -> [Object] {
        let request = try reader.request(type, where: query, orderBy: orderBy, options: options)
        let size = request.fetchBatchSize > 0 ? request.fetchBatchSize : 500
        let ids = try await read { reader in try reader.graph.objectIDs(request) }
        var objects: [Object] = []
        var rest = ids[...]
        while !rest.isEmpty {
            try Task.checkCancellation()
            // Only the ids are relied upon across the suspension, and they are valid at every generation.
            objects += try fetch(type, rest.prefix(size).map { ObjectID($0) })
            rest = rest.dropFirst(size)
            progress?(ids.count - rest.count, ids.count)
            await Task.yield()
        }
        return objects
    }
}
