public import DataMonkCore

// The typed calls on the main actor. Their documentation is at `Reader`.
extension MainReading {
    /// Returns the first object that meets a condition, written with key paths.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Object {
        try reader.fetch(type, orderBy: orderBy, options: options, where: condition)
    }

    /// Returns the objects that meet a condition, written with key paths, in the given order. See
    /// ``Reader/fetchAll(_:orderBy:options:where:)``.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> [Object] {
        try reader.fetchAll(type, orderBy: orderBy, options: options, where: condition)
    }

    /// Returns the objects that meet a condition, written with key paths, read in batches. See
    /// ``Reader/fetchBatched(_:orderBy:options:where:)``.
    public func fetchBatched<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> BatchedArray<Object> {
        try reader.fetchBatched(type, orderBy: orderBy, options: options, where: condition)
    }

    /// Returns the id of the first object that meets a condition.
    public func fetchID<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> ObjectID<Object> {
        try reader.fetchID(type, orderBy: orderBy, options: options, where: condition)
    }

    /// Returns the ids of the objects that meet a condition, in the given order.
    public func fetchAllID<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> [ObjectID<Object>] {
        try reader.fetchAllID(type, orderBy: orderBy, options: options, where: condition)
    }

    /// Returns the number of objects that meet a condition.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, options: QueryOptions? = nil, where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Int {
        try reader.count(type, options: options, where: condition)
    }

    /// Explains a fetch with a condition written with key paths.
    public func explain<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        results: FetchRequest.ResultType = .managedObjects, showingValues: Bool = false,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> FetchExplanation {
        try reader.explain(
            type, orderBy: orderBy, options: options, results: results, showingValues: showingValues, where: condition)
    }

    // MARK: Values

    /// Returns rows of typed columns. See ``Reader/query(_:_:orderBy:groupBy:having:options:where:)``.
    @inlinable
    public func query<Object: ManagedObject, each Value>(
        _ type: Object.Type, _ columns: repeat TypedColumn<Object, each Value>, orderBy: TypedOrder<Object>? = nil,
        groupBy: TypedGrouping<Object>? = nil, having: ((TypedGroup<Object>) throws -> Query)? = nil,
        options: QueryOptions? = nil, where condition: ((TypedObject<Object>) throws -> Query)? = nil
    ) throws -> [(repeat each Value)] {
        try reader.query(
            type, repeat each columns, orderBy: orderBy, groupBy: groupBy, having: having, options: options,
            where: condition)
    }

    /// Returns rows of values, decoded. See ``Reader/query(_:_:_:orderBy:groupBy:having:options:as:)``.
    public func query<Object: ManagedObject, Row: Decodable>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, orderBy: OrderBy? = nil,
        groupBy: (any GroupingKeys)? = nil, having: Query? = nil, options: QueryOptions? = nil, as row: Row.Type
    ) throws -> [Row] {
        try reader.query(
            type, select, query, orderBy: orderBy, groupBy: groupBy, having: having, options: options, as: row)
    }

    /// Returns a single value of a typed column. See ``Reader/queryValue(_:_:options:where:)``.
    public func queryValue<Object: ManagedObject, Value>(
        _ type: Object.Type, _ column: TypedColumn<Object, Value>, options: QueryOptions? = nil,
        where condition: ((TypedObject<Object>) throws -> Query)? = nil
    ) throws -> Value {
        try reader.queryValue(type, column, options: options, where: condition)
    }
}
