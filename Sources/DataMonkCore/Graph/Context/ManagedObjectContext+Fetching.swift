extension ManagedObjectContext {
    /// Runs a fetch and returns the objects in its order, including unsaved changes.
    ///
    /// Advances the context to the newest generation first. The request determines which values of the objects are
    /// loaded: all, certain properties, or none until they are accessed; see ``FetchRequest``.
    ///
    /// - Throws: ``FetchError`` for an invalid request, before any store is accessed; ``StoreError`` if a store fails.
    /// - Complexity: One SELECT for each store that contains the entity, and one for each prefetched relationship. With
    ///   batches, one for the ids, and one for each batch when one of its objects is accessed.
    public func fetch(_ request: FetchRequest) throws -> [ManagedObject] {
        var fetch = try resolveObjects(request)
        beginCall()
        defer { endCall() }
        try advance(for: &fetch)
        return try fetched(fetch)
    }

    /// Runs a fetch in the state in which the context is, in a call that has advanced: the request is made of values of that
    /// state.
    func fetchInThisState(_ request: FetchRequest) throws -> [ManagedObject] {
        try fetched(resolveObjects(request))
    }

    private func resolveObjects(_ request: FetchRequest) throws -> ResolvedFetch {
        try request.requireResultType(.managedObjects)
        let fetch = try resolve(request)
        // The caller may look at any value of the objects, those that are not there yet included.
        root.readRegion?.add(fetch.entity)
        return fetch
    }

    private func fetched(_ fetch: ResolvedFetch) throws -> [ManagedObject] {
        defer { if fetch.request.shouldRefreshRefetchedObjects { postExternalChanges() } }
        return try replacingReplica(until: fetch.deadline) {
            // Prefetching applies to batches as well: the objects of a batch are read together.
            if let size = fetch.batchSize { return faults(of: try keys(fetch), together: size) }
            let objects = try fetch.loadsValues ? objects(fetch) : faults(of: keys(fetch), together: .max)
            try prefetch(for: fetch, of: objects)
            return objects
        }
    }

    /// Returns the number of objects that a fetch would return.
    ///
    /// - Complexity: One `SELECT count(*)` for each store that contains the entity; a fetch of keys if it is affected by
    ///   unsaved changes.
    public func count(_ request: FetchRequest) throws -> Int {
        var fetch = try resolve(request)
        beginCall()
        defer { endCall() }
        try advance(by: &fetch)
        return try replacingReplica(until: fetch.deadline) { try countObjects(fetch) }
    }

    /// Runs a fetch with selections, and returns a value for each selection in each row. Unsaved changes are ignored.
    ///
    /// If several stores hold the entity, the rows are made in memory, of values that each of the stores is asked for: one
    /// row for each matching object or, where only properties are aggregated, one for each distinct combination of values,
    /// with its count.
    ///
    ///     request.propertiesToFetch = [.init("location"), .init(.sum, of: "age", alias: "total")]
    ///     request.propertiesToGroupBy = ["location"]
    ///     // in each store: SELECT t0.ZLOCATION, t0.ZAGE, t0.ZLOCATION, COUNT(*) FROM ZPERSON t0 GROUP BY …
    ///
    /// - Throws: ``FetchError`` for a request without selections, and for one with a result type other than
    ///   `.dictionaries` or the default, `.managedObjects`; ``StoreError`` if a store fails.
    public func values(_ request: FetchRequest) throws -> [[ManagedValue]] { try valueRows(request).makeArrays() }

    /// Runs a fetch with selections, as ``values(_:)`` does.
    package func valueRows(_ request: FetchRequest) throws -> ValueRows {
        try request.requireResultType(.dictionaries)
        var request = request
        request.resultType = .dictionaries
        var fetch = try resolve(request)
        beginCall()
        defer { endCall() }
        try advance(by: &fetch)
        let indices = try storeIndices(of: fetch)
        guard indices.count > 1 else {
            return try replacingReplica(until: fetch.deadline) {
                try indices.first.map { try openSnapshot(for: fetch).readers[$0].values(fetch) }
                    ?? ValueRows(columnCount: fetch.columnCount)
            }
        }
        let combined = CombinedRows(fetch)
        let members = try indices.flatMap { store in
            try openSnapshot(for: fetch).readers[store].values(combined.part).makeArrays()
        }
        return ValueRows(try combined.rows(of: members), of: fetch)
    }

    /// Returns the ids of a fetch's objects. Reads only the values that are needed to sort unsaved changes.
    public func objectIDs(_ request: FetchRequest) throws -> [AnyObjectID] {
        try request.requireResultType(.objectIDs)
        var fetch = try resolve(request)
        beginCall()
        defer { endCall() }
        try advance(by: &fetch)
        return try replacingReplica(until: fetch.deadline) {
            try keys(fetch).map { AnyObjectID(key: $0, directory: directory) }
        }
    }

    /// Returns the object with an id, and reads it now if it has not been read.
    ///
    /// - Throws: ``FetchError`` with the code `objectNotFound` if there is none.
    public func existingObject(with id: AnyObjectID) throws -> ManagedObject {
        checkOwner()
        guard id.directory === directory else { throw FetchError.foreignID(id) }
        noteRead(of: id.key)
        beginCall()
        defer { endCall() }
        try advance()
        let key = presentKey(id.key)
        let known = identities.find(key)
        if let known {
            if known.isDeleted { throw FetchError.objectNotFound(id) }
            if !known.isFault || known.isInserted { return known }
        }
        // Not by another snapshot, if a copy of the store loses this one: that would cost every read by id.
        guard let row = try faults.storedRow(of: key) else { throw FetchError.objectNotFound(id) }
        // Reading a row does not register any objects.
        if let known { known.adopt(row) }
        let object = known ?? makeLoneObject(for: key, with: row)
        object.awakeFromFetchOnce()
        return object
    }

    /// Returns the objects with the given ids, in the order of the ids. Ids without an object are omitted.
    ///
    /// - Complexity: One SELECT for all ids that are not registered, or one per table if they are of several entities.
    public func objects(with ids: [AnyObjectID]) throws -> [ManagedObject] {
        try objects(withKeys: ids.map { try key(of: $0) })
    }

    /// Returns the objects with the given keys of this stack, like `objects(with:)`.
    package func objects(withKeys keys: [ObjectKey]) throws -> [ManagedObject] {
        requireOwner()
        beginCall()
        defer { endCall() }
        try advance()
        if root.readRegion != nil { keys.forEach(noteRead) }
        let keys = keys.map(presentKey)
        try replacingReplica { try faults.loadRows(of: keys) }
        return keys.compactMap { key in
            identities.find(key).flatMap { $0.row == nil || $0.isDeleted ? nil : $0 }
        }
    }

    /// Returns the key of an id.
    ///
    /// - Throws: ``FetchError`` with the code `foreignID` for an id of another stack.
    package func key(of id: AnyObjectID) throws -> ObjectKey {
        guard id.directory === directory else { throw FetchError.foreignID(id) }
        return id.key
    }

    // MARK: Steps

    func resolve(_ request: FetchRequest) throws -> ResolvedFetch {
        requireOwner()
        var fetch = try ResolvedFetch(request, model: directory.model)
        fetch.deadline = deadline(of: request)
        try fetch.requireTime()
        root.readRegion?.add(fetch)
        return fetch
    }

    /// Returns the time by which a fetch that begins now must have ended: its own or that of the running code, whichever is
    /// earlier.
    func deadline(of request: FetchRequest) -> ContinuousClock.Instant? {
        let own = request.deadline.map { ContinuousClock.now + $0 }
        guard let callers = root.deadlineOfCaller?() else { return own }
        return min(callers, own ?? callers)
    }

    func storeIndices(of fetch: ResolvedFetch) throws -> [Int] {
        let indices = coordinator.storeIndices(of: fetch.entity)
        // The snapshot of this turn is still open after the stores have been closed.
        if indices.isEmpty, !coordinator.hasStores { throw coordinator.noStores }
        if let last = indices.last, let snapshot = stores.snapshot, last >= snapshot.readers.count {
            // A store was added in this turn: the snapshot contains only the stores before it.
            root.endTurn()
            try advance()
        }
        return indices
    }

    /// Returns the objects of a fetch, loaded as it specifies.
    func objects(_ fetch: ResolvedFetch) throws -> [ManagedObject] {
        let overlay = try pendingOverlay(of: fetch)
        let stored = try storedObjects(overlay?.widened(fetch) ?? fetch)
        guard let overlay else { return stored }
        return try own(evaluating(fetch) { try overlay.merged(into: stored, fetch) })
    }

    private func storedObjects(_ fetch: ResolvedFetch) throws -> [ManagedObject] {
        let indices = try storeIndices(of: fetch)
        // Before the sink is created, which checks whether the context stands behind the snapshot.
        if !indices.isEmpty { _ = try openSnapshot(for: fetch) }
        let sink = ObjectSink(context: self, materialization: fetch.materialization)
        defer { sink.finish() }
        if indices.count <= 1 {
            for index in indices { try openSnapshot(for: fetch).readers[index].fetch(fetch, into: sink) }
            return sink.objects
        }
        // Each store answers without the offset; the answers are sorted here.
        let widened = fetch.widened(by: 0)
        for index in indices { try openSnapshot(for: fetch).readers[index].fetch(widened, into: sink) }
        return fetch.page(try evaluating(fetch) { fetch.sorted(sink.objects) })
    }
}

