/// **Value.** The relationship paths over which a fetch reads values of other objects. A change of an object at the end of
/// such a path may change the results.
///
/// A path whose last object is only compared or counted ends before that object.
struct DependencyPaths: Sendable {
    private(set) var all: [[Entity.Relationship]] = []

    mutating func addOrder(of fetch: ResolvedFetch) { for term in fetch.sortTerms { add(term.expression, []) } }

    mutating func addCondition(of fetch: ResolvedFetch) { if let condition = fetch.condition { add(condition, []) } }

    mutating func add(_ path: ResolvedPath) { add(path, []) }

    private mutating func add(_ path: [Entity.Relationship]) {
        if !path.isEmpty, !all.contains(path) { all.append(path) }
    }

    /// - Parameter variables: The paths to the objects of the enclosing subqueries.
    private mutating func add(_ path: ResolvedPath, _ variables: [[Entity.Relationship]]) {
        let steps = start(of: path, variables) + path.steps
        switch path.terminal {
        case .attribute: add(steps)
        case .object, .count, .entityName: add(Array(steps.dropLast()))
        case .aggregate(_, let inner): add(steps + inner.steps)
        }
    }

    private func start(of path: ResolvedPath, _ variables: [[Entity.Relationship]]) -> [Entity.Relationship] {
        switch path.start {
        case .object, .member: []
        case .variable(let depth): variables[depth]
        case .element(let element): start(of: element.collection, variables) + element.collection.steps
        }
    }

    private mutating func add(_ expression: ResolvedExpression, _ variables: [[Entity.Relationship]]) {
        switch expression {
        case .constant, .selection: return
        case .path(let path): add(path, variables)
        case .calculation(let calculation): for operand in calculation.operands { add(operand, variables) }
        case .conditional(let condition, let first, let second, _):
            add(condition, variables)
            add(first, variables)
            add(second, variables)
        case .subquery(let subquery):
            add(subquery.collection, variables)
            let members = start(of: subquery.collection, variables) + subquery.collection.steps
            if let value = subquery.value { add(members + value.steps) }
            add(subquery.condition, variables + [members])
        }
    }

    private mutating func add(_ condition: ResolvedCondition, _ variables: [[Entity.Relationship]]) {
        switch condition {
        case .constant: return
        case .comparison(let comparison):
            add(comparison.left, variables)
            add(comparison.right, variables)
        case .identity(let identity):
            add(identity.path, variables)
            if case .path(let path) = identity.other { add(path, variables) }
        case .and(let parts), .or(let parts): for part in parts { add(part, variables) }
        case .not(let inner): add(inner, variables)
        }
    }
}
