/// **Confined.** The aggregates of the fetched objects that the expressions of one request contain: `@sum.height` or
/// `sum:(height)` inside a column, in a condition on groups, or in an order. Each becomes a column that is not shown.
final class FetchedAggregates {
    private let rows: RowsResolver
    private var positions: [FetchRequest.Selection: Int] = [:]
    /// The columns that are not shown. They follow the request's own.
    private(set) var selections: [ResolvedSelection] = []
    /// The number of expressions returned so far.
    private(set) var uses = 0

    init(_ rows: RowsResolver) { self.rows = rows }

    /// Returns the value of an aggregate in a row.
    func expression(_ aggregate: FetchRequest.Selection) throws(FetchError) -> ResolvedExpression {
        uses += 1
        let shown = rows.request.propertiesToFetch.count
        if let position = positions[aggregate] { return .selection(position, selections[position - shown].kind) }
        let selection = try rows.resolve(aggregate, in: [], with: nil)
        let position = shown + selections.count
        selections.append(selection)
        positions[aggregate] = position
        return .selection(position, selection.kind)
    }
}

@available(*, unavailable)
extension FetchedAggregates: Sendable {}

extension ConditionExpression {
    /// Returns the aggregate of all fetched objects that the expression is, or `nil` if it is anything else: a
    /// collection operator after a to-many, or a function of a list, is about a single object.
    func fetchedAggregate(of entity: Entity) throws(FetchError) -> FetchRequest.Selection? {
        switch self {
        case .keyPath("@count"): return FetchRequest.Selection(.count, of: .object, alias: "@count")
        case .keyPath(let keyPath) where keyPath.first == "@":
            let names = keyPath.split(separator: ".", maxSplits: 1)
            guard names.count == 2, let function = PathResolver.collectionOperators[names[0]] else { return nil }
            return FetchRequest.Selection(function, of: .keyPath(String(names[1])), alias: keyPath)
        case .function(let function, let arguments):
            guard let aggregate = function.aggregate, let argument = arguments.first else { return nil }
            switch argument {
            case .list, .value: return nil
            case .keyPath:
                let path = try ConditionResolver(entity: entity).resolve(argument)
                if path.isCollection { return nil }
            default: break
            }
            return FetchRequest.Selection(aggregate, of: argument, alias: outline)
        default: return nil
        }
    }
}

extension FetchError {
    /// An aggregate of all fetched objects stands where a value of a single object is required.
    static func fetchedAggregate(_ source: String, of entity: Entity) -> FetchError {
        FetchError(
            .invalidKeyPath,
            """
            `\(source)` is an aggregate of all fetched objects, so it has no value for a single \(entity.name). Make \
            it a column of a fetch of rows, or use it in the condition on groups or the order of grouped rows. For \
            the objects of a to-many relationship, write the relationship before the operator.
            """,
            entityName: entity.name, keyPath: source)
    }
}
