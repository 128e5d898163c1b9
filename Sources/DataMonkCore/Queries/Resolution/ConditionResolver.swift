/// **Value.** Turns a condition over names into a condition over an entity's properties: looks up keys, checks types, and
/// coerces constants to the type they are compared with.
///
/// Every store would refuse what the resolver refuses, so no store is asked before it has run.
struct ConditionResolver {
    /// The entity at which key paths start.
    let entity: Entity
    /// The columns of the result, whose names take precedence over keys. Set only for conditions on groups.
    var columns: ResultColumns?
    /// The aggregates of the fetched objects, or `nil` where an expression is about a single object.
    var aggregates: FetchedAggregates?
    /// The objects of the enclosing subqueries, outermost first.
    var variables: [Variable] = []
    /// A Boolean value indicating whether a store evaluates the condition. Stores have no transient values, but objects in
    /// memory do.
    var isForStore = false
    /// The current depth of the walk.
    var depth = 0
    /// The number of parts visited so far, shared with all resolvers derived from this one.
    let parts = PartCount()

    /// **Value.** The variable of a subquery.
    struct Variable {
        let name: String
        let entity: Entity
    }

    func resolve(_ condition: Condition) throws(FetchError) -> ResolvedCondition {
        let deeper = try deeper()
        try parts.add(of: entity)
        switch condition {
        case .constant(let isTrue): return .constant(isTrue)
        case .comparison(let comparison): return try deeper.resolve(comparison)
        case .and(let parts):
            return .all(of: try parts.map { part throws(FetchError) in try deeper.resolve(part) })
        case .or(let parts):
            return .any(of: try parts.map { part throws(FetchError) in try deeper.resolve(part) })
        case .not(let inner): return try deeper.resolve(inner[0]).negated
        }
    }

    private func resolve(_ comparison: Condition.Comparison) throws(FetchError) -> ResolvedCondition {
        if let rewritten = try comparison.rewritten() { return try resolve(rewritten) }
        let left = try resolve(comparison.left)
        let right = try resolve(comparison.right)
        let resolver = ComparisonResolver(entity: entity, source: comparison)
        return try resolver.resolve(left, against: right)
    }

    /// Returns the resolver for nested parts.
    func deeper() throws(FetchError) -> ConditionResolver {
        guard depth < Condition.maximumDepth else { throw .deepCondition(entity.name) }
        var deeper = self
        deeper.depth += 1
        return deeper
    }
}
