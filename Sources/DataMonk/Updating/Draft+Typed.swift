public import DataMonkCore

// The typed calls on the main actor. Their documentation is at `Reader`. They include unsaved changes of the draft.
extension Draft {
    /// Returns the first object that meets a condition, written with key paths.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Object {
        try editor.fetch(type, orderBy: orderBy, options: options, where: condition)
    }

    /// Returns the objects that meet a condition, written with key paths, in the given order.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> [Object] {
        try editor.fetchAll(type, orderBy: orderBy, options: options, where: condition)
    }

    /// Returns the objects that meet a condition, in an order written with key paths.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> [Object] {
        try editor.fetchAll(type, query, orderBy: orderBy, options: options)
    }

    /// Returns the number of objects that meet a condition.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, options: QueryOptions? = nil, where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Int {
        try editor.count(type, options: options, where: condition)
    }

    /// Returns the first object that meets the condition, or creates one that does.
    public func fetchOrCreate<Object: ManagedObject>(
        _ type: Object.Type, where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Object {
        try editor.fetchOrCreate(type, where: condition)
    }
}
