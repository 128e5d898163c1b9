import Foundation

extension ManagedObjectContext {
    /// Inserts many objects in one transaction, which is on disk when the method returns.
    ///
    ///     let request = BatchInsertRequest(entityName: "Person", objects: [["name": "Monk"], ["name": "Knight"]])
    ///     print(try context.execute(request).count)
    ///
    /// Unsaved changes of the context are not involved and stay as they are. Contexts that follow commits, including this
    /// one, merge the changes when they next advance; objects in use do not change before that.
    ///
    /// - Throws: ``FetchError`` for a name or a value that does not fit the model; ``SaveError`` for a missing mandatory
    ///   value, a value that the model refuses, unique values that another object has, and a relationship to an object that
    ///   is not in the store; ``StoreError`` if the store fails; and any error of a handler. Nothing is inserted in these
    ///   cases.
    /// - Complexity: One INSERT for each object, and one reservation of keys for each thousand. A duplicate that is updated takes
    ///   a SELECT and an UPDATE more, and the thousand that it is in is written again.
    @discardableResult
    public func execute(_ request: BatchInsertRequest) throws -> BatchResult {
        requireOwner()
        let entity = try entity(of: request.subject)
        if entity.isAbstract { throw ModelError.abstractEntity(entity) }
        let indices = try batchStores(of: entity, at: request.affectedStores)
        guard let index = indices.first else { throw coordinator.noStores }
        if request.affectedStores != nil, indices.count > 1 { throw FetchError.severalStoresToInsertInto(entity) }
        let updatesDuplicates = request.duplicates == .updated
        let insertion = BatchInsertion(
            source: request.source, updatesDuplicates: updatesDuplicates, entity: entity, coordinator: coordinator)
        // The objects may come from the caller's own code, which runs once.
        return try commitBatch(
            inStoresAt: [index], resultType: request.resultType, isUpsert: updatesDuplicates, mayRepeat: false
        ) { transaction, index, changes in
            try insertion.run(in: transaction, storeIndex: index, &changes)
        }
    }

    /// Changes the same properties of many objects in one statement, which is on disk when the method returns.
    ///
    ///     let request = BatchUpdateRequest(entityName: "Person", propertiesToUpdate: ["age": .keyPath("age") + 1])
    ///     print(try context.execute(request).count)
    ///
    /// Loaded objects get the new values as with ``execute(_:)-(BatchInsertRequest)``: when the context next advances, or
    /// when they are refreshed.
    ///
    /// - Throws: ``FetchError`` for an invalid condition or expression; ``SaveError`` for a value that the model refuses
    ///   (including `nil` in a mandatory property), unique values that another object has, and a relationship to an object
    ///   that is not in the store; ``StoreError`` if the store fails. Nothing is changed in these cases.
    /// - Complexity: One UPDATE.
    @discardableResult
    public func execute(_ request: BatchUpdateRequest) throws -> BatchResult {
        requireOwner()
        let entity = try entity(named: request.entityName)
        let rows = BatchRowMaker(entity: entity, coordinator: coordinator)
        let updates = try BatchUpdateResolver(request: request, model: directory.model, rows: rows).resolve()
        let indices = try batchStores(of: entity, at: request.affectedStores)
        return try commitBatch(inStoresAt: indices, resultType: request.resultType) { transaction, _, changes in
            for update in updates {
                try transaction.requireDestinations(of: update, directory: directory)
                let written = try transaction.update(update) { try rows.check($0, of: $1) }
                changes.noteUpdated(written, isRequested: true)
                try changes.noteConsequences(in: transaction)
            }
        }
    }

    /// Deletes many objects in one transaction, which is on disk when the method returns.
    ///
    ///     let doomed = FetchRequest(entityName: "Person", condition: .compare("age", .greaterThan, 100))
    ///     print(try context.execute(BatchDeleteRequest(fetchRequest: doomed)).count)
    ///
    /// - Throws: ``FetchError`` for an invalid fetch; ``SaveError`` with the code `relationshipDeniedDelete` or
    ///   `missingMandatoryProperty` if delete rules forbid it; ``StoreError`` if the store fails. Nothing is deleted in
    ///   these cases.
    /// - Complexity: One SELECT of the keys; for each relationship with a delete rule one SELECT, and one UPDATE if it must
    ///   be cleared; and one DELETE for each table. Each statement handles 10,000 objects at a time.
    @discardableResult
    public func execute(_ request: BatchDeleteRequest) throws -> BatchResult {
        requireOwner()
        switch request.subject {
        case .fetch(let fetchRequest):
            let fetch = try ResolvedFetch(fetchRequest, model: directory.model)
            let indices = try batchStores(of: fetch.entity, at: request.affectedStores)
            return try commitBatch(inStoresAt: indices, resultType: request.resultType) { transaction, _, changes in
                try delete(try transaction.keys(fetch), in: transaction, recording: &changes)
            }
        case .objectIDs(let ids):
            for id in ids where id.directory !== directory { throw FetchError.foreignID(id) }
            let affected = try request.affectedStores.map { try affectedStores(at: $0, entityName: nil) }
            for id in ids where !id.key.isTemporary && affected?.contains(id.key.storeIndex) == false {
                throw FetchError.notInAffectedStores(id)
            }
            let keys = Dictionary(grouping: ids.map(\.key).filter { !$0.isTemporary }, by: \.storeIndex)
            return try commitBatch(inStoresAt: keys.keys.sorted(), resultType: request.resultType) {
                transaction, index, changes in
                let keys = Array(Set(keys[index] ?? [])).sorted()
                try transaction.lockRows(of: ChangeSet(deleting: keys))
                try delete(try transaction.present(keys), in: transaction, recording: &changes)
            }
        }
    }

