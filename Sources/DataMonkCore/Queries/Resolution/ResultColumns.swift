/// **Value.** The names that conditions on groups, and the sort terms of rows, use for the contents of a row.
struct ResultColumns {
    let entity: Entity
    let selections: [ResolvedSelection]
    let groups: [ResolvedPath]
    /// A Boolean value indicating whether any other property may be used too: in rows that each stand for one object and
    /// are not made distinct.
    let allowsProperties: Bool
    /// The aggregates of each row's objects, or `nil` where a row stands for one object.
    var aggregates: FetchedAggregates?

    /// Resolves a name to a column, else to an aggregate, else to a path that the rows are grouped by, else to any property
    /// where that is allowed.
    func resolve(_ keyPath: String) throws(FetchError) -> ResolvedExpression {
        if let position = selections.firstIndex(where: { $0.alias == keyPath }) {
            return .selection(position, selections[position].kind)
        }
        if let aggregates, let aggregate = try ConditionExpression.keyPath(keyPath).fetchedAggregate(of: entity) {
            return try aggregates.expression(aggregate)
        }
        if let text = try textPath(ofLength: keyPath) {
            let operand = try resolve(text, name: keyPath)
            return .calculation(ResolvedCalculation(function: .length, operands: [operand], kind: .integer))
        }
        return try resolve(PathResolver(entity: entity).resolve(keyPath), name: keyPath)
    }

    /// Returns the path to a text whose length is meant, as in `name.length`; `nil` for any other key path.
    private func textPath(ofLength keyPath: String) throws(FetchError) -> ResolvedPath? {
        // The rows of a group are composed, and so evaluate calculations; objects are sorted by their values alone.
        guard aggregates != nil || !groups.isEmpty, keyPath.hasSuffix(".length") else { return nil }
        let path = try PathResolver(entity: entity).resolve(String(keyPath.dropLast(".length".count)))
        return path.kind == .string && !path.isCollection ? path : nil
    }

    /// Resolves a path to a column that shows it, else to itself where it has a single value for each row.
    func resolve(_ path: ResolvedPath, name: String) throws(FetchError) -> ResolvedExpression {
        if let position = selections.firstIndex(where: { $0.function == nil && $0.path == path }) {
            return .selection(position, selections[position].kind)
        }
        if allowsProperties || groups.contains(path) { return .path(path) }
        throw FetchError(
            .invalidRequest,
            """
            "\(name)" is neither a column of the result nor what it is grouped by, so a row does not have a single \
            value for it.
            """,
            entityName: entity.name, keyPath: name)
    }
}
