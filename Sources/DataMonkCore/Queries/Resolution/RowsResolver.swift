/// **Value.** Resolves the parts of a request for rows of values: columns, grouping, and conditions on groups. Of a request for
/// objects, the properties to load.
struct RowsResolver {
    let request: FetchRequest
    let entity: Entity

    /// Returns the columns, each with a unique name.
    func selections(
        in groups: [ResolvedPath], with aggregates: FetchedAggregates?
    ) throws(FetchError) -> [ResolvedSelection] {
        var resolved: [ResolvedSelection] = []
        for selection in request.propertiesToFetch {
            guard !resolved.contains(where: { $0.alias == selection.alias }) else {
                throw FetchError(
                    .invalidRequest, "Two columns are named \"\(selection.alias)\". Give one of them an alias.",
                    entityName: entity.name, keyPath: selection.alias)
            }
            resolved.append(try resolve(selection, in: groups, with: aggregates))
        }
        guard !resolved.isEmpty else {
            throw FetchError(
                .invalidRequest, "A fetch of rows needs columns. Select at least one.", entityName: entity.name)
        }
        return resolved
    }

    /// Returns the slots of the properties that a fetch of objects loads, or `nil` for all.
    func loadedSlots() throws(FetchError) -> SlotSet? {
        if request.propertiesToFetch.isEmpty { return nil }
        var slots = SlotSet()
        for selection in request.propertiesToFetch { slots.insert(try slot(of: selection)) }
        // Objects that must not be faults, or must be refreshed, are loaded completely.
        return request.returnsObjectsAsFaults && !request.shouldRefreshRefetchedObjects ? slots : nil
    }

    /// Returns the slot of a property to load.
    private func slot(of selection: FetchRequest.Selection) throws(FetchError) -> Int {
        // The most common case takes one lookup.
        if selection.function == nil, case .keyPath(let name) = selection.expression,
            case .attribute(let attribute)? = entity.propertiesByName[name], !attribute.isTransient
        {
            return attribute.slot
        }
        let resolved = try resolve(selection, in: [], with: nil)
        guard let slot = resolved.slot else {
            throw FetchError(
                .invalidRequest,
                """
                "\(selection.alias)" is not an attribute or a to-one relationship of \(entity.name). A fetch of \
                objects can only load those; aggregates and key paths require a fetch of rows.
                """,
                entityName: entity.name, keyPath: selection.alias)
        }
        return slot
    }

    /// Returns one column.
    ///
    /// - Parameter aggregates: The aggregates that the column may contain; `nil` inside an aggregate.
    func resolve(
        _ selection: FetchRequest.Selection, in groups: [ResolvedPath], with aggregates: FetchedAggregates?
    ) throws(FetchError) -> ResolvedSelection {
        let aggregates = selection.function == nil ? aggregates : nil
        if aggregates != nil, var aggregate = try selection.expression.fetchedAggregate(of: entity) {
            aggregate.alias = selection.alias
            return try resolve(aggregate, in: groups, with: nil)
        }
        let (expression, isOfGroup) = try resolve(selection.expression, in: groups, with: aggregates)
        guard let kind = expression.kind else {
            throw FetchError(
                .invalidRequest, "The column \"\(selection.alias)\" is a constant. Select a key path.",
                entityName: entity.name)
        }
        let name = expression.path?.name
        guard !expression.isCollection else {
            throw FetchError(
                .invalidKeyPath,
                """
                \(entity.name).\(selection.alias) leads to many values, so it cannot be a column. Use a collection \
                operator such as @count.
                """,
                entityName: entity.name, keyPath: name)
        }
        guard let function = selection.function else {
            return ResolvedSelection(
                function: nil, expression: expression, isOfGroup: isOfGroup, alias: selection.alias, kind: kind)
        }
        guard function.isLegal(of: kind) else {
            throw FetchError(
                .notComparable,
                """
                \(entity.name).\(name ?? selection.alias) is \(kind.name), for which \(function.name) cannot be \
                computed.
                """,
                entityName: entity.name, keyPath: name)
        }
        return ResolvedSelection(
            function: function, expression: expression, isOfGroup: false, alias: selection.alias,
            kind: function.resultKind(of: kind))
    }

