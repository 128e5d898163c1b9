public import DataMonkCore

// Lists with conditions, orders and sections written with key paths.
extension MainContext {
    /// Returns a list of the objects that meet a condition, in an order written with key paths, which is kept up to
    /// date.
    ///
    ///     let grown = try World.fetchedResults(Person.self, %"age" >= 18, orderBy: .ascending(\.name))
    ///
    /// - Throws: The same errors as ``fetchedResults(_:_:orderBy:sectionBy:options:)-(_,_,OrderBy,_,_)``.
    public func fetchedResults<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil
    ) throws -> FetchedResults<Object> {
        try fetchedResults(type, query, orderBy: orderBy.untyped, options: options)
    }

    /// Returns a list of the objects that meet a condition in sections, in an order written with key paths, which is
    /// kept up to date.
    ///
    ///     let people = try World.fetchedResults(
    ///         Person.self, orderBy: .ascending(\.location) | .ascending(\.name), sectionBy: \.location)
    ///
    /// - Parameter sectionBy: The key whose value, as text, names an object's section. The order must begin with this
    ///   key.
    /// - Throws: The same errors as ``fetchedResults(_:_:orderBy:sectionBy:options:)-(_,_,OrderBy,_,_)``.
    public func fetchedResults<Object: ManagedObject, Value, Result>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>,
        sectionBy: KeyPath<TypedObject<Object>, TypedKey<Value, Result>>, options: QueryOptions? = nil
    ) throws -> FetchedResults<Object> {
        try fetchedResults(
            type, query, orderBy: orderBy.untyped, sectionBy: QueryKey(Object.path(sectionBy)), options: options)
    }

    /// Returns a list of the objects that meet a condition, written with key paths, which is kept up to date.
    ///
    ///     let grown = try World.fetchedResults(Person.self, orderBy: .ascending(\.name)) { $0.age >= 18 }
    ///
    /// - Throws: The same errors as ``fetchedResults(_:_:orderBy:sectionBy:options:)-(_,_,OrderBy,_,_)``; any error of the
    ///   closure.
    public func fetchedResults<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> FetchedResults<Object> {
        try fetchedResults(type, condition(TypedObject()), orderBy: orderBy.untyped, options: options)
    }

    /// Returns a list of the objects that meet a condition, written with key paths, in sections, which is kept up to
    /// date.
    ///
    ///     let grown = try World.fetchedResults(
    ///         Person.self, orderBy: .ascending(\.friend.name) | .ascending(\.name), sectionBy: \.friend.name
    ///     ) { $0.age >= 18 }
    ///
    /// - Parameter sectionBy: The key whose value, as text, names an object's section. The order must begin with this
    ///   key.
    /// - Throws: The same errors as ``fetchedResults(_:_:orderBy:sectionBy:options:)-(_,_,OrderBy,_,_)``; any error of the
    ///   closure.
    public func fetchedResults<Object: ManagedObject, Value, Result>(
        _ type: Object.Type, orderBy: TypedOrder<Object>,
        sectionBy: KeyPath<TypedObject<Object>, TypedKey<Value, Result>>, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query
    ) throws -> FetchedResults<Object> {
        try fetchedResults(type, condition(TypedObject()), orderBy: orderBy, sectionBy: sectionBy, options: options)
    }

    // MARK: Fetching in turns

    /// Fetches the objects that meet a condition, in an order written with key paths, without holding the main actor
    /// for long. See ``fetchAsynchronously(_:_:orderBy:options:progress:)-(_,_,OrderBy?,_,_)``.
    public func fetchAsynchronously<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: TypedOrder<Object>, options: QueryOptions? = nil,
        progress: (@MainActor (_ done: Int, _ total: Int) -> Void)? = nil
    ) async throws -> [Object] {
        try await fetchAsynchronously(
            type, query, orderBy: orderBy.untyped, options: options, progress: progress)
    }

    /// Fetches the objects that meet a condition, written with key paths, without holding the main actor for long. See
    /// ``fetchAsynchronously(_:_:orderBy:options:progress:)-(_,_,OrderBy?,_,_)``.
    ///
    ///     let people = try await World.fetchAsynchronously(Person.self, orderBy: .ascending(\.name)) { $0.age >= 18 }
    public func fetchAsynchronously<Object: ManagedObject>(
        _ type: Object.Type, orderBy: TypedOrder<Object>? = nil, options: QueryOptions? = nil,
        where condition: (TypedObject<Object>) throws -> Query,
        progress: (@MainActor (_ done: Int, _ total: Int) -> Void)? = nil
    ) async throws -> [Object] {
        try await fetchAsynchronously(
            type, condition(TypedObject()), orderBy: orderBy?.untyped, options: options, progress: progress)
    }
}
