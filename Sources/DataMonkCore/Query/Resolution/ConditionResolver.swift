/// **Value.** Turns a condition over names into one over an entity's properties: finds the keys, checks the types, gives
/// constants the type they are compared with.
///
/// Everything it refuses would be refused by every store, so nothing is asked before it has run.
struct ConditionResolver {
    /// Where key paths start.
    let entity: Entity
    /// The columns of the result, where keys are their names first: in conditions on groups.
    var columns: ResultColumns?

    /// Deeper conditions are refused: the walks over them are recursive, and threads of an update have small stacks.
    static let maximumDepth = 500

    func resolve(_ condition: Condition, depth: Int = 0) throws(FetchError) -> ResolvedCondition {
        guard depth <= Self.maximumDepth else {
            throw FetchError(
                .invalidRequest,
                "The condition is nested more than \(Self.maximumDepth) levels deep: join its parts flatly.",
                entityName: entity.name)
        }
        switch condition {
        case .constant(let isTrue): return .constant(isTrue)
        case .comparison(let comparison): return try resolve(comparison)
        case .and(let parts):
            if parts.isEmpty { return .constant(true) }
            var resolved: [ResolvedCondition] = []
            resolved.reserveCapacity(parts.count)
            for part in parts { resolved.append(try resolve(part, depth: depth + 1)) }
            return .and(resolved)
        case .or(let parts):
            if parts.isEmpty { return .constant(false) }
            var resolved: [ResolvedCondition] = []
            resolved.reserveCapacity(parts.count)
            for part in parts { resolved.append(try resolve(part, depth: depth + 1)) }
            return .or(resolved)
        case .not(let inner): return .not(try resolve(inner, depth: depth + 1))
        }
    }

    private func resolve(_ comparison: Condition.Comparison) throws(FetchError) -> ResolvedCondition {
        let left = try resolve(comparison.left)
        let right = try resolve(comparison.right)
        let resolver = ComparisonResolver(entity: entity, source: comparison)
        return try resolver.resolve(left, right)
    }

    /// The expression over properties; a constant stays as it is.
    func resolve(_ expression: ConditionExpression) throws(FetchError) -> ResolvedExpression {
        switch expression {
        case .value(let value): return .constant(value)
        case .object: return .path(ResolvedPath(entity: entity, steps: [], terminal: .object))
        case .keyPath(let keyPath):
            if let columns { return try columns.resolve(keyPath) }
            return .path(try PathResolver(entity: entity).resolve(keyPath))
        case .variable, .path, .list, .function, .element, .subquery, .conditional:
            throw FetchError(
                .unsupportedCondition, "`\(expression.format)` cannot be part of a fetch.", entityName: entity.name)
        }
    }
}
