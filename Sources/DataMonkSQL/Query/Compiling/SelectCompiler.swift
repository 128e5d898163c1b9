import DataMonkCore

/// **Value.** Builds one SELECT: the state of a compilation.
///
/// The clauses are compiled one by one, each may add joins to FROM, and the text is put together when all of them are
/// known. Paths over to-manys open SELECTs inside, one scope each.
struct SelectCompiler {
    let fetch: ResolvedFetch
    let schema: StoreSchema
    /// The position of the store among the coordinator's: objects of other stores are never found here.
    let storeIndex: Int
    /// The SELECTs that are open, the outermost first.
    var scopes: [QueryScope]
    /// The positions in `scopes` of the subqueries that are open.
    var variableScopes: [Int] = []
    /// How many aliases were given.
    private var aliases = 1
    /// How many words SQLite's parser holds unfinished where the compilation is, at most.
    private var unfinished = 0

    /// The alias of the fetched entity's table.
    static let rootAlias = "t0"

    init(_ fetch: ResolvedFetch, schema: StoreSchema, storeIndex: Int) throws(FetchError) {
        self.fetch = fetch
        self.schema = schema
        self.storeIndex = storeIndex
        let table = try schema.table(of: fetch.entity)
        scopes = [QueryScope(alias: Self.rootAlias, from: " FROM \(table) \(Self.rootAlias)")]
    }

    /// A SELECT of `list` over everything that the fetch says.
    mutating func select(
        _ list: SQLText, _ result: SQLQuery.Result, orderedByKey: Bool
    ) throws(FetchError) -> SQLQuery {
        let filter = try filter()
        let grouping = try grouping()
        let order = try order(endingWithKey: orderedByKey)
        var query = SQLText()
        let isDistinct = fetch.request.returnsDistinctResults && fetch.request.resultType == .dictionaries
        query.append(isDistinct ? "SELECT DISTINCT " : "SELECT ")
        query.append(list)
        query.append(compiled: scopes[0].from)
        query.append(filter)
        query.append(grouping)
        query.append(order)
        appendPage(to: &query)
        return try finished(query, result)
    }

    /// A SELECT of the number of results.
    mutating func count() throws(FetchError) -> SQLQuery {
        let filter = try filter()
        let isPage = fetch.limit != nil || fetch.offset > 0
        var query = SQLText()
        query.append(isPage ? "SELECT COUNT(*) FROM (SELECT 1" : "SELECT COUNT(*)")
        query.append(compiled: scopes[0].from)
        query.append(filter)
        appendPage(to: &query)
        if isPage { query.append(")") }
        return try finished(query, .count)
    }

    /// SQLite's limit, where it was built without another one.
    private static let maximumParameters = 32_766

    private func finished(_ query: SQLText, _ result: SQLQuery.Result) throws(FetchError) -> SQLQuery {
        guard query.bindings.count <= Self.maximumParameters else {
            throw FetchError(
                .unsupportedByStore,
                "The condition has \(query.bindings.count) constants, and a statement of the database can have "
                    + "\(Self.maximumParameters): fetch in several parts.",
                entityName: fetch.entity.name)
        }
        return SQLQuery(sql: query.text, bindings: query.bindings, result: result)
    }

    /// SQLite's parser holds a hundred; the rest is for the clauses around conditions and the columns inside.
    private static let maximumUnfinished = 72

    /// Compiles something inside of `words` that are finished after it only: `name(distinct, …,` are five.
    ///
    /// - Throws: `FetchError` for what is nested deeper than the database's parser can follow.
    mutating func inside(
        _ words: Int, _ body: (inout SelectCompiler) throws(FetchError) -> Void
    ) throws(FetchError) {
        unfinished += words
        guard unfinished <= Self.maximumUnfinished else {
            throw FetchError(
                .unsupportedByStore,
                "The condition is nested deeper than the database can follow: join its parts flatly.",
                entityName: fetch.entity.name)
        }
        try body(&self)
        unfinished -= words
    }

    // MARK: Clauses

    /// The WHERE clause, if there is one.
    private mutating func filter() throws(FetchError) -> SQLText {
        var filter = SQLText()
        let entities = try entityFilter()
        if let entities { filter.append(compiled: " WHERE \(entities)") }
        if let condition = fetch.condition {
            filter.append(entities == nil ? " WHERE " : " AND ")
            try append(condition, to: &filter, isOperand: entities != nil)
        }
        return filter
    }

    /// Which rows of the table are of the fetch's entities, nil where all of them are.
    private func entityFilter() throws(FetchError) -> String? {
        let storage = try schema.storage(of: fetch.entity)
        guard storage.sharesTable else { return nil }
        if !fetch.request.includesSubentities { return "\(Self.rootAlias).Z_ENT = \(storage.number)" }
        let numbers = storage.familyNumbers
        if fetch.entity === storage.table.root { return nil }
        return numbers.count == 1
            ? "\(Self.rootAlias).Z_ENT = \(storage.number)"
            : "\(Self.rootAlias).Z_ENT BETWEEN \(numbers.lowerBound) AND \(numbers.upperBound)"
    }

    private mutating func order(endingWithKey: Bool) throws(FetchError) -> SQLText {
        var order = SQLText()
        guard let last = fetch.sortTerms.last else { return order }
        order.append(" ORDER BY ")
        for (index, term) in fetch.sortTerms.enumerated() {
            if index > 0 { order.append(", ") }
            try append(sorted: term, to: &order)
        }
        if endingWithKey {
            // Equal objects in the order of their keys, so that pages never overlap; in the direction of the last term,
            // so that the index of the term still gives the order.
            order.append(compiled: ", \(scopes[0].alias).Z_PK")
            if !last.ascending { order.append(" DESC") }
        }
        return order
    }

    private mutating func append(sorted term: ResolvedSortTerm, to order: inout SQLText) throws(FetchError) {
        if case .selection(let position, _) = term.expression {
            order.append(try figure(fetch.selections[position], .sorted))
        } else {
            order.append(try comparable(term.expression))
        }
        switch term.comparator {
        case .standard: break
        case .caseInsensitive: order.append(compiled: " COLLATE \(SQLCollation.caseInsensitive.name)")
        case .localizedStandard: order.append(compiled: " COLLATE \(SQLCollation.localizedStandard.name)")
        }
        if !term.ascending { order.append(" DESC") }
    }

    private func appendPage(to query: inout SQLText) {
        if fetch.limit == nil, fetch.offset == 0 { return }
        query.append(" LIMIT ")
        query.bind(.integer(fetch.limit.map(Int64.init) ?? -1))
        if fetch.offset > 0 {
            query.append(" OFFSET ")
            query.bind(.integer(Int64(fetch.offset)))
        }
    }

    /// An alias that the statement has not used.
    mutating func nextAlias() -> String {
        defer { aliases += 1 }
        return "t\(aliases)"
    }
}