extension ManagedObjectContext {
    /// Advances the context for a fetch. A refreshing fetch reads the current state of the store, including changes by
    /// others, so the snapshot of this turn, which may be older, is given up first.
    func advance(for fetch: inout ResolvedFetch) throws {
        if fetch.request.shouldRefreshRefetchedObjects { endTurn() }
        try advance(by: &fetch)
    }

    /// Advances the context within the time of a fetch.
    fileprivate func advance(by fetch: inout ResolvedFetch) throws {
        let mayMeetSave = !root.work.committing.isEmpty
        let deadline = fetch.deadline
        try fetch.inTime { try backing.advance(until: deadline) }
        guard mayMeetSave, let condition = fetch.request.condition else { return }
        // The new objects that it names have their permanent keys by now.
        var request = fetch.request
        request.condition = try condition.replacingObjects { id in
            id.directory === directory ? AnyObjectID(key: presentKey(id.key), directory: directory) : id
        }
        fetch = try resolve(request)
        fetch.deadline = deadline
    }

    /// Runs a read over the snapshot of this turn. If a copy of the store loses that before anything was read from it, the
    /// context advances to another one, which may be newer, and the read is run once more.
    private func replacingReplica<Result>(
        until deadline: ContinuousClock.Instant? = nil, _ read: () throws -> Result
    ) throws -> Result {
        do { return try read() } catch {
            guard stores.snapshot?.isReplaceable == true else { throw error }
            try backing.advance(until: deadline)
            return try read()
        }
    }