    // MARK: Steps

    private func delete(
        _ keys: [ObjectKey], in transaction: any StoreTransaction, recording changes: inout BatchChanges
    ) throws {
        var deletion = BatchDeletion(transaction: transaction, directory: directory)
        try deletion.run(keys, recording: &changes)
    }

    private func entity(of subject: BatchInsertRequest.Subject) throws -> Entity {
        switch subject {
        case .name(let name): try entity(named: name)
        case .objectClass(let objectClass): try entity(for: objectClass)
        }
    }

    /// Returns the stores that a request is for, of those that hold an entity.
    private func batchStores(of entity: Entity, at urls: [URL?]?) throws -> [Int] {
        let indices = coordinator.storeIndices(of: entity)
        guard let urls else {
            if indices.isEmpty, coordinator.hasStores { throw SaveError.noStore(for: entity) }
            return indices
        }
        let affected = try affectedStores(at: urls, entityName: entity.name)
        for index in affected where !indices.contains(index) {
            throw SaveError.notHeld(entity, byStoreAt: coordinator.stores[index].url)
        }
        return affected
    }

    /// Returns the stores at some locations, each once.
    private func affectedStores(at urls: [URL?], entityName: String?) throws -> [Int] {
        if urls.isEmpty { throw FetchError.noAffectedStore(entityName) }
        return Set(try urls.map { try coordinator.storeIndex(at: $0) }).sorted()
    }

    private func commitBatch(
        inStoresAt indices: [Int], resultType: BatchResult.ResultType, isUpsert: Bool = false, mayRepeat: Bool = true,
        write: (any StoreTransaction, Int, inout BatchChanges) throws -> Void
    ) throws -> BatchResult {
        try faults.requireNoFailedAccessesForBatch()
        let changes: BatchChanges
        do {
            changes = try coordinator.commitBatch(
                inStoresAt: indices, listsAll: resultType == .objectIDs, signature: historySignature,
                until: root.deadlineOfCaller?(), mayRepeat: mayRepeat, write)
        } catch {
            root.noteFailedWriting(error)
            throw error
        }
        root.noteWriting()
        var result = BatchResult(changes, resultType: resultType, directory: directory)
        if isUpsert { result.upsert = .init(changes, resultType: resultType, directory: directory) }
        return result
    }
}

extension BatchResult {
    fileprivate init(_ changes: BatchChanges, resultType: ResultType, directory: ObjectDirectory) {
        count = changes.count
        objectIDs =
            resultType == .count
            ? nil : changes.requested.map { AnyObjectID(key: $0, directory: directory) }
    }
}

extension BatchResult.Upsert {
    fileprivate init(_ changes: BatchChanges, resultType: BatchResult.ResultType, directory: ObjectDirectory) {
        func ids(_ keys: [ObjectKey]) -> [AnyObjectID]? {
            resultType == .count ? nil : keys.map { AnyObjectID(key: $0, directory: directory) }
        }
        insertedCount = changes.insertedCount
        updatedCount = changes.count - changes.insertedCount
        unchangedCount = changes.unchangedCount
        insertedIDs = ids(changes.inserted)
        updatedIDs = ids(changes.updated)
    }
}

extension BatchChanges {
    /// Records the objects whose derived attributes changed because of the rows just written.
    mutating func noteConsequences(in transaction: any StoreTransaction) throws {
        noteFollowers(try transaction.rowsAsStored(after: ChangeSet()))
    }
}

extension FetchError {
    fileprivate static func noAffectedStore(_ entityName: String?) -> FetchError {
        FetchError(
            .invalidRequest,
            "affectedStores is empty, so the request is for no store. Set it to nil for all stores, or name at least one.",
            entityName: entityName)
    }

    fileprivate static func severalStoresToInsertInto(_ entity: Entity) -> FetchError {
        FetchError(
            .invalidRequest,
            """
            affectedStores names several stores, but a batch insert of \(entity.name) writes to one. Name a single store, \
            or make a request for each.
            """, entityName: entity.name)
    }

    fileprivate static func notInAffectedStores(_ id: AnyObjectID) -> FetchError {
        FetchError(
            .invalidRequest,
            """
            The request is to delete \(id.uri), which is not in any of its affectedStores. Leave out the id, or add the \
            object's store.
            """, objectID: id)
    }
}

extension SaveError {
    fileprivate static func notHeld(_ entity: Entity, byStoreAt url: URL?) -> SaveError {
        SaveError(
            .noStoreForEntity,
            """
            The store \(url.map { "at \($0.path)" } ?? "in memory") does not contain \(entity.name). Choose stores whose \
            configurations include it.
            """, entityName: entity.name)
    }
}
