package import DataMonkCore

/// **Shared.** Compiles resolved fetches into SQL over Core Data's schema. Each store has one.
///
/// ```
/// SELECT t0.Z_PK, t0.Z_OPT, t0.ZNAME, …
/// FROM ZPERSON t0 LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZFRIEND        to-ones on a path, each once
/// WHERE t1.ZAGE > ?                                                   the condition
///   AND t0.Z_PK IN (SELECT t2.ZFRIEND FROM ZPERSON t2 WHERE t2.ZNAME = ?)                ANY friends.name == …
/// ORDER BY t0.ZNAME, t0.Z_PK LIMIT ? OFFSET ?
/// ```
/// The SQL has the same meaning as the in-memory evaluator, `nil` included: it is true where the condition is true, and
/// false or NULL where it is not. A negated condition is followed by `IS NOT TRUE`, which treats NULL as false.
///
/// Constants are bound. Identifiers come from the schema only. A part that SQL cannot express throws a `FetchError` that
/// names it; nothing is loaded to be filtered in memory.
package final class QueryCompiler: Sendable {
    let schema: StoreSchema
    let storeIndex: Int
    /// Filled on demand.
    private let rowSelects = Locked<[RowShape: RowSelect]>([:])

    /// Creates a compiler for a store.
    ///
    /// - Parameter storeIndex: The index of the store among the coordinator's stores, as in object keys.
    package init(schema: StoreSchema, storeIndex: Int) {
        self.schema = schema
        self.storeIndex = storeIndex
    }

    /// Returns a query for the fetch's objects in order, with all values or those of some properties. If the fetch loads no
    /// property values, the query returns keys only.
    package func objects(_ fetch: ResolvedFetch) throws(FetchError) -> SQLQuery {
        guard fetch.loadsValues else { return try keys(fetch) }
        var compiler = try SelectCompiler(fetch, schema: schema, storeIndex: storeIndex)
        let select = rowSelect(RowShape(fetch), of: fetch.entity)
        var list = SQLText()
        list.append(compiled: select.list)
        return try compiler.select(list, result: .objects(select.plan), orderedByKey: true)
    }

    /// Returns a query for the keys of the fetch's objects, in order.
    package func keys(_ fetch: ResolvedFetch) throws(FetchError) -> SQLQuery {
        var compiler = try SelectCompiler(fetch, schema: schema, storeIndex: storeIndex)
        let select = rowSelect(of: fetch.entity, withSubentities: fetch.request.includesSubentities)
        var list = SQLText()
        list.append(compiled: select.plan.key.selectList(alias: SelectCompiler.rootAlias))
        return try compiler.select(list, result: .keys(select.plan.key), orderedByKey: true)
    }

    /// Returns a query for the number of objects in the fetch, subject to its limit and offset.
    package func count(_ fetch: ResolvedFetch) throws(FetchError) -> SQLQuery {
        var compiler = try SelectCompiler(fetch, schema: schema, storeIndex: storeIndex)
        return try compiler.count()
    }

    /// Returns a query for the rows of a fetch with selections.
    package func values(_ fetch: ResolvedFetch) throws(FetchError) -> SQLQuery {
        var compiler = try SelectCompiler(fetch, schema: schema, storeIndex: storeIndex)
        let (list, columns) = try compiler.valueList()
        return try compiler.select(list, result: .values(columns), orderedByKey: false)
    }

    /// Returns a query for the values of single objects that a reader groups itself, or `nil` if the database should group
    /// them. A database sorts all rows to group them; it takes less to look up the group of each. This is done where that
    /// makes no other difference: if every group is a row of the result, in no order, and if the aggregates
    /// are computed by Swift in any case.
    ///
    ///     // median of the ages by location
    ///     SELECT t0.ZLOCATION, t0.ZAGE, t0.ZLOCATION FROM ZPERSON t0
    package func members(_ fetch: ResolvedFetch) throws(FetchError) -> SQLQuery? {
        guard !fetch.groups.isEmpty, fetch.having == nil, fetch.sortTerms.isEmpty, fetch.limit == nil,
            fetch.offset == 0, !fetch.request.returnsDistinctResults,
            fetch.selections.contains(where: { $0.ownAggregate(.shown) != nil }),
            fetch.selections.allSatisfy({ selection in
                !selection.isOfGroup
                    && (selection.function == nil || selection.isObjectCount || selection.ownAggregate(.shown) != nil)
            })
        else { return nil }
        return try values(fetch.members(areWeighted: false))
    }

    /// Returns the plan and the select list for whole rows of an entity, for the store's own statements. The table has the
    /// alias `t0`.
    package func rowSelect(of entity: Entity, withSubentities: Bool) -> RowSelect {
        rowSelect(RowShape(entityIndex: entity.index, withSubentities: withSubentities, slots: nil), of: entity)
    }

    private func rowSelect(_ shape: RowShape, of entity: Entity) -> RowSelect {
        rowSelects.withLock { selects in
            if let known = selects[shape] { return known }
            let entities = (shape.withSubentities ? entity.family : [entity]).filter { !$0.isAbstract }
            let plan = RowPlan(entities, of: entity, schema: schema, slots: shape.slots)
            let made = RowSelect(plan: plan, list: plan.selectList(alias: SelectCompiler.rootAlias))
            selects[shape] = made
            return made
        }
    }

    /// **Value.** The plan and the select list for whole rows of an entity.
    package struct RowSelect: Sendable {
        package let plan: RowPlan
        /// The columns, with the alias `t0`.
        package let list: String
    }
}

/// **Value.** The rows of a fetch that are selected in the same way.
package struct RowShape: Hashable, Sendable {
    let entityIndex: Int
    let withSubentities: Bool
    /// The properties to select; `nil` for all.
    let slots: SlotSet?

    /// Creates the shape of the rows that a fetch of objects loads.
    package init(_ fetch: ResolvedFetch) {
        self.init(
            entityIndex: fetch.entity.index, withSubentities: fetch.request.includesSubentities,
            slots: fetch.loadedSlots)
    }

    fileprivate init(entityIndex: Int, withSubentities: Bool, slots: SlotSet?) {
        self.entityIndex = entityIndex
        self.withSubentities = withSubentities
        self.slots = slots
    }
}
