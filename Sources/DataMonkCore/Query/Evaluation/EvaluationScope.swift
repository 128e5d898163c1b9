/// **Confined.** What a condition is evaluated of: the fetch's object, and inside subqueries the objects they look at.
struct EvaluationScope {
    let object: any PropertyReader
    /// The objects of the subqueries around, the outermost first.
    var variables: [any PropertyReader] = []

    init(_ object: any PropertyReader) { self.object = object }

    /// The object at which a path starts.
    func start(of path: ResolvedPath) -> any PropertyReader {
        switch path.start {
        case .object, .member: object
        case .variable(let depth): variables[depth]
        }
    }

    func adding(_ variable: any PropertyReader) -> EvaluationScope {
        var inner = self
        inner.variables.append(variable)
        return inner
    }
}

@available(*, unavailable)
extension EvaluationScope: Sendable {}
