public import DataMonkCore

// The calls of `Reader` for an object that may be missing, on the main actor.
extension MainReading {
    /// Returns the first object that meets a condition, or `nil` if there is none.
    public func first<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> Object? {
        try reader.first(type, query, orderBy: orderBy, options: options)
    }

    /// Returns the first object that meets a condition, written with key paths, or `nil` if there is none.
    public func first<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Object? {
        try reader.first(type, orderBy: orderBy, options: options, where: condition)
    }

    /// Returns the first object that meets a condition, in an order written with key paths, or `nil` if there is none.
    public func first<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> Object? {
        try reader.first(type, query, orderBy: orderBy, options: options)
    }

    /// Indicates whether at least one object meets a condition. See ``Reader/exists(_:_:options:)``.
    public func exists<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, options: QueryOptions? = nil
    ) throws -> Bool {
        try reader.exists(type, query, options: options)
    }

    /// Indicates whether at least one object meets a condition, written with key paths.
    public func exists<Object: ManagedObject>(
        _ type: Object.Type, options: QueryOptions? = nil, where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Bool {
        try reader.exists(type, options: options, where: condition)
    }
}
