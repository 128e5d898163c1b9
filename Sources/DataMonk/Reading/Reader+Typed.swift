public import DataMonkCore

// The same calls with conditions and orders written with key paths.
extension Reader {
    /// Returns the first object that meets a condition, written with key paths.
    ///
    ///     let monk = try update.fetch(Person.self) { $0.name == "Monk" }
    ///     // SELECT … FROM ZPERSON t0 WHERE t0.ZNAME = ?1 LIMIT 1
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectNotFound` if there is none; also as
    ///   ``fetchAll(_:orderBy:options:where:)``.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Object {
        try fetch(type, condition(TypedObject()), orderBy: orderBy?.untyped, options: options)
    }

    /// Returns the objects that meet a condition, written with key paths, in the given order.
    ///
    ///     let some = try update.fetchAll(Person.self, orderBy: .ascending(\.name)) {
    ///         $0.age >= 18 && $0.friend.location == "Taipei"
    ///     }
    ///     // SELECT … FROM ZPERSON t0 LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZFRIEND
    ///     // WHERE t0.ZAGE >= ?1 AND t1.ZLOCATION = ?2 ORDER BY t0.ZNAME
    ///
    /// The closure builds the condition and runs once, before the store is accessed; see ``TypedObject``.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` for a key path without a key, or for an invalid comparison, before the store
    ///   is accessed; any error of the closure.
    /// - Complexity: One SELECT.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> [Object] {
        try fetchAll(type, condition(TypedObject()), orderBy: orderBy?.untyped, options: options)
    }

    /// Returns the objects that meet a condition, written with key paths, read on demand in batches of the size given by
    /// `.Batch`.
    ///
    ///     for person in try update.fetchBatched(Person.self, orderBy: .ascending(\.name), where: { $0.age >= 18 }) { … }
    ///
    /// - Throws: The same errors as ``fetchAll(_:orderBy:options:where:)``.
    /// - Complexity: One SELECT for the ids, and one for each batch; see ``/DataMonkCore/BatchedArray``.
    public func fetchBatched<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> BatchedArray<Object> {
        try fetchBatched(type, condition(TypedObject()), orderBy: orderBy?.untyped, options: options)
    }

    /// Returns the id of the first object that meets a condition, without reading values.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectNotFound` if there is none.
    public func fetchID<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> ObjectID<Object> {
        try fetchID(type, condition(TypedObject()), orderBy: orderBy?.untyped, options: options)
    }

    /// Returns the ids of the objects that meet a condition, in the given order, without reading values.
    public func fetchAllID<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> [ObjectID<Object>] {
        try fetchAllID(type, condition(TypedObject()), orderBy: orderBy?.untyped, options: options)
    }

    /// Returns the number of objects that meet a condition, with `SELECT count(*)`.
    ///
    ///     let grown = try update.count(Person.self) { $0.age >= 18 }
    public func count<Object: ManagedObject>(
        _ type: Object.Type, options: QueryOptions? = nil, where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Int {
        try count(type, condition(TypedObject()), options: options)
    }

    /// Explains a fetch with a condition written with key paths.
    ///
    ///     print(try update.explain(Person.self, orderBy: .ascending(\.name)) { $0.age >= 18 })
    public func explain<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        results: FetchRequest.ResultType = .managedObjects, showingValues: Bool = false,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> FetchExplanation {
        try explain(
            type, condition(TypedObject()), orderBy: orderBy?.untyped, options: options, results: results,
            showingValues: showingValues)
    }
}

extension Editor {
    /// Returns the first object that meets the condition, or creates one that does:
    /// `{ $0.name == "Knight" && $0.age == 18 }`.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` for any operator other than `==` and `&&`, before the fetch.
    public func fetchOrCreate<Object: ManagedObject>(
        _ type: Object.Type, where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Object {
        try fetchOrCreate(type, condition(TypedObject()))
    }

    /// Deletes the objects that meet a condition with the next commit.
    ///
    /// - Returns: The number of objects.
    @discardableResult
    public func deleteAll<Object: ManagedObject>(
        _ type: Object.Type, where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Int {
        try deleteAll(type, condition(TypedObject()))
    }
}
