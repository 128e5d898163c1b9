public import DataMonkCore
import Synchronization

/// **Confined.** Reads objects of one context: what `read` hands out, and what every ``Update`` can do as well.
///
///     let adults = try await World.read { reader in try reader.count(Person.self, %"age" >= 18) }
///
/// Each call that fetches shows the newest commit; between such calls nothing changes by itself. Unsaved changes of the
/// same context take part in every fetch, unless the options say otherwise.
public class Reader {
    private let context: ManagedObjectContext
    /// True once the code that it was made for has ended. Atomic for those who keep it and call it from elsewhere.
    private let hasEnded = Atomic(false)

    init(graph: ManagedObjectContext) { context = graph }

    /// What it reads and changes, until it has ended.
    @inline(__always)
    var graph: ManagedObjectContext {
        if hasEnded.load(ordering: .relaxed) { stopAfterEnd() }
        return context
    }

    /// The body that it was made for has returned: from now on each call stops the program.
    final func end() { hasEnded.store(true, ordering: .relaxed) }

    /// Not an error that could be thrown: most properties of objects cannot throw, and what was read is of no context.
    @inline(never)
    private func stopAfterEnd() -> Never {
        preconditionFailure(
            """
            An update or a read was used after its body had ended. What it reads and changes belongs to that body: take ids \
            out of it, and go on in a step of its own, with `update.perform { … }` or
            `context.beginPerform { … }`.
            """)
    }

    // MARK: Taking objects over

    /// This context's object for an object of another context.
    ///
    /// - Throws: ``FetchError`` with the code `objectNotFound` if it was never saved, or is gone.
    public func use<Object: ManagedObject>(_ object: Object) throws -> Object {
        try use(object.objectID)
    }

    /// This context's objects for objects of another context, in their order.
    public func use<Object: ManagedObject>(_ objects: [Object]) throws -> [Object] {
        try use(objects.map(\.objectID))
    }

    /// The object with an id.
    ///
    /// - Throws: ``FetchError`` with the code `objectNotFound` if there is none.
    public func use<Object: ManagedObject>(_ id: ObjectID<Object>) throws -> Object {
        try cast(graph.existingObject(with: id.erased))
    }

    /// The objects with some ids, in the order of the ids.
    ///
    /// - Throws: ``FetchError`` with the code `objectNotFound` for the first id without an object.
    public func use<Object: ManagedObject>(_ ids: [ObjectID<Object>]) throws -> [Object] {
        let objects = try fetch(Object.self, ids)
        if objects.count == ids.count { return objects }
        return try ids.map { try use($0) }
    }

    // MARK: Fetching

