/// **Value.** Resolves what belongs to rows of values: columns, grouping, conditions on groups.
struct RowsResolver {
    let request: FetchRequest
    let entity: Entity

    /// The columns, each with a name of its own.
    func selections() throws(FetchError) -> [ResolvedSelection] {
        var resolved: [ResolvedSelection] = []
        for selection in request.propertiesToFetch {
            guard !resolved.contains(where: { $0.alias == selection.alias }) else {
                throw FetchError(
                    .invalidRequest, "Two columns are called \"\(selection.alias)\": give one of them an alias.",
                    entityName: entity.name, keyPath: selection.alias)
            }
            resolved.append(try resolve(selection))
        }
        if request.resultType == .dictionaries {
            guard !resolved.isEmpty else {
                throw FetchError(.invalidRequest, "Rows of values need columns: select some.", entityName: entity.name)
            }
        } else if let figure = resolved.first(where: { $0.function != nil || $0.path.steps.count > 0 }) {
            throw FetchError(
                .invalidRequest,
                "\"\(figure.alias)\" is no attribute of \(entity.name): objects are loaded by attributes, "
                    + "figures need rows of values.",
                entityName: entity.name, keyPath: figure.alias)
        }
        return resolved
    }

    private func resolve(_ selection: FetchRequest.Selection) throws(FetchError) -> ResolvedSelection {
        guard case .path(let path) = try ConditionResolver(entity: entity).resolve(selection.expression) else {
            throw FetchError(
                .invalidRequest, "The column \"\(selection.alias)\" is a constant: select a key path.",
                entityName: entity.name)
        }
        guard !path.isCollection else {
            throw FetchError(
                .invalidKeyPath,
                "\(entity.name).\(selection.alias) leads to many values, so it is no column: use a collection operator "
                    + "such as @count.",
                entityName: entity.name, keyPath: path.name)
        }
        guard let function = selection.function else {
            return ResolvedSelection(function: nil, path: path, alias: selection.alias, kind: path.kind)
        }
        let isLegal =
            switch function {
            case .count: true
            case .minimum, .maximum: path.kind.isOrdered && path.kind != .boolean
            case .sum, .average, .standardDeviation: path.kind.isNumeric && path.kind != .boolean
            case .median: path.kind.isNumeric && path.kind != .boolean || path.kind == .date
            }
        guard isLegal else {
            throw FetchError(
                .notComparable,
                "\(entity.name).\(path.name ?? "self") is \(path.kind.name), and there is no \(function.name) of those.",
                entityName: entity.name, keyPath: path.name)
        }
        return ResolvedSelection(
            function: function, path: path, alias: selection.alias, kind: function.resultKind(of: path.kind))
    }

    /// The paths that rows are grouped by.
    func groups(_ selections: [ResolvedSelection]) throws(FetchError) -> [ResolvedPath] {
        var groups: [ResolvedPath] = []
        for keyPath in request.propertiesToGroupBy {
            let path = try PathResolver(entity: entity).resolve(keyPath)
            guard !path.isCollection, path.kind != .opaque else {
                throw FetchError(
                    .invalidKeyPath,
                    "\(entity.name).\(keyPath) is no single comparable value, so rows cannot be grouped by it.",
                    entityName: entity.name, keyPath: keyPath)
            }
            groups.append(path)
        }
        guard groups.isEmpty || request.resultType == .dictionaries else {
            throw FetchError(.invalidRequest, "Only rows of values can be grouped.", entityName: entity.name)
        }
        let isAggregated = !groups.isEmpty || selections.contains { $0.function != nil }
        if isAggregated, let loose = selections.first(where: { $0.function == nil && !groups.contains($0.path) }) {
            throw FetchError(
                .invalidRequest,
                "\"\(loose.alias)\" is neither a figure nor what the rows are grouped by: add it to groupBy.",
                entityName: entity.name, keyPath: loose.alias)
        }
        return groups
    }

    /// The condition on groups.
    func having(_ columns: ResultColumns) throws(FetchError) -> ResolvedCondition? {
        guard let condition = request.havingCondition else { return nil }
        guard !columns.groups.isEmpty else {
            throw FetchError(
                .invalidRequest, "A condition on groups needs groupBy: use the fetch's own condition instead.",
                entityName: entity.name)
        }
        return try ConditionResolver(entity: entity, columns: columns).resolve(condition)
    }
}
