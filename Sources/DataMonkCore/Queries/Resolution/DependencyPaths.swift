/// **Value.** The relationship paths over which a fetch reads values of other objects. A change of an object at the end of
/// such a path may change the results.
///
/// A path whose last object is only compared or counted ends before that object.
struct DependencyPaths: Sendable {
    private(set) var all: [[Entity.Relationship]] = []
    /// The steps of all paths, including those to objects that are only compared or counted.
    private(set) var steps: Set<Entity.Relationship> = []
    /// Indicates whether a path, of any kind, has a step.
    var leadsOn: Bool { !steps.isEmpty }

    mutating func addOrder(of fetch: ResolvedFetch) { add(fetch.sortTerms) }

    mutating func addCondition(of fetch: ResolvedFetch) {
        if let condition = fetch.condition { add(condition) }
    }

    mutating func add(_ sortTerms: [ResolvedSortTerm]) {
        for term in sortTerms { add(term.expression, variables: []) }
    }

    mutating func add(_ condition: ResolvedCondition) { add(condition, variables: []) }

    mutating func add(_ path: ResolvedPath) { add(path, variables: []) }

    private mutating func add(_ path: [Entity.Relationship]) {
        steps.formUnion(path)
        if !path.isEmpty, !all.contains(path) { all.append(path) }
    }

    /// - Parameter variables: The paths to the objects of the enclosing subqueries.
    private mutating func add(_ path: ResolvedPath, variables: [[Entity.Relationship]]) {
        let steps = start(of: path, variables: variables) + path.steps
        self.steps.formUnion(steps)
        switch path.terminal {
        case .attribute, .member: add(steps)
        case .object, .count, .entityName: add(Array(steps.dropLast()))
        case .aggregate(_, let inner): add(steps + inner.steps)
        }
    }

    private func start(of path: ResolvedPath, variables: [[Entity.Relationship]]) -> [Entity.Relationship] {
        switch path.start {
        case .object, .member: []
        case .variable(let depth): variables[depth]
        case .element(let element): start(of: element.collection, variables: variables) + element.collection.steps
        }
    }

    private mutating func add(_ expression: ResolvedExpression, variables: [[Entity.Relationship]]) {
        switch expression {
        case .constant, .selection: return
        case .path(let path): add(path, variables: variables)
        case .calculation(let calculation): for operand in calculation.operands { add(operand, variables: variables) }
        case .conditional(let condition, let first, let second, _):
            add(condition, variables: variables)
            add(first, variables: variables)
            add(second, variables: variables)
        case .subquery(let subquery):
            add(subquery.collection, variables: variables)
            let members = start(of: subquery.collection, variables: variables) + subquery.collection.steps
            if let value = subquery.value { add(members + value.steps) }
            add(subquery.condition, variables: variables + [members])
        }
    }

    private mutating func add(_ condition: ResolvedCondition, variables: [[Entity.Relationship]]) {
        switch condition {
        case .constant: return
        case .comparison(let comparison):
            add(comparison.left, variables: variables)
            add(comparison.right, variables: variables)
        case .identity(let identity):
            add(identity.path, variables: variables)
            if case .path(let path) = identity.other { add(path, variables: variables) }
        case .and(let parts), .or(let parts): for part in parts { add(part, variables: variables) }
        case .not(let inner): add(inner, variables: variables)
        }
    }
}
