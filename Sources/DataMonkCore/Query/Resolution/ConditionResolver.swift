/// **Value.** Turns a condition over names into one over an entity's properties: finds the keys, checks the types, gives
/// constants the type they are compared with.
///
/// Everything it refuses would be refused by every store, so nothing is asked before it has run.
struct ConditionResolver {
    /// Where key paths start.
    let entity: Entity
    /// The columns of the result, where keys are their names first: in conditions on groups.
    var columns: ResultColumns?
    /// The objects of the subqueries around, the outermost first.
    var variables: [Variable] = []
    /// Whether a store is to answer, which has no transient values; else objects at hand, which have them.
    var isForStore = false
    /// How deep the walk is.
    var depth = 0
    /// How much of it there was, in all resolvers that this one became.
    let parts = PartCount()

    /// **Value.** The object that a subquery looks at.
    struct Variable {
        let name: String
        let entity: Entity
    }

    /// Deeper conditions are refused: the walks over them are recursive, and threads of an update have small stacks.
    static let maximumDepth = 500

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
        if let plainer = try comparison.plainer() { return try resolve(plainer) }
        let left = try resolve(comparison.left)
        let right = try resolve(comparison.right)
        let resolver = ComparisonResolver(entity: entity, source: comparison)
        return try resolver.resolve(left, right)
    }

    /// The resolver of what is inside.
    func deeper() throws(FetchError) -> ConditionResolver {
        guard depth < Self.maximumDepth else { throw .deepCondition(entity) }
        var deeper = self
        deeper.depth += 1
        return deeper
    }
}

extension Condition {
    /// Throws for a condition that is too deep to be walked by recursion.
    func requireUsableDepth() throws(FetchError) {
        if depth > ConditionResolver.maximumDepth { throw .deepCondition(nil) }
    }
}

extension FetchError {
    /// A condition or an expression that is nested too deep to be used.
    static func deepCondition(_ entity: Entity?) -> FetchError {
        FetchError(
            .invalidRequest,
            "The condition is nested more than \(ConditionResolver.maximumDepth) levels deep: join its parts flatly.",
            entityName: entity?.name)
    }
}
