public import DataMonkCore

/// Batch requests of an update. Each is a transaction of its own, on disk when it returns: it is no part of the update's
/// commit, and a rollback does not take it back. The update's unsaved changes take no part in it. Objects of the update
/// that have no unsaved changes show what was changed when the call returns; those that have meet a conflict when they are
/// committed.
extension Update {
    /// Inserts an object for each dictionary.
    ///
    ///     try update.batchInsert(Person.self, [["name": "Monk", "age": 40], ["name": "Knight"]])
    ///
    /// - Returns: how many they are.
    /// - Throws: as ``ManagedObjectContext/execute(_:)-(BatchInsertRequest)``.
    @discardableResult
    public func batchInsert<Object: ManagedObject>(
        _ type: Object.Type, _ objects: [[String: ManagedValue]]
    ) throws -> Int {
        try execute(BatchInsertRequest(entityName: graph.entity(for: type).name, objects: objects)).count
    }

    /// Inserts an object for each time that a block sets an object's attributes; memory does not grow with their number.
    ///
    ///     var ages = (0..<1_000_000).makeIterator()
    ///     try update.batchInsert(Person.self) { person in
    ///         guard let age = ages.next() else { return true }
    ///         person.age = age
    ///         return false
    ///     }
    ///
    /// - Parameter objectHandler: returns true when there are no more objects. It must not commit.
    /// - Returns: how many they are.
    @discardableResult
    public func batchInsert<Object: ManagedObject>(
        _ type: Object.Type, objectHandler: @escaping (Object) throws -> Bool
    ) throws -> Int {
        try execute(BatchInsertRequest(type, objectHandler: objectHandler)).count
    }

    /// Sets properties of all objects that meet a condition, in one statement.
    ///
    ///     try update.batchUpdate(Person.self, %"location" == "Taipei", set: ["age": .keyPath("age") + 1])
    ///     // UPDATE ZPERSON AS t0 SET Z_OPT = Z_OPT + 1, ZAGE = … WHERE Z_PK IN (SELECT … WHERE t0.ZLOCATION = ?)
    ///
    /// - Returns: how many they are.
    /// - Throws: as ``ManagedObjectContext/execute(_:)-(BatchUpdateRequest)``.
    @discardableResult
    public func batchUpdate<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, set properties: [String: ConditionExpression]
    ) throws -> Int {
        try execute(
            BatchUpdateRequest(
                entityName: graph.entity(for: type).name, condition: query?.condition, propertiesToUpdate: properties)
        ).count
    }

    /// Deletes all objects that meet a condition, without reading them; delete rules hold.
    ///
    ///     try update.batchDelete(Person.self, %"age" > 100)
    ///
    /// - Returns: how many went, those that went along included.
    /// - Throws: as ``ManagedObjectContext/execute(_:)-(BatchDeleteRequest)``.
    @discardableResult
    public func batchDelete<Object: ManagedObject>(_ type: Object.Type, _ query: Query? = nil) throws -> Int {
        let fetch = FetchRequest(entityName: try graph.entity(for: type).name, condition: query?.condition)
        return try execute(BatchDeleteRequest(fetchRequest: fetch)).count
    }

    /// Executes a batch insert, and merges it.
    @discardableResult
    public func execute(_ request: BatchInsertRequest) throws -> BatchResult {
        defer { graph.mergeCommits() }
        return try context.noting { try graph.execute(request) }
    }

    /// Executes a batch update, and merges it.
    @discardableResult
    public func execute(_ request: BatchUpdateRequest) throws -> BatchResult {
        defer { graph.mergeCommits() }
        return try context.noting { try graph.execute(request) }
    }

    /// Executes a batch delete, and merges it.
    @discardableResult
    public func execute(_ request: BatchDeleteRequest) throws -> BatchResult {
        defer { graph.mergeCommits() }
        return try context.noting { try graph.execute(request) }
    }
}
