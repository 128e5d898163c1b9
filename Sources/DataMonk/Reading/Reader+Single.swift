public import DataMonkCore

// One object that may be missing, and the question for it.
extension Reader {
    /// Returns the first object that meets a condition, or `nil` if there is none.
    ///
    ///     if let monk = try update.first(Person.self, %"name" == "Monk") { monk.age += 1 }
    ///     // SELECT … FROM ZPERSON t0 WHERE t0.ZNAME = ?1 LIMIT 1
    ///
    ///     let oldest = try update.first(Person.self, orderBy: .Descending("age"))
    ///
    /// `fetch` is the form for a missing object that is an error.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` for an invalid key or comparison, before the store is accessed.
    /// - Complexity: One SELECT, which stops at the first row.
    public func first<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil
    ) throws -> Object? {
        var request = try request(type, where: query, orderBy: orderBy, options: options)
        request.fetchLimit = 1
        return try graph.fetch(request).first.map(cast)
    }

    /// Returns the first object that meets a condition, written with key paths, or `nil` if there is none.
    ///
    ///     let heir = try update.first(Person.self, orderBy: .descending(\.age)) { $0.friend.name == "Monk" }
    ///     // SELECT … FROM ZPERSON t0 LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZFRIEND
    ///     // WHERE t1.ZNAME = ?1 ORDER BY t0.ZAGE DESC LIMIT 1
    ///
    /// - Throws: The same errors as ``first(_:_:orderBy:options:)-(_,_,OrderBy?,_)``; any error of the closure.
    /// - Complexity: One SELECT, which stops at the first row.
    public func first<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Object? {
        try first(type, condition(TypedObject()), orderBy: orderBy?.untyped, options: options)
    }

    /// Returns the first object that meets a condition, in an order written with key paths, or `nil` if there is none.
    ///
    ///     let oldest = try update.first(Person.self, orderBy: .descending(\.age))
    ///
    /// - Throws: The same errors as ``first(_:_:orderBy:options:)-(_,_,OrderBy?,_)``.
    /// - Complexity: One SELECT, which stops at the first row.
    public func first<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> Object? {
        try first(type, query, orderBy: orderBy.untyped, options: options)
    }

    /// Indicates whether at least one object meets a condition. No object is made and no values are read.
    ///
    ///     if try !update.exists(Person.self, %"name" == "Monk") { try update.create(Person.self).name = "Monk" }
    ///     // SELECT t0.Z_PK FROM ZPERSON t0 WHERE t0.ZNAME = ?1 LIMIT 1
    ///
    /// Unsaved changes of the context count. An offset in the options leaves out as many objects.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` for an invalid key or comparison, before the store is accessed.
    /// - Complexity: One SELECT, which stops at the first row.
    public func exists<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, options: QueryOptions? = nil
    ) throws -> Bool {
        var request = try request(type, where: query, options: options)
        request.fetchLimit = 1
        return try !graph.objectIDs(request).isEmpty
    }

    /// Indicates whether at least one object meets a condition, written with key paths.
    ///
    ///     let isTaken = try update.exists(Person.self) { $0.name.equals("monk", options: .caseInsensitive) }
    ///
    /// - Throws: The same errors as ``exists(_:_:options:)``; any error of the closure.
    /// - Complexity: One SELECT, which stops at the first row.
    public func exists<Object: ManagedObject>(
        _ type: Object.Type, options: QueryOptions? = nil, where condition: (TypedObject<Object>) throws -> Query
    ) throws -> Bool {
        try exists(type, condition(TypedObject()), options: options)
    }
}
