/// **Confined.** A snapshot of an in-memory store.
final class InMemoryReader: StoreReader {
    let contents: InMemoryContents
    let directory: ObjectDirectory

    init(_ contents: InMemoryContents, directory: ObjectDirectory) {
        self.contents = contents
        self.directory = directory
    }

    func fetch(_ fetch: ResolvedFetch, into sink: some RowSink) throws {
        let page = try page(fetch)
        if !fetch.loadsValues { return page.forEach { sink.takeFault($0.objectKey) } }
        for object in page where sink.wants(object.objectKey) { sink.take(object.objectKey, row: object.row) }
    }

    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey] { try page(fetch).map(\.objectKey) }

    func count(_ fetch: ResolvedFetch) throws -> Int { try page(fetch).count }

    func values(_ fetch: ResolvedFetch) throws -> [[ManagedValue]] {
        try RowComposer(fetch) { [directory] in AnyObjectID(key: $0, directory: directory) }.rows(of: candidates(fetch))
    }

    func row(of key: ObjectKey, in arena: inout RowArena) -> Row? { stored(key)?.row }

    func rows(of keys: [ObjectKey], into sink: some RowSink) {
        for key in keys {
            if let object = stored(key), sink.wants(key) { sink.take(key, row: object.row) }
        }
    }

    func destinations(of relationship: Entity.Relationship, from key: ObjectKey, into sink: some RowSink) {
        rows(of: contents.destinations(of: relationship, from: key), into: sink)
    }

    func version(of key: ObjectKey) -> Int64? { stored(key)?.row.version }

    func lastPrimaryKey(of entity: Entity) -> Int64 { contents.lastPrimaryKey(root: entity.root.index) }

    func keepsHistory() -> Bool { contents.history != nil }

    func history(after bound: HistoryBound, includingChanges: Bool) throws -> [HistoryRecord]? {
        try contents.history?.records(after: bound)
    }

    func lastHistoryNumber() -> Int64? { contents.history?.records.last?.number }

    func end() {}

    func plan(of fetch: ResolvedFetch, showsValues: Bool) -> FetchPlan {
        var plan = FetchPlan()
        plan.steps.append("Scan all objects of \(fetch.entity.name)")
        if fetch.condition != nil { plan.steps.append("Filter them by the condition") }
        if fetch.request.resultType == .dictionaries, !fetch.groups.isEmpty { plan.steps.append("Group them") }
        if !fetch.sortTerms.isEmpty { plan.steps.append("Sort them") }
        if fetch.limit != nil || fetch.offset > 0 { plan.steps.append("Apply limit and offset") }
        plan.readsEveryObject = true
        plan.sortsResults = !fetch.sortTerms.isEmpty
        return plan
    }

    // MARK: Objects

    func stored(_ key: ObjectKey) -> InMemoryObject? {
        contents.stored(key, root: directory.layout(of: key).entity.root.index).map { object($0) }
    }

    private func object(_ stored: InMemoryContents.Stored) -> InMemoryObject {
        InMemoryObject(
            reader: self, objectKey: stored.key, row: stored.row, entity: directory.layout(of: stored.key).entity)
    }

    /// Returns every object of one entity, without those of its sub-entities.
    func objects(of entity: Entity) -> [InMemoryObject] {
        (contents.tables[entity.root.index]?.rows ?? []).compactMap { stored in
            stored.flatMap { $0.key.entityIndex == entity.index ? object($0) : nil }
        }
    }

    /// Returns every object of the fetch's entities, in the order of keys.
    private func candidates(_ fetch: ResolvedFetch) -> [InMemoryObject] {
        (contents.tables[fetch.entity.root.index]?.rows ?? []).compactMap { stored in
            stored.map { object($0) }.flatMap { fetch.includes($0.entity) ? $0 : nil }
        }
    }

    func page(_ fetch: ResolvedFetch) throws -> [InMemoryObject] {
        var found: [InMemoryObject] = []
        for (number, object) in candidates(fetch).enumerated() {
            if number & 255 == 255 { try fetch.requireTime() }
            if try fetch.matches(object) { found.append(object) }
        }
        return fetch.page(fetch.sorted(found))
    }
}

/// **Confined.** An object in the snapshot, as conditions read it.
struct InMemoryObject: PropertyReader {
    let reader: InMemoryReader
    let objectKey: ObjectKey
    let row: Row
    let entity: Entity

    func value(at slot: Int) -> ManagedValue {
        entity.properties[slot].attribute?.value(in: row.pointer) ?? .null
    }

    func toOne(_ slot: Int) -> (any PropertyReader)? { toOneKey(slot).flatMap(reader.stored) }

    func toOneKey(_ slot: Int) -> ObjectKey? { ObjectKey(slot: RowFormat.word(in: row.pointer, at: slot)) }

    func toMany(_ slot: Int) -> [any PropertyReader] {
        guard let relationship = entity.properties[slot].relationship else { return [] }
        return reader.contents.destinations(of: relationship, from: objectKey).compactMap(reader.stored)
    }
}