    /// The object with an id: registered, or read with `SELECT … WHERE Z_PK = ?`.
    ///
    /// - Throws: ``FetchError`` with the code `objectNotFound` if there is none.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ id: ObjectID<Object>) throws -> Object {
        try use(id)
    }

    /// The objects with some ids, in the order of the ids; ids without an object are left out.
    ///
    /// - Complexity: one SELECT for all ids that are not registered; one for each table where they are of several entities.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ ids: [ObjectID<Object>]) throws -> [Object] {
        try graph.objects(withKeys: ids.map { try graph.key(of: $0.erased) }).map(cast)
    }

    /// The first object that meets a condition.
    ///
    ///     let monk = try update.fetch(Person.self, %"name" == "Monk")
    ///     // SELECT Z_PK, Z_OPT, … FROM ZPERSON WHERE ZNAME = ? LIMIT 1
    ///
    /// - Throws: ``FetchError`` with the code `objectNotFound` if there is none.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> Object {
        var request = try request(type, query, orderBy, options)
        request.fetchLimit = 1
        guard let object = try graph.fetch(request).first else {
            throw FetchError.nothingFound(try graph.entity(for: type))
        }
        return try cast(object)
    }

    /// The objects that meet a condition, in an order.
    ///
    ///     let some = try update.fetchAll(
    ///         Person.self, %"age" >= 18 || %"location" == "Taipei",
    ///         orderBy: .Ascending("name") | .Descending("age"), options: .Limit(100) | .Offset(20))
    ///
    /// - Throws: ``FetchError`` for a key or a comparison that means nothing, before the store is asked.
    /// - Complexity: one SELECT.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [Object] {
        try typed(graph.fetch(request(type, query, orderBy, options)))
    }

    /// The objects that meet a condition, read so many at a time as `.Batch` says when they are asked for: for results that
    /// do not fit into memory.
    ///
    ///     for person in try update.fetchBatched(Person.self, options: .Batch(500)) { total += person.age }
    ///     // SELECT Z_PK FROM ZPERSON, then for each batch SELECT … WHERE Z_PK IN …
    ///
    /// - Complexity: one SELECT for the ids, and one for each batch; see ``BatchedArray``.
    public func fetchBatched<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> BatchedArray<Object> {
        try graph.fetchBatched(request(type, query, orderBy, options), of: type)
    }

    /// The id of the first object that meets a condition. Reads no values.
    ///
    /// - Throws: ``FetchError`` with the code `objectNotFound` if there is none.
    public func fetchID<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> ObjectID<Object> {
        var request = try request(type, query, orderBy, options)
        request.fetchLimit = 1
        guard let id = try graph.objectIDs(request).first else {
            throw FetchError.nothingFound(try graph.entity(for: type))
        }
        return ObjectID(id)
    }

    /// The ids of the objects that meet a condition, in an order. Reads no values.
    public func fetchAllID<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [ObjectID<Object>] {
        try graph.objectIDs(request(type, query, orderBy, options)).map { ObjectID($0) }
    }

    /// How many objects meet a condition: `SELECT count(*)`.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, options: QueryOptions? = nil
    ) throws -> Int {
        try graph.count(request(type, query, nil, options))
    }

    // MARK: Values

    /// Rows of values instead of objects: attributes, paths and aggregates, grouped if asked for.
    ///
    ///     let rows = try update.query(
    ///         Person.self, .Select("location") | .Average("age", alias: "mean"), groupBy: %"location",
    ///         having: %"mean" > 18)
    ///     // SELECT ZLOCATION, avg(ZAGE) FROM ZPERSON GROUP BY ZLOCATION HAVING …
    ///
    /// Unsaved changes do not count.
    ///
    /// - Returns: for each row its values by alias; a value that is nil is `.null`.
    public func query<Object: ManagedObject>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, orderBy: OrderBy? = nil,
        groupBy: (any GroupingKeys)? = nil,
        having: Query? = nil, options: QueryOptions? = nil
    ) throws -> [[String: ManagedValue]] {
        let names = select.selections.map(\.alias)
        let rows = try values(
            type, select, query, orderBy: orderBy, groupBy: groupBy, having: having, options: options)
        return rows.map { values in
            Dictionary(zip(names, values), uniquingKeysWith: { first, _ in first })
        }
    }

    /// One value: the first selection of the first row.
    ///
    ///     let mean = try update.queryValue(Person.self, .Average("age"))
    ///
    /// - Returns: the value; `.null` if there is no row.
    public func queryValue<Object: ManagedObject>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, options: QueryOptions? = nil
    ) throws -> ManagedValue {
        try values(type, select, query, options: options.map { $0 | .Limit(1) } ?? .Limit(1)).first?.first ?? .null
    }

    /// One value in a Swift type: the first selection of the first row.
    ///
    ///     let oldest = try update.queryValue(Person.self, .Max("age"), as: Int.self)
    ///
    /// - Returns: the value; nil if there is no row, or no value in it.
    /// - Throws: ``FetchError`` with the code `typeMismatch` if the value is of another type.
    public func queryValue<Object: ManagedObject, Value: ManagedAttribute>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, options: QueryOptions? = nil, as: Value.Type
    ) throws -> Value? {
        let value = try queryValue(type, select, query, options: options)
        if value.isNull { return nil }
        if let typed = Value(managedValue: value) { return typed }
        throw FetchError.wrongResult(value, Value.self, try graph.entity(for: type))
    }

    // MARK: Refreshing

    /// Makes faults of all objects without unsaved changes, and shows the newest commit.
    public func refreshAll() throws {
        try graph.refreshAllObjects()
    }

    // MARK: Machinery

    func request(
        _ type: ManagedObject.Type, _ query: Query?, _ orderBy: OrderBy?, _ options: QueryOptions?
    ) throws -> FetchRequest {
        try request(graph.entity(for: type).name, query, orderBy, options)
    }

    func rowsRequest(
        _ type: ManagedObject.Type, _ select: Select, _ query: Query?, _ orderBy: OrderBy?,
        _ groupBy: (any GroupingKeys)?, _ having: Query?, _ options: QueryOptions?
    ) throws -> FetchRequest {
        var request = try request(type, query, orderBy, nil)
        request.resultType = .dictionaries
        request.propertiesToFetch = select.selections
        request.propertiesToGroupBy = groupBy?.groupingKeyPaths ?? []
        request.havingCondition = having?.condition
        // Last, so that they change what the call says, but for what its rows are read by.
        try apply(options, to: &request)
        guard request.resultType == .dictionaries, request.propertiesToFetch == select.selections else {
            throw FetchError.otherColumns(request.entityName)
        }
        return request
    }

    /// The result of a fetch for the entity of a class.
    func typed<Object: ManagedObject>(_ objects: [ManagedObject]) throws -> [Object] {
        guard graph.directory.makesOnly(Object.self, for: try graph.entity(for: Object.self)) else {
            return try objects.map(cast)
        }
        // Every object of the entity is made with the class or a subclass of it, and arrays of objects have one layout
        // whatever the class: looking at each object once more would cost a tenth of the fetch.
        return unsafeBitCast(objects, to: [Object].self)
    }

    func cast<Object: ManagedObject>(_ object: ManagedObject) throws -> Object {
        // The commonest case: the very class. A comparison of pointers; the cast walks the classes by name and takes ten
        // times as long.
        if type(of: object) == Object.self { return unsafeDowncast(object, to: Object.self) }
        if let object = object as? Object { return object }
        throw FetchError.wrongClass(Object.self, object.entity)
    }
}

@available(*, unavailable)
extension Reader: Sendable {}
