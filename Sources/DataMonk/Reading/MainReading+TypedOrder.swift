public import DataMonkCore

// The calls of `Reader` with an order written with key paths, on the main actor.
extension MainReading {
    /// Returns the first object that meets a condition, in an order written with key paths.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> Object {
        try reader.fetch(type, query, orderBy: orderBy, options: options)
    }

    /// Returns the objects that meet a condition, in an order written with key paths.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> [Object] {
        try reader.fetchAll(type, query, orderBy: orderBy, options: options)
    }

    /// Returns the objects that meet a condition, in an order written with key paths, read on demand in batches.
    public func fetchBatched<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> BatchedArray<Object> {
        try reader.fetchBatched(type, query, orderBy: orderBy, options: options)
    }

    /// Returns the id of the first object that meets a condition, in an order written with key paths.
    public func fetchID<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> ObjectID<Object> {
        try reader.fetchID(type, query, orderBy: orderBy, options: options)
    }

    /// Returns the ids of the objects that meet a condition, in an order written with key paths.
    public func fetchAllID<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> [ObjectID<Object>] {
        try reader.fetchAllID(type, query, orderBy: orderBy, options: options)
    }

    /// Returns the objects that a fetch request of the model finds, in an order written with key paths.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, template name: String, _ variables: [String: any FormatArgument] = [:],
        orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> [Object] {
        try reader.fetchAll(type, template: name, variables, orderBy: orderBy, options: options)
    }

    /// Returns the ids of the objects that a fetch request of the model finds, in an order written with key paths.
    public func fetchAllID<Object: ManagedObject>(
        _ type: Object.Type, template name: String, _ variables: [String: any FormatArgument] = [:],
        orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> [ObjectID<Object>] {
        try reader.fetchAllID(type, template: name, variables, orderBy: orderBy, options: options)
    }

    /// Explains a fetch with an order written with key paths.
    public func explain<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil,
        results: FetchRequest.ResultType = .managedObjects, showingValues: Bool = false
    ) throws -> FetchExplanation {
        try reader.explain(
            type, query, orderBy: orderBy, options: options, results: results, showingValues: showingValues)
    }
}
