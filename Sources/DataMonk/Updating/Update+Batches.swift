public import DataMonkCore

/// Batch requests of an update. Each one is a transaction of its own, and on disk when it returns: it is not part of the
/// update's commit, and a rollback does not revert it. The update's unsaved changes are not included. When the call
/// returns, objects of the update without unsaved changes have their new values; objects with unsaved changes have a
/// conflict when they are committed.
extension Update {
    /// Inserts an object for each dictionary.
    ///
    ///     try update.batchInsert(Person.self, [["name": "Monk", "age": 40], ["name": "Knight"]])
    ///
    /// - Returns: The number of objects inserted.
    /// - Throws: The errors of ``/DataMonkCore/ManagedObjectContext/execute(_:)-(BatchInsertRequest)``.
    @discardableResult
    public func batchInsert<Object: ManagedObject>(
        _ type: Object.Type, _ objects: [[String: ManagedValue]]
    ) throws -> Int {
        try execute(BatchInsertRequest(entityName: graph.entity(for: type).name, objects: objects)).count
    }

    /// Inserts an object for each dictionary whose unique values no object has, and updates the others.
    ///
    ///     let result = try update.batchUpsert(Person.self, [["id": 1, "name": "Monk"], ["id": 2, "name": "Knight"]])
    ///     print(result.insertedCount, result.updatedCount)
    ///
    /// - Returns: The objects that were inserted, and those that were updated.
    /// - Throws: The errors of ``/DataMonkCore/ManagedObjectContext/execute(_:)-(BatchInsertRequest)``.
    @discardableResult
    public func batchUpsert<Object: ManagedObject>(
        _ type: Object.Type, _ objects: [[String: ManagedValue]]
    ) throws -> BatchResult.Upsert {
        var request = BatchInsertRequest(entityName: try graph.entity(for: type).name, objects: objects)
        request.duplicates = .updated
        request.resultType = .objectIDs
        return try execute(request).upsert ?? BatchResult.Upsert()
    }

    /// Inserts an object for each call of a block that sets its attributes. Memory use does not grow with their number.
    ///
    ///     var ages = (0..<1_000_000).makeIterator()
    ///     try update.batchInsert(Person.self) { person in
    ///         guard let age = ages.next() else { return true }
    ///         person.age = age
    ///         return false
    ///     }
    ///
    /// - Parameter objectHandler: A block that returns `true` when there are no more objects. It must not commit.
    /// - Returns: The number of objects inserted.
    @discardableResult
    public func batchInsert<Object: ManagedObject>(
        _ type: Object.Type, objectHandler: @escaping (Object) throws -> Bool
    ) throws -> Int {
        try execute(BatchInsertRequest(type, objectHandler: objectHandler)).count
    }

    /// Sets properties of all objects that meet a condition, with a single statement.
    ///
    ///     try update.batchUpdate(Person.self, %"location" == "Taipei", set: ["age": .keyPath("age") + 1])
    ///     // UPDATE ZPERSON AS t0 SET Z_OPT = Z_OPT + 1, ZAGE = … WHERE Z_PK IN (SELECT … WHERE t0.ZLOCATION = ?)
    ///
    /// - Returns: The number of objects updated.
    /// - Throws: The errors of ``/DataMonkCore/ManagedObjectContext/execute(_:)-(BatchUpdateRequest)``.
    @discardableResult
    public func batchUpdate<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, set properties: [String: ConditionExpression]
    ) throws -> Int {
        try execute(
            BatchUpdateRequest(
                entityName: graph.entity(for: type).name, condition: query?.condition, propertiesToUpdate: properties)
        ).count
    }

    /// Deletes all objects that meet a condition without reading them, applying delete rules.
    ///
    ///     try update.batchDelete(Person.self, %"age" > 100)
    ///
    /// - Returns: The number of objects deleted, including those deleted by cascades.
    /// - Throws: The errors of ``/DataMonkCore/ManagedObjectContext/execute(_:)-(BatchDeleteRequest)``.
    @discardableResult
    public func batchDelete<Object: ManagedObject>(_ type: Object.Type, _ query: Query? = nil) throws -> Int {
        let fetch = FetchRequest(entityName: try graph.entity(for: type).name, condition: query?.condition)
        return try execute(BatchDeleteRequest(fetchRequest: fetch)).count
    }

    /// Deletes objects without reading them, applying delete rules. Ids without an object are ignored.
    ///
    ///     try update.batchDelete(outdated)                        // [ObjectID<Person>]
    ///
    /// - Returns: The number of objects deleted, including those deleted by cascades.
    /// - Throws: The errors of ``/DataMonkCore/ManagedObjectContext/execute(_:)-(BatchDeleteRequest)``.
    @discardableResult
    public func batchDelete<Object: ManagedObject>(_ ids: [ObjectID<Object>]) throws -> Int {
        try batchDelete(ids.map(\.erased))
    }

    /// Deletes objects without reading them, applying delete rules. Ids without an object are ignored.
    @discardableResult
    public func batchDelete(_ ids: [AnyObjectID]) throws -> Int {
        try execute(BatchDeleteRequest(objectIDs: ids)).count
    }

    /// Executes a batch insert and merges it.
    @discardableResult
    public func execute(_ request: BatchInsertRequest) throws -> BatchResult {
        defer { graph.mergeCommits() }
        return try graph.execute(request)
    }

    /// Executes a batch update and merges it.
    @discardableResult
    public func execute(_ request: BatchUpdateRequest) throws -> BatchResult {
        defer { graph.mergeCommits() }
        return try graph.execute(request)
    }

    /// Executes a batch delete and merges it.
    @discardableResult
    public func execute(_ request: BatchDeleteRequest) throws -> BatchResult {
        defer { graph.mergeCommits() }
        return try graph.execute(request)
    }
}
