import DataMonkCore

/// **Value.** Builds one SELECT: the state of a compilation.
///
/// The clauses are compiled one by one, and each may add joins to FROM. The text is assembled when all clauses are known.
/// Paths over to-many relationships open nested SELECTs, with one scope each.
struct SelectCompiler {
    let fetch: ResolvedFetch
    let schema: StoreSchema
    /// The index of the store among the coordinator's stores. Objects of other stores are never found here.
    let storeIndex: Int
    /// The open SELECTs, outermost first.
    var scopes: [QueryScope]
    /// The positions in `scopes` of the open subqueries.
    var variableScopes: [Int] = []
    /// The number of aliases in use.
    private var aliases = 1
    /// The maximum number of tokens on the stack of SQLite's parser at this point of the compilation.
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

    /// Returns a SELECT of `list` with all clauses of the fetch.
    mutating func select(
        _ list: SQLText, result: SQLQuery.Result, orderedByKey: Bool
    ) throws(FetchError) -> SQLQuery {
        let filter = try filter()
        let grouping = try grouping()
        let order = try order(endingWithKey: orderedByKey)
        // The clauses, and some words around them.
        let length = [list, filter, grouping, order].reduce(64) { $0 + $1.text.utf8.count } + scopes[0].from.utf8.count
        var query = SQLText(capacity: length)
        let isDistinct = fetch.request.returnsDistinctResults && fetch.request.resultType == .dictionaries
        query.append(isDistinct ? "SELECT DISTINCT " : "SELECT ")
        query.append(list)
        query.append(compiled: scopes[0].from)
        query.append(filter)
        query.append(grouping)
        query.append(order)
        appendPage(to: &query)
        return try finished(query, result: result)
    }

    /// Returns a SELECT of the number of results.
    mutating func count() throws(FetchError) -> SQLQuery {
        let filter = try filter()
        let isPage = fetch.limit != nil || fetch.offset > 0
        var query = SQLText()
        query.append(isPage ? "SELECT COUNT(*) FROM (SELECT 1" : "SELECT COUNT(*)")
        query.append(compiled: scopes[0].from)
        query.append(filter)
        appendPage(to: &query)
        if isPage { query.append(")") }
        return try finished(query, result: .count)
    }

    /// SQLite's default limit.
    private static let maximumParameters = 32_766

    private func finished(_ query: SQLText, result: SQLQuery.Result) throws(FetchError) -> SQLQuery {
        try Self.checkParameters(query.bindings.count, fetch.entity)
        return SQLQuery(sql: query.text, bindings: query.bindings, result: result)
    }

    /// Throws if a statement would have more parameters than SQLite allows.
    static func checkParameters(_ count: Int, _ entity: Entity) throws(FetchError) {
        guard count > maximumParameters else { return }
        throw FetchError(
            .unsupportedByStore,
            "The request has \(count) constants, but an SQL statement can have at most \(maximumParameters). Divide it "
                + "into several requests.", entityName: entity.name)
    }

    /// SQLite's parser stack holds a hundred tokens. The rest is for the clauses around conditions and the columns inside.
    private static let maximumUnfinished = 72

    /// Compiles a part nested inside `words` tokens, which are completed only after it: `name(distinct, …,` are five.
    ///
    /// - Throws: `FetchError` if the nesting is too deep for the database's parser.
    mutating func inside(
        _ words: Int, body: (inout SelectCompiler) throws(FetchError) -> Void
    ) throws(FetchError) {
        unfinished += words
        guard unfinished <= Self.maximumUnfinished else {
            throw FetchError(
                .unsupportedByStore,
                "The condition is nested too deeply for SQLite. Join its parts in a flat list.",
                entityName: fetch.entity.name)
        }
        try body(&self)
        unfinished -= words
    }

    // MARK: Clauses

    /// Returns the WHERE clause, or an empty text.
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

    /// Returns the condition for rows of the fetch's entities, or `nil` if all rows of the table are.
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
            // Objects that compare equal are ordered by key, so that pages never overlap, and in the direction of the last
            // term, so that the term's index still provides the order.
            order.append(compiled: ", \(scopes[0].alias).Z_PK")
            if !last.ascending { order.append(" DESC") }
        }
        return order
    }

    private mutating func append(sorted term: ResolvedSortTerm, to order: inout SQLText) throws(FetchError) {
        if case .selection(let position, _) = term.expression {
            order.append(try aggregate(fetch.selections[position], use: .sorted))
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

    /// A Boolean value indicating whether what is compiled so far has more tables than the fetched entity's.
    var usesOtherTables: Bool { aliases > 1 }

    /// Returns an alias that the statement has not used.
    mutating func nextAlias() -> String {
        defer { aliases += 1 }
        return "t\(aliases)"
    }
}
