/// **Confined.** The objects for which a condition is evaluated: the fetched object and, inside subqueries, the objects of
/// their variables.
struct EvaluationScope {
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

    /// Returns the value at a path to a single value.
    func value(at path: ResolvedPath) -> ManagedValue {
        guard let start = start(of: path) else { return path.valueOfNothing }
        return path.value(of: start)
    }

    /// Returns the key of the object at the end of a path to a single object.
    func key(at path: ResolvedPath) -> ObjectKey? { start(of: path).flatMap { path.key(of: $0) } }

    /// Returns the keys of the objects at the end of a path to a collection, with `nil` for each branch on which a to-one
    /// is `nil`.
    func keys(at path: ResolvedPath) -> [ObjectKey?] { start(of: path).map { path.keys(of: $0) } ?? [] }

    /// Returns every object that the steps of a path lead to.
    func objects(at path: ResolvedPath) -> [any PropertyReader] { start(of: path).map { path.objects(of: $0) } ?? [] }

    func adding(_ variable: any PropertyReader) -> EvaluationScope {
        var inner = self
        inner.variables.append(variable)
        return inner
    }
}

@available(*, unavailable)
extension EvaluationScope: Sendable {}
