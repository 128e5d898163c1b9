public import DataMonkCore

// The typed calls on the main actor. What a call does is said at `Reader`; unsaved changes of the draft take part.
extension Draft {
    /// The first object that meets a condition, which is written with key paths.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Object {
        try editor.fetch(type, orderBy: orderBy, options: options, where: condition)
    }

    /// The objects that meet a condition, which is written with key paths, in an order.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> [Object] {
        try editor.fetchAll(type, orderBy: orderBy, options: options, where: condition)
    }

    /// The objects that meet a condition, in an order that is written with key paths.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> [Object] {
        try editor.fetchAll(type, query, orderBy: orderBy, options: options)
    }

    /// How many objects meet a condition.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, options: QueryOptions? = nil, where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Int {
        try editor.count(type, options: options, where: condition)
    }

    /// The first object that meets the condition, or a new one that does.
    public func fetchOrCreate<Object: ManagedObject>(
        _ type: Object.Type, where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Object {
        try editor.fetchOrCreate(type, where: condition)
    }
}
