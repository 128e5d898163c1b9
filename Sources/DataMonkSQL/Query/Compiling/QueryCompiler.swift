package import DataMonkCore

/// **Shared.** Turns resolved fetches into SQL over Core Data's schema. One serves a store.
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
package final class QueryCompiler: Sendable {
    let schema: StoreSchema
    let storeIndex: Int
    /// What whole rows of each entity look like, twice: without and with its sub-entities. Filled as they are asked for.
    private let rowSelects: Locked<[RowSelect?]>

    /// - Parameter storeIndex: The position of the store among the coordinator's, as keys carry it.
    package init(schema: StoreSchema, storeIndex: Int) {
        self.schema = schema
        self.storeIndex = storeIndex
        rowSelects = Locked(Array(repeating: nil, count: schema.model.entities.count * 2))
    }

    /// The objects of the fetch with their values, in its order. Without property values, their keys alone.
    package func objects(_ fetch: ResolvedFetch) throws(FetchError) -> SQLQuery {
        guard fetch.request.includesPropertyValues else { return try keys(fetch) }
        var compiler = try SelectCompiler(fetch, schema: schema, storeIndex: storeIndex)
        let select = rowSelect(of: fetch.entity, withSubentities: fetch.request.includesSubentities)
        var list = SQLText()
        list.append(compiled: select.list)
        return try compiler.select(list, .objects(select.plan), orderedByKey: true)
    }

    /// The keys of the fetch's objects, in its order.
    package func keys(_ fetch: ResolvedFetch) throws(FetchError) -> SQLQuery {
        var compiler = try SelectCompiler(fetch, schema: schema, storeIndex: storeIndex)
        let select = rowSelect(of: fetch.entity, withSubentities: fetch.request.includesSubentities)
        var list = SQLText()
        list.append(compiled: select.plan.key.selectList(alias: SelectCompiler.rootAlias))
        return try compiler.select(list, .keys(select.plan.key), orderedByKey: true)
    }

    /// How many objects the fetch has; limit and offset count.
    package func count(_ fetch: ResolvedFetch) throws(FetchError) -> SQLQuery {
        var compiler = try SelectCompiler(fetch, schema: schema, storeIndex: storeIndex)
        return try compiler.count()
    }

    /// The rows of a fetch with selections.
    package func values(_ fetch: ResolvedFetch) throws(FetchError) -> SQLQuery {
        var compiler = try SelectCompiler(fetch, schema: schema, storeIndex: storeIndex)
        let (list, columns) = try compiler.valueList()
        return try compiler.select(list, .values(columns), orderedByKey: false)
    }

    /// What a row of an entity looks like, for statements of the store's own: the plan, and its select list over the table
    /// under the alias `t0`.
    package func rowSelect(of entity: Entity, withSubentities: Bool) -> RowSelect {
        let place = entity.index * 2 + (withSubentities ? 1 : 0)
        return rowSelects.withLock { selects in
            if let known = selects[place] { return known }
            let entities = (withSubentities ? entity.family : [entity]).filter { !$0.isAbstract }
            let plan = RowPlan(entities, of: entity, schema: schema)
            let made = RowSelect(plan: plan, list: plan.selectList(alias: SelectCompiler.rootAlias))
            selects[place] = made
            return made
        }
    }

    /// **Value.** What whole rows of an entity look like.
    package struct RowSelect: Sendable {
        package let plan: RowPlan
        /// The columns, under the alias `t0`.
        package let list: String
    }
}
