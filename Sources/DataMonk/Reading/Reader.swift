public import DataMonkCore
import Synchronization

/// **Confined.** Reads objects of one context. A `read` provides one, and every ``Update`` is one.
///
///     let adults = try await World.read { reader in try reader.count(Person.self, %"age" >= 18) }
///
/// Each fetch shows the newest commit; between two fetches, objects do not change by themselves. Unsaved changes of the
/// same context take part in every fetch, unless the options say otherwise.
public class Reader {
    private let context: ManagedObjectContext
    /// `true` once the call that it was created for has ended. Atomic, since code that keeps it may call it from
    /// elsewhere.
    private let hasEnded = Atomic(false)

    package init(graph: ManagedObjectContext) { context = graph }

    /// The context that it reads and changes, until it has ended.
    @inline(__always)
    var graph: ManagedObjectContext {
        if hasEnded.load(ordering: .relaxed) { stopAfterEnd() }
        return context
    }

    /// Ends the reader because its body has returned: every later call stops the program.
    final func end() { hasEnded.store(true, ordering: .relaxed) }

    /// This cannot be a thrown error: most properties of objects cannot throw, and objects that were read no longer
    /// belong to a context.
    @inline(never)
    private func stopAfterEnd() -> Never {
        stopProgram(
            """
            An update or a read was used after its body had returned. The objects belong to that body: return their \
            ids from it, and continue in a step of its own, with `update.perform { … }` or \
            `context.beginPerform { … }`.
            """)
    }

    // MARK: Objects of other contexts

    /// Returns this context's object for an object of another context.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectNotFound` if it was never saved or no longer exists.
    public func use<Object: ManagedObject>(_ object: Object) throws -> Object {
        try use(object.objectID)
    }

    /// Returns this context's objects for objects of another context, in their order.
    public func use<Object: ManagedObject>(_ objects: [Object]) throws -> [Object] {
        try use(objects.map(\.objectID))
    }

    /// Returns the object with an id.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectNotFound` if there is none.
    public func use<Object: ManagedObject>(_ id: ObjectID<Object>) throws -> Object {
        try cast(graph.existingObject(with: id.erased))
    }

    /// Returns the objects with the given ids, in the order of the ids.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectNotFound` for the first id without an object.
    public func use<Object: ManagedObject>(_ ids: [ObjectID<Object>]) throws -> [Object] {
        let objects = try fetch(Object.self, ids)
        if objects.count == ids.count { return objects }
        return try ids.map { try use($0) }
    }

    // MARK: Fetching

