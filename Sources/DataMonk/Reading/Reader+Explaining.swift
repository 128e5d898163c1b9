public import DataMonkCore

extension Reader {
    /// Explains a fetch without running it: its statement without values, the database's query plan, and the index that
    /// would make it faster.
    ///
    ///     print(try update.explain(Person.self, %"age" >= 18, orderBy: .Ascending("name")))
    ///
    /// - Parameters:
    ///   - results: The results of the fetch: objects, ids, or their count.
    ///   - showingValues: `true` to include the constants of the query.
    public func explain<Object: ManagedObject>(
        _ type: Object.Type, _ query: Query? = nil, orderBy: OrderBy? = nil, options: QueryOptions? = nil,
        results: FetchRequest.ResultType = .managedObjects, showingValues: Bool = false
    ) throws -> FetchExplanation {
        var request = try request(type, where: query, orderBy: orderBy, options: options)
        if results != .managedObjects { request.resultType = results }
        return try graph.explain(request, showingValues: showingValues)
    }

    /// Explains a query for rows of values.
    ///
    ///     print(try update.explain(Person.self, .Select("location") | .Average("age"), groupBy: %"location"))
    public func explain<Object: ManagedObject>(
        _ type: Object.Type, _ select: Select, _ query: Query? = nil, orderBy: OrderBy? = nil,
        groupBy: (any GroupingKeys)? = nil, having: Query? = nil, options: QueryOptions? = nil,
        showingValues: Bool = false
    ) throws -> FetchExplanation {
        let request = try rowsRequest(
            type, select: select, where: query, orderBy: orderBy, groupBy: groupBy, having: having, options: options)
        return try graph.explain(request, showingValues: showingValues)
    }
}