    /// Returns a column's expression, and `true` if it contains aggregates, so that it has a value for each group.
    private func resolve(
        _ source: ConditionExpression, in groups: [ResolvedPath], with aggregates: FetchedAggregates?
    ) throws(FetchError) -> (ResolvedExpression, Bool) {
        let uses = aggregates?.uses
        var resolver = ConditionResolver(entity: entity, aggregates: aggregates, isForStore: true)
        let expression = try resolver.resolve(source)
        guard aggregates?.uses != uses else { return (expression, false) }
        // Outside of aggregates, everything must be the same for all objects of a group.
        resolver.columns = ResultColumns(
            entity: entity, selections: [], groups: groups, allowsProperties: false, aggregates: aggregates)
        return (try resolver.resolve(source), true)
    }

    /// Returns the paths by which rows are grouped.
    func groups() throws(FetchError) -> [ResolvedPath] {
        var groups: [ResolvedPath] = []
        for keyPath in request.propertiesToGroupBy {
            let path = try PathResolver(entity: entity).resolve(keyPath)
            try path.refuseTransient(keyPath, from: entity)
            guard !path.isCollection, path.kind != .opaque, path.kind != .json else {
                throw FetchError(
                    .invalidKeyPath,
                    "\(entity.name).\(keyPath) is not a single comparable value, so rows cannot be grouped by it.",
                    entityName: entity.name, keyPath: keyPath)
            }
            groups.append(path)
        }
        guard groups.isEmpty || request.resultType == .dictionaries else {
            throw FetchError(.invalidRequest, "Only a fetch of rows can be grouped.", entityName: entity.name)
        }
        return groups
    }

    /// Throws if a column has several values in a group.
    func checkGroups(_ groups: [ResolvedPath], of selections: [ResolvedSelection]) throws(FetchError) {
        let isAggregated = !groups.isEmpty || selections.contains { $0.function != nil || $0.isOfGroup }
        if isAggregated, let loose = selections.first(where: { !$0.isConstant(in: groups) }) {
            let remedy =
                loose.path == nil
                ? "It has a value for each object, so select an aggregate of it." : "Add it to groupBy."
            throw FetchError(
                .invalidRequest,
                "\"\(loose.alias)\" is neither an aggregate nor what the rows are grouped by. \(remedy)",
                entityName: entity.name, keyPath: loose.alias)
        }
    }

    /// Returns the condition on groups.
    func having(_ columns: ResultColumns) throws(FetchError) -> ResolvedCondition? {
        guard let condition = request.havingCondition else { return nil }
        guard !columns.groups.isEmpty else {
            throw FetchError(
                .invalidRequest, "A condition on groups requires groupBy. Without it, use the fetch's own condition.",
                entityName: entity.name)
        }
        return try ConditionResolver(
            entity: entity, columns: columns, aggregates: columns.aggregates, isForStore: true
        ).resolve(condition)
    }
}

extension ResolvedSelection {
    /// The slot of the property of the fetched objects themselves that the column is or is a part of; `nil` for another column.
    fileprivate var slot: Int? {
        guard function == nil, let path else { return nil }
        if case .object = path.terminal { return path.steps.count == 1 ? path.steps[0].slot : nil }
        return path.steps.isEmpty ? path.holder?.slot : nil
    }

    /// Returns `true` if the column has a single value in each group.
    fileprivate func isConstant(in groups: [ResolvedPath]) -> Bool {
        function != nil || isOfGroup || path.map(groups.contains) ?? false
    }
}

extension FetchRequest.Selection.Function {
    /// Returns `true` if the aggregate is defined for values of a kind.
    fileprivate func isLegal(of kind: ValueKind) -> Bool {
        switch self {
        case .count: true
        case .minimum, .maximum: kind.isOrdered && kind != .boolean
        case .sum, .average, .standardDeviation: kind.isNumeric && kind != .boolean
        case .median: kind.isNumeric && kind != .boolean || kind == .date
        }
    }
}
