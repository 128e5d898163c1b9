public import DataMonkCore

/// **Shared**, on the main actor. The reading calls of a ``MainContext``, and of a ``Draft`` with its unsaved changes.
///
///     func adults(in source: some MainReading) throws -> [Person] {
///         try source.fetchAll(Person.self, %"age" >= 18)
///     }
///
/// The calls are those of ``Reader``, which documents them. The protocol belongs to the main actor, and so does its
/// extension: what the calls return does not leave it.
@preconcurrency @MainActor
public protocol MainReading: AnyObject, Sendable {
    /// Reads the objects of this context.
    var reader: Reader { get }
}

extension MainReading {
    /// Returns this context's object for an object of another context. See ``Reader/use(_:)-(Object)``.
    public func use<Object: ManagedObject>(_ object: Object) throws -> Object { try reader.use(object) }

    /// Returns this context's objects for objects of another context.
    public func use<Object: ManagedObject>(_ objects: [Object]) throws -> [Object] { try reader.use(objects) }

    // Inlinable, as a look-up is short: called through the protocol, it takes noticeably longer.
    /// Returns the object with an id.
    @inlinable
    public func use<Object: ManagedObject>(_ id: ObjectID<Object>) throws -> Object { try reader.use(id) }

    /// Returns the objects with the given ids.
    public func use<Object: ManagedObject>(_ ids: [ObjectID<Object>]) throws -> [Object] { try reader.use(ids) }

    /// Returns the object with an id.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ id: ObjectID<Object>) throws -> Object {
        try reader.fetch(type, id)
    }

    /// Returns the objects with the given ids. Ids without an object are omitted.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ ids: [ObjectID<Object>]) throws -> [Object] {
        try reader.fetch(type, ids)
    }

    /// Returns the first object that meets a condition.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> Object {
        try reader.fetch(type, query, orderBy: orderBy, options: options)
    }

    /// Returns the objects that meet a condition, in the given order.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [Object] {
        try reader.fetchAll(type, query, orderBy: orderBy, options: options)
    }

    /// Returns the objects that meet a condition, read in batches. See
    /// ``Reader/fetchBatched(_:_:orderBy:options:)-(_,_,OrderBy?,_)``.
    public func fetchBatched<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> BatchedArray<Object> {
        try reader.fetchBatched(type, query, orderBy: orderBy, options: options)
    }

    /// Returns the id of the first object that meets a condition.
    public func fetchID<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> ObjectID<Object> {
        try reader.fetchID(type, query, orderBy: orderBy, options: options)
    }

    /// Returns the ids of the objects that meet a condition, in the given order.
    public func fetchAllID<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [ObjectID<Object>] {
        try reader.fetchAllID(type, query, orderBy: orderBy, options: options)
    }

    /// Returns the number of objects that meet a condition.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, options: QueryOptions? = nil
    ) throws -> Int {
        try reader.count(type, query, options: options)
    }

    /// Returns rows of values instead of objects.
    public func query<Object: ManagedObject>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, orderBy: OrderBy? = nil,
        groupBy: (any GroupingKeys)? = nil,
        having: Query? = nil, options: QueryOptions? = nil
    ) throws -> [[String: ManagedValue]] {
        try reader.query(type, select, query, orderBy: orderBy, groupBy: groupBy, having: having, options: options)
    }

    /// Returns a single value: the first selection of the first row.
    public func queryValue<Object: ManagedObject>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, options: QueryOptions? = nil
    ) throws -> ManagedValue {
        try reader.queryValue(type, select, query, options: options)
    }

    /// Returns a single value of a Swift type: the first selection of the first row, or `nil` if there is none.
    public func queryValue<Object: ManagedObject, Value: ManagedAttribute>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, options: QueryOptions? = nil, as: Value.Type
    ) throws -> Value? {
        try reader.queryValue(type, select, query, options: options, as: Value.self)
    }
}

// Of objects whose class is not known.
extension MainReading {
    /// Returns the object with an id whose class is not known. See ``Reader/use(_:)-(AnyObjectID)``.
    public func use(_ id: AnyObjectID) throws -> ManagedObject { try reader.use(id) }

    /// Returns the objects with the given ids, whose classes are not known.
    public func use(_ ids: [AnyObjectID]) throws -> [ManagedObject] { try reader.use(ids) }

    /// Returns the object with an id as an object of a class.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ id: AnyObjectID) throws -> Object {
        try reader.fetch(type, id)
    }

    /// Returns the objects with the given ids as objects of a class. Ids without an object are omitted.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ ids: [AnyObjectID]) throws -> [Object] {
        try reader.fetch(type, ids)
    }

    /// Returns the objects of an entity that meet a condition, in the given order. See
    /// ``Reader/fetchAll(entityName:_:orderBy:options:)``.
    public func fetchAll(
        entityName: String, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [ManagedObject] {
        try reader.fetchAll(entityName: entityName, query, orderBy: orderBy, options: options)
    }

    /// Returns the number of objects of an entity that meet a condition.
    public func count(entityName: String, _ query: Query? = nil, options: QueryOptions? = nil) throws -> Int {
        try reader.count(entityName: entityName, query, options: options)
    }
}

extension MainReading {
    /// Explains a fetch and suggests the index that would make it faster. See
    /// ``Reader/explain(_:_:orderBy:options:results:showingValues:)-(_,_,OrderBy?,_,_,_)``.
    public func explain<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil,
        results: FetchRequest.ResultType = .managedObjects, showingValues: Bool = false
    ) throws -> FetchExplanation {
        try reader.explain(
            type, query, orderBy: orderBy, options: options, results: results, showingValues: showingValues)
    }

    /// Explains a query for rows of values.
    public func explain<Object: ManagedObject>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, orderBy: OrderBy? = nil,
        groupBy: (any GroupingKeys)? = nil, having: Query? = nil, options: QueryOptions? = nil,
        showingValues: Bool = false
    ) throws -> FetchExplanation {
        try reader.explain(
            type, select, query, orderBy: orderBy, groupBy: groupBy, having: having, options: options,
            showingValues: showingValues)
    }
}