    /// Returns the object with an id: the registered one, or one read with `SELECT … WHERE Z_PK = ?`.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectNotFound` if there is none.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ id: ObjectID<Object>) throws -> Object {
        try use(id)
    }

    /// Returns the objects with the given ids, in the order of the ids. Ids without an object are omitted.
    ///
    /// - Complexity: One SELECT for all ids that are not registered, or one per table if they are of several entities.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ ids: [ObjectID<Object>]) throws -> [Object] {
        try graph.objects(withKeys: ids.map { try graph.key(of: $0.erased) }).map(cast)
    }

    /// Returns the first object that meets a condition.
    ///
    ///     let monk = try update.fetch(Person.self, %"name" == "Monk")
    ///     // SELECT Z_PK, Z_OPT, … FROM ZPERSON WHERE ZNAME = ? LIMIT 1
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectNotFound` if there is none.
    public func fetch<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> Object {
        guard let object = try first(type, query, orderBy: orderBy, options: options) else {
            throw FetchError.nothingFound(try graph.entity(for: type))
        }
        return object
    }

    /// Returns the objects that meet a condition, in the given order.
    ///
    ///     let some = try update.fetchAll(
    ///         Person.self, %"age" >= 18 || %"location" == "Taipei",
    ///         orderBy: .Ascending("name") | .Descending("age"), options: .Limit(100) | .Offset(20))
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` for an invalid key or comparison, before the store is accessed.
    /// - Complexity: One SELECT.
    public func fetchAll<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [Object] {
        try typed(graph.fetch(request(type, where: query, orderBy: orderBy, options: options)))
    }

    /// Returns the objects that meet a condition, read on demand in batches of the size given by `.Batch`. For results
    /// that do not fit into memory.
    ///
    ///     for person in try update.fetchBatched(Person.self, options: .Batch(500)) { total += person.age }
    ///     // SELECT Z_PK FROM ZPERSON, then for each batch SELECT … WHERE Z_PK IN …
    ///
    /// - Complexity: One SELECT for the ids, and one for each batch; see ``BatchedArray``.
    public func fetchBatched<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> BatchedArray<Object> {
        try graph.fetchBatched(request(type, where: query, orderBy: orderBy, options: options), of: type)
    }

    /// Returns the id of the first object that meets a condition, without reading values.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectNotFound` if there is none.
    public func fetchID<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> ObjectID<Object> {
        var request = try request(type, where: query, orderBy: orderBy, options: options)
        request.fetchLimit = 1
        guard let id = try graph.objectIDs(request).first else {
            throw FetchError.nothingFound(try graph.entity(for: type))
        }
        return ObjectID(id)
    }

    /// Returns the ids of the objects that meet a condition, in the given order, without reading values.
    public func fetchAllID<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> [ObjectID<Object>] {
        try graph.objectIDs(request(type, where: query, orderBy: orderBy, options: options)).map { ObjectID($0) }
    }

    /// Returns the number of objects that meet a condition, with `SELECT count(*)`.
    public func count<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, options: QueryOptions? = nil
    ) throws -> Int {
        try graph.count(request(type, where: query, options: options))
    }

    // MARK: Values

    /// Returns rows of values instead of objects: attributes, key paths and aggregates, optionally grouped.
    ///
    ///     let rows = try update.query(
    ///         Person.self, .Select("location") | .Average("age", alias: "mean"), groupBy: %"location",
    ///         having: %"mean" > 18)
    ///     // SELECT ZLOCATION, avg(ZAGE) FROM ZPERSON GROUP BY ZLOCATION HAVING …
    ///
    /// Unsaved changes are ignored.
    ///
    /// - Returns: The values of each row by alias. A missing value is `.null`.
    public func query<Object: ManagedObject>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, orderBy: OrderBy? = nil,
        groupBy: (any GroupingKeys)? = nil,
        having: Query? = nil, options: QueryOptions? = nil
    ) throws -> [[String: ManagedValue]] {
        let names = select.selections.map(\.alias)
        var cursor = try valueRows(
            type, select, query, orderBy: orderBy, groupBy: groupBy, having: having, options: options)
        return (0..<cursor.rowCount).map { _ in
            Dictionary(names.map { ($0, cursor.next()) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Returns a single value: the first selection of the first row.
    ///
    ///     let mean = try update.queryValue(Person.self, .Average("age"))
    ///
    /// - Returns: The value; `.null` if there is no row.
    public func queryValue<Object: ManagedObject>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, options: QueryOptions? = nil
    ) throws -> ManagedValue {
        var row = try valueRows(type, select, query, options: options.map { $0 | .Limit(1) } ?? .Limit(1))
        return row.next()
    }

    /// Returns a single value of a Swift type: the first selection of the first row.
    ///
    ///     let oldest = try update.queryValue(Person.self, .Max("age"), as: Int.self)
    ///
    /// - Returns: The value; `nil` if there is no row, or no value in it.
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `typeMismatch` if the value is of another type.
    public func queryValue<Object: ManagedObject, Value: ManagedAttribute>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, options: QueryOptions? = nil, as: Value.Type
    ) throws -> Value? {
        let value = try queryValue(type, select, query, options: options)
        if value.isNull { return nil }
        if let typed = Value(managedValue: value) { return typed }
        throw FetchError.wrongResult(value, for: Value.self, of: try graph.entity(for: type))
    }

    // MARK: Refreshing

    /// Turns all objects without unsaved changes into faults, and shows the newest commit.
    public func refreshAll() throws {
        try graph.refreshAllObjects()
    }

    // MARK: Machinery

    func request(
        _ type: ManagedObject.Type, where query: Query?, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> FetchRequest {
        try request(graph.entity(for: type).name, where: query, orderBy: orderBy, options: options)
    }

    func rowsRequest(
        _ type: ManagedObject.Type, select: Select, where query: Query?, orderBy: OrderBy?,
        groupBy: (any GroupingKeys)?, having: Query?, options: QueryOptions?
    ) throws -> FetchRequest {
        var request = try request(type, where: query, orderBy: orderBy)
        request.resultType = .dictionaries
        request.propertiesToFetch = select.selections
        request.propertiesToGroupBy = groupBy?.groupingKeyPaths ?? []
        request.havingCondition = having?.condition
        // Applied last, so that options override the call, except for the settings that are needed to read the rows.
        try apply(options, to: &request)
        guard request.resultType == .dictionaries, request.propertiesToFetch == select.selections else {
            throw FetchError.otherColumns(request.entityName)
        }
        return request
    }

    /// Returns the results of a fetch as objects of the class whose entity was fetched.
    func typed<Object: ManagedObject>(_ objects: [ManagedObject]) throws -> [Object] {
        guard graph.directory.makesOnly(Object.self, for: try graph.entity(for: Object.self)) else {
            return try objects.map(cast)
        }
        // Every object of the entity is an instance of the class or a subclass, and arrays of objects have the same
        // layout whatever the class. Checking each object again would cost a tenth of the fetch.
        return unsafeBitCast(objects, to: [Object].self)
    }

    func cast<Object: ManagedObject>(_ object: ManagedObject) throws -> Object {
        // The most common case is the class itself, which needs only a comparison of pointers. The cast walks the classes
        // by name and takes ten times as long.
        if type(of: object) == Object.self { return unsafeDowncast(object, to: Object.self) }
        if let object = object as? Object { return object }
        throw FetchError.wrongClass(Object.self, of: object.entity)
    }
}

@available(*, unavailable)
extension Reader: Sendable {}
