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
        try contents.requireReadable()
        if !fetch.loadsValues { return page.forEach { sink.takeFault($0.objectKey) } }
        for object in page where sink.wants(object.objectKey) { sink.take(object.objectKey, row: object.row) }
    }

    func keys(_ fetch: ResolvedFetch) throws -> [ObjectKey] {
        try reading {
            if !fetch.sortTerms.isEmpty { return try page(fetch).map(\.objectKey) }
            var keys: [ObjectKey] = []
            try forEachMatch(of: fetch) { keys.append($0.objectKey) }
            return fetch.page(keys)
        }
    }

    func count(_ fetch: ResolvedFetch) throws -> Int {
        try reading {
            var count = 0
            try forEachMatch(of: fetch) { _ in count += 1 }
            return fetch.pageCount(of: count)
        }
    }

    func values(_ fetch: ResolvedFetch) throws -> ValueRows {
        try reading {
            let composer = RowComposer(fetch) { [directory] in AnyObjectID(key: $0, directory: directory) }
            return ValueRows(try composer.rows(of: candidates(fetch)), of: fetch)
        }
    }

    func row(of key: ObjectKey, in arena: inout RowArena) throws -> Row? { try reading { stored(key)?.row } }

    func rows(of keys: [ObjectKey], into sink: some RowSink) throws {
        contents.base?.prepare(keys)
        for key in keys {
            if let object = stored(key), sink.wants(key) { sink.take(key, row: object.row) }
        }
        try contents.requireReadable()
    }

    func destinations(of relationship: Entity.Relationship, from key: ObjectKey, into sink: some RowSink) throws {
        try rows(of: contents.destinations(of: relationship, from: key), into: sink)
    }

    func version(of key: ObjectKey) throws -> Int64? { try reading { stored(key)?.row.version } }

    /// Returns an answer, unless an incremental store could not be read meanwhile.
    private func reading<Found>(_ body: () throws -> Found) throws -> Found {
        let answer = try body()
        try contents.requireReadable()
        return answer
    }

    func lastPrimaryKey(of entity: Entity) -> Int64 { contents.lastPrimaryKey(root: entity.root.index) }

    func keepsHistory() -> Bool { contents.history != nil }

    func history(after bound: HistoryBound, includingChanges: Bool) throws -> [HistoryRecord]? {
        try contents.history?.records(after: bound)
    }

    func lastHistoryPosition() -> HistoryPosition? {
        contents.history?.records.last.map { HistoryPosition(number: $0.number) }
    }

    func end() { contents.base?.end() }

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
        contents.stored(key, root: directory.layout(of: key).entity.root.index).map(object)
    }

    private func object(_ stored: InMemoryContents.Stored) -> InMemoryObject {
        InMemoryObject(
            reader: self, objectKey: stored.key, row: stored.row, entity: directory.layout(of: stored.key).entity)
    }

    /// Returns every object of one entity, without those of its sub-entities.
    func objects(of entity: Entity) -> [InMemoryObject] {
        var found: [InMemoryObject] = []
        contents.forEach(of: entity) { stored in
            if stored.key.entityIndex == entity.index { found.append(object(stored)) }
            return true
        }
        return found
    }

    /// Returns every object of the fetch's entities, in the order of keys.
    private func candidates(_ fetch: ResolvedFetch) -> [InMemoryObject] {
        var found: [InMemoryObject] = []
        contents.forEach(of: fetch.entity, where: fetch.request.condition) { stored in
            let object = object(stored)
            if fetch.includes(object.entity) { found.append(object) }
            return true
        }
        return found
    }

    func page(_ fetch: ResolvedFetch) throws -> [InMemoryObject] {
        var found: [InMemoryObject] = []
        try forEachMatch(of: fetch) { found.append($0) }
        return fetch.page(fetch.sorted(found))
    }

    /// Calls a block with each object that satisfies the fetch's condition, in the order of keys. Without another order, those
    /// behind the page are left out.
    private func forEachMatch(of fetch: ResolvedFetch, _ body: (InMemoryObject) -> Void) throws {
        var rest = Int.max
        if fetch.sortTerms.isEmpty, let limit = fetch.limit {
            let (end, isTooFar) = limit.addingReportingOverflow(fetch.offset)
            rest = isTooFar ? .max : end
        }
        if rest == 0 { return }
        var number = 0
        try contents.forEach(of: fetch.entity, where: fetch.request.condition) { stored in
            let object = object(stored)
            guard fetch.includes(object.entity) else { return true }
            if number & 255 == 255 { try fetch.requireTime() }
            number += 1
            guard try fetch.matches(object) else { return true }
            body(object)
            rest -= 1
            return rest > 0
        }
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
