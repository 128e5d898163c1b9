/// **Confined.** The objects for which a condition is evaluated: the fetched object and, inside subqueries, the objects of
/// their variables.
struct EvaluationScope: ConditionSource {
    let object: any PropertyReader
    /// The objects of the enclosing subqueries, outermost first.
    var variables: [any PropertyReader] = []

    init(_ object: any PropertyReader) { self.object = object }

    /// Returns the object at which a path starts, or `nil` for an element that does not exist.
    func start(of path: ResolvedPath) -> (any PropertyReader)? {
        switch path.start {
        case .object, .member: object
        case .variable(let depth): variables[depth]
        case .element(let element):
            start(of: element.collection).flatMap { element.pick(from: element.collection.objects(of: $0)) }
        }
    }

    func value(at path: ResolvedPath) -> ManagedValue {
        guard let start = start(of: path) else { return path.valueOfNothing }
        return path.value(of: start)
    }

    func forEachValue(
        at path: ResolvedPath, _ body: (ManagedValue) throws(FetchError) -> Bool
    ) throws(FetchError) {
        if let start = start(of: path) { try path.forEachValue(of: start, body) }
    }

    func key(at path: ResolvedPath) -> ObjectKey? { start(of: path).flatMap { path.key(of: $0) } }

    func keys(at path: ResolvedPath) -> [ObjectKey?] { start(of: path).map { path.keys(of: $0) } ?? [] }

    /// Returns every object that the steps of a path lead to.
    func objects(at path: ResolvedPath) -> [any PropertyReader] { start(of: path).map { path.objects(of: $0) } ?? [] }

    // Conditions on objects have no columns.
    func column(at position: Int) -> ManagedValue { .null }

    func value(of subquery: ResolvedSubquery) throws(FetchError) -> ManagedValue {
        var state = AggregateAccumulator(subquery.aggregate)
        for object in objects(at: subquery.collection) {
            guard try subquery.condition.isTrue(in: adding(object)) else { continue }
            state.add(subquery.value?.value(of: object) ?? .int(1))
        }
        return state.operatorValue.storageForm
    }

    private func adding(_ variable: any PropertyReader) -> EvaluationScope {
        var inner = self
        inner.variables.append(variable)
        return inner
    }
}

@available(*, unavailable)
extension EvaluationScope: Sendable {}
