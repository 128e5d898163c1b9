public import DataMonkCore

// The calls with an order written with key paths, and no condition or one that is a query.
extension Reader {
    /// Returns the first object that meets a condition, in an order written with key paths.
    ///
    ///     let eldest = try update.fetch(Person.self, %"location" == "Taipei", orderBy: .descending(\.age))
    ///     // SELECT … FROM ZPERSON t0 WHERE t0.ZLOCATION = ?1 ORDER BY t0.ZAGE DESC LIMIT 1
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectNotFound` if there is none; also as
    ///   ``fetchAll(_:orderBy:options:where:)``.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> Object {
        try fetch(type, query, orderBy: orderBy.untyped, options: options)
    }

    /// Returns the objects that meet a condition, in an order written with key paths.
    ///
    ///     let people = try update.fetchAll(Person.self, orderBy: .ascending(\.friend.name) | .descending(\.age))
    ///
    /// - Throws: The same errors as ``fetchAll(_:orderBy:options:where:)``.
    /// - Complexity: One SELECT.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> [Object] {
        try fetchAll(type, query, orderBy: orderBy.untyped, options: options)
    }

    /// Returns the objects that meet a condition, in an order written with key paths, read on demand in batches.
    ///
    ///     for person in try update.fetchBatched(Person.self, orderBy: .ascending(\.name), options: .Batch(500)) { … }
    ///
    /// - Complexity: As ``fetchBatched(_:orderBy:options:where:)``.
    public func fetchBatched<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> BatchedArray<Object> {
        try fetchBatched(type, query, orderBy: orderBy.untyped, options: options)
    }

    /// Returns the id of the first object that meets a condition, in an order written with key paths, without reading
    /// values.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectNotFound` if there is none.
    public func fetchID<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> ObjectID<Object> {
        try fetchID(type, query, orderBy: orderBy.untyped, options: options)
    }

    /// Returns the ids of the objects that meet a condition, in an order written with key paths, without reading
    /// values.
    public func fetchAllID<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> [ObjectID<Object>] {
        try fetchAllID(type, query, orderBy: orderBy.untyped, options: options)
    }

    /// Returns the objects that a fetch request of the model finds, in an order written with key paths.
    ///
    ///     let old = try update.fetchAll(Person.self, template: "olderThan", ["AGE": 30], orderBy: .ascending(\.name))
    ///
    /// - Throws: As the call with a named order.
    /// - Complexity: One SELECT.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, template name: String, _ variables: [String: any FormatArgument] = [:],
        orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> [Object] {
        try fetchAll(type, template: name, variables, orderBy: orderBy.untyped, options: options)
    }

    /// Returns the ids of the objects that a fetch request of the model finds, in an order written with key paths.
    public func fetchAllID<Object: ManagedObject>(
        _ type: Object.Type, template name: String, _ variables: [String: any FormatArgument] = [:],
        orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> [ObjectID<Object>] {
        try fetchAllID(type, template: name, variables, orderBy: orderBy.untyped, options: options)
    }

    /// Explains a fetch with an order written with key paths.
    ///
    ///     print(try update.explain(Person.self, orderBy: .ascending(\.name)))
    public func explain<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil,
        results: FetchRequest.ResultType = .managedObjects, showingValues: Bool = false
    ) throws -> FetchExplanation {
        try explain(
            type, query, orderBy: orderBy.untyped, options: options, results: results, showingValues: showingValues)
    }
}
