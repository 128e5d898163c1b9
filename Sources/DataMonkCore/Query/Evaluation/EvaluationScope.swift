/// **Confined.** What a condition is evaluated of: the fetch's object, and inside subqueries the objects they look at.
struct EvaluationScope {
    let object: any PropertyReader
    /// The objects of the subqueries around, the outermost first.
    var variables: [any PropertyReader] = []

    init(_ object: any PropertyReader) { self.object = object }

    /// The object at which a path starts; nil for an element that there is not.
    func start(of path: ResolvedPath) -> (any PropertyReader)? {
        switch path.start {
        case .object, .member: object
        case .variable(let depth): variables[depth]
        case .element(let element):
            start(of: element.collection).flatMap { element.pick(from: element.collection.objects(of: $0)) }
        }
    }

    /// The value at a path to a single value.
    func value(at path: ResolvedPath) -> ManagedValue {
        guard let start = start(of: path) else { return path.valueOfNothing }
        return path.value(of: start)
    }

    /// Who a path to a single object leads to.
    func key(at path: ResolvedPath) -> ObjectKey? { start(of: path).flatMap { path.key(of: $0) } }

    /// Who a path to a collection of objects leads to; nil for an object whose way on leads nowhere.
    func keys(at path: ResolvedPath) -> [ObjectKey?] { start(of: path).map { path.keys(of: $0) } ?? [] }

    /// Every object that the steps of a path lead to.
    func objects(at path: ResolvedPath) -> [any PropertyReader] { start(of: path).map { path.objects(of: $0) } ?? [] }

    func adding(_ variable: any PropertyReader) -> EvaluationScope {
        var inner = self
        inner.variables.append(variable)
        return inner
    }
}

@available(*, unavailable)
extension EvaluationScope: Sendable {}
