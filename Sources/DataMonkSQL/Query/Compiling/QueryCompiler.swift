package import DataMonkCore

/// **Value.** Turns a resolved fetch into SQL over Core Data's schema.
///
/// ```
/// SELECT t0.Z_PK, t0.Z_OPT, t0.ZNAME, …
/// FROM ZPERSON t0 LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZFRIEND        to-ones on a path, each once
/// WHERE t1.ZAGE > ?                                                   the condition
///   AND EXISTS (SELECT 1 FROM ZPERSON t2 WHERE t2.ZFRIEND = t0.Z_PK AND t2.ZNAME = ?)      ANY friends.name == …
/// ORDER BY t0.ZNAME, t0.Z_PK LIMIT ? OFFSET ?
/// ```
/// The meaning is that of the evaluator in memory, nil included: a condition's SQL is true where the condition is, and
/// false or NULL where it is not; whatever is negated is followed by `IS NOT TRUE`, which takes NULL for false.
///
/// Constants are bound. Identifiers come from the schema alone. What SQL cannot do throws a `FetchError` that names the
/// part, and nothing is loaded to be filtered in memory.
package struct QueryCompiler {
    let fetch: ResolvedFetch
    let schema: StoreSchema
    /// The position of the store among the coordinator's: objects of other stores are never found here.
    let storeIndex: Int
    /// The SELECTs that are open, the outermost first.
    var scopes: [QueryScope] = []
    /// How many aliases were given.
    private var aliases = 0

    private init(_ fetch: ResolvedFetch, schema: StoreSchema, storeIndex: Int) {
        self.fetch = fetch
        self.schema = schema
        self.storeIndex = storeIndex
    }

    /// The objects of the fetch with their values, in its order. Without property values, their keys alone.
    package static func objects(
        _ fetch: ResolvedFetch, schema: StoreSchema, storeIndex: Int
    ) throws(FetchError) -> SQLQuery {
        guard fetch.request.includesPropertyValues else {
            return try keys(fetch, schema: schema, storeIndex: storeIndex)
        }
        let plan = RowPlan(fetch.entities, of: fetch.entity, schema: schema)
        var compiler = QueryCompiler(fetch, schema: schema, storeIndex: storeIndex)
        compiler.open()
        var list = SQLText()
        list.append(compiled: plan.selectList(alias: compiler.scopes[0].alias, schema: schema))
        return try compiler.select(list, .objects(plan), orderedByKey: true)
    }

    /// The keys of the fetch's objects, in its order.
    package static func keys(
        _ fetch: ResolvedFetch, schema: StoreSchema, storeIndex: Int
    ) throws(FetchError) -> SQLQuery {
        let plan = KeyPlan(fetch.entities, of: fetch.entity, schema: schema)
        var compiler = QueryCompiler(fetch, schema: schema, storeIndex: storeIndex)
        compiler.open()
        var list = SQLText()
        list.append(compiled: plan.selectList(alias: compiler.scopes[0].alias))
        return try compiler.select(list, .keys(plan), orderedByKey: true)
    }

    /// How many objects the fetch has; limit and offset count.
    package static func count(
        _ fetch: ResolvedFetch, schema: StoreSchema, storeIndex: Int
    ) throws(FetchError) -> SQLQuery {
        var compiler = QueryCompiler(fetch, schema: schema, storeIndex: storeIndex)
        compiler.open()
        let filter = try compiler.filter()
        var query = SQLText()
        let isPage = fetch.limit != nil || fetch.offset > 0
        query.append(isPage ? "SELECT COUNT(*) FROM (SELECT 1" : "SELECT COUNT(*)")
        query.append(compiled: compiler.scopes[0].from)
        query.append(filter)
        compiler.appendPage(to: &query)
        if isPage { query.append(")") }
        return SQLQuery(sql: query.text, bindings: query.bindings, result: .count)
    }

    /// The rows of a fetch with selections.
    package static func values(
        _ fetch: ResolvedFetch, schema: StoreSchema, storeIndex: Int
    ) throws(FetchError) -> SQLQuery {
        var compiler = QueryCompiler(fetch, schema: schema, storeIndex: storeIndex)
        compiler.open()
        let (list, columns) = try compiler.valueList()
        return try compiler.select(list, .values(columns), orderedByKey: false)
    }

    // MARK: The statement

    private mutating func open() {
        let alias = nextAlias()
        scopes.append(QueryScope(alias: alias, from: " FROM \(schema.table(of: fetch.entity)) \(alias)"))
    }

    private mutating func select(
        _ list: SQLText, _ result: SQLQuery.Result, orderedByKey: Bool
    ) throws(FetchError) -> SQLQuery {
        // Each part may add joins to FROM, so that is put in when all of them are known.
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
        return SQLQuery(sql: query.text, bindings: query.bindings, result: result)
    }

    /// The WHERE clause, if there is one.
    private mutating func filter() throws(FetchError) -> SQLText {
        var filter = SQLText()
        let entities = entityFilter()
        if let entities { filter.append(compiled: " WHERE \(entities)") }
        if let condition = fetch.condition {
            filter.append(entities == nil ? " WHERE " : " AND ")
            let isSingle = entities == nil
            try append(condition, to: &filter, isOperand: !isSingle)
        }
        return filter
    }

    /// Which rows of the table are of the fetch's entities, nil where all of them are.
    private func entityFilter() -> String? {
        let column = "\(scopes[0].alias).Z_ENT"
        let wanted = fetch.entities
        if wanted.isEmpty { return "0" }
        if wanted.count == fetch.entity.root.family.count(where: { !$0.isAbstract }) { return nil }
        let numbers = wanted.map { String(schema.entityNumber(of: $0)) }
        return numbers.count == 1 ? "\(column) = \(numbers[0])" : "\(column) IN (\(numbers.joined(separator: ", ")))"
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
        order.append(compiled: try comparable(term.expression))
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
        return aliases < Self.aliasNames.count ? Self.aliasNames[aliases] : "t\(aliases)"
    }

    private static let aliasNames = (0..<16).map { "t\($0)" }
}