    /// Returns the snapshot of this turn. If it was lost, another one is opened within the time of the fetch.
    @inline(__always)
    func openSnapshot(for fetch: ResolvedFetch) throws -> StoreSnapshot {
        try fetch.inTime { try stores.openSnapshot(until: fetch.deadline) }
    }

    /// Reads the relationships that a fetch prefetches, within its time.
    private func prefetch(for fetch: ResolvedFetch, of objects: [ManagedObject]) throws {
        if fetch.prefetched.isEmpty { return }
        try stores.reading(for: fetch) { try faults.prefetch(fetch.prefetched, of: objects) }
    }

    /// Evaluates what a fetch asks of objects in memory. The values that are missing are read within its time.
    func evaluating<Result>(_ fetch: ResolvedFetch, _ body: () throws -> Result) throws -> Result {
        try stores.reading(for: fetch) { try faults.evaluating(body) }
    }

    /// Applies the row that a refreshing fetch has read for an object that has one. Unsaved changes stay.
    func takeRefetched(_ row: Row, as object: ManagedObject) {
        // The contents of a to-many can change without its owner's version.
        for relation in object.toManys { relation.unload() }
        if object.storedRow?.version == row.version { return }
        noteExternalChange(of: object, as: .refreshed)
        if let draft = object.draft { rebase(object, draft: draft, onto: row) } else { adopt(row, as: object) }
    }
}

extension ManagedObjectContext {
    /// Explains how a fetch would be answered, and which index would make it faster. The request's result type determines
    /// whether the fetch is for objects, ids, their count or rows of values.
    ///
    ///     print(try context.explain(request))
    ///
    /// The fetch does not run. Statements do not show values.
    ///
    /// - Parameter showingValues: A Boolean value indicating whether the plans include the constants.
    /// - Throws: ``FetchError`` if the fetch would throw it; ``StoreError`` if a store fails.
    public func explain(_ request: FetchRequest, showingValues: Bool = false) throws -> FetchExplanation {
        var request = request
        // A fetch of objects in batches is a fetch of their ids.
        if request.resultType == .managedObjects, try resolve(request).batchSize != nil {
            request.resultType = .objectIDs
        }
        var fetch = try resolve(request)
        beginCall()
        defer { endCall() }
        try advance(by: &fetch)
        let hasOverlay = request.resultType != .dictionaries && request.includesPendingChanges
        let overlay = hasOverlay ? try pendingOverlay(of: fetch) : nil
        let indices = try storeIndices(of: fetch)
        let isCombined = request.resultType == .dictionaries && indices.count > 1
        let asked = isCombined ? CombinedRows(fetch).part : overlay?.widened(fetch) ?? fetch
        let plans = try replacingReplica(until: fetch.deadline) {
            try indices.map { try openSnapshot(for: fetch).readers[$0].plan(of: asked, showsValues: showingValues) }
        }
        let isSlow = plans.contains { $0.statement != nil && ($0.readsEveryObject || $0.sortsResults) }
        return FetchExplanation(
            entityName: fetch.entity.name, plans: plans, unsavedChanges: hasOverlay ? unsavedChanges(of: fetch) : 0,
            suggestedIndex: isSlow ? IndexSuggestion.index(for: fetch) : nil)
    }

    /// Returns the number of objects of a fetch's entities that this context or a parent has changed.
    private func unsavedChanges(of fetch: ResolvedFetch) -> Int {
        let changed = ([self] + backing.ancestors).flatMap { context in
            context.work.changed.lazy.filter { fetch.includes($0.entity) && $0.hasChanges }.map(\.key)
        }
        return Set(changed).count
    }
}

extension ManagedObjectContext {
    /// Fetches or deletes the history of the stores; see ``PersistentStoreCoordinator/execute(_:)``.
    ///
    ///     for transaction in try context.execute(.fetchHistory(after: token)).transactions {
    ///         try context.mergeChanges(fromRemote: transaction.objectChangeNotice)
    ///     }
    @discardableResult
    public func execute(_ request: HistoryRequest) throws -> HistoryResult {
        requireOwner()
        return try coordinator.execute(request)
    }

    /// The author and the name of this context for the stores' histories; `nil` if it has neither.
    var historySignature: HistorySignature? {
        if name == nil, transactionAuthor == nil { return nil }
        return HistorySignature(author: transactionAuthor, contextName: name)
    }
}
