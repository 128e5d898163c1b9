/// **Value.** Turns a request into a ``ResolvedFetch``, or throws if the request is invalid.
struct FetchResolver {
    let model: ManagedObjectModel

    func resolve(_ request: FetchRequest) throws(FetchError) -> ResolvedFetch {
        guard let entity = model.entitiesByName[request.entityName] else {
            throw FetchError.unknownEntity(request.entityName, in: model)
        }
        return try resolve(request, entity: entity)
    }

    private func resolve(_ request: FetchRequest, entity: Entity) throws(FetchError) -> ResolvedFetch {
        try checkNumbers(request)
        try checkTerms(request)
        let condition: ResolvedCondition? =
            if let condition = request.condition {
                try ConditionResolver(entity: entity, isForStore: true).resolve(condition)
            } else { nil }
        let rows = RowsResolver(request: request, entity: entity)
        let groups = try rows.groups()
        let isOfRows = request.resultType == .dictionaries
        let loadedSlots = isOfRows ? nil : try rows.loadedSlots()
        let aggregates = isOfRows ? FetchedAggregates(rows) : nil
        let selections = isOfRows ? try rows.selections(in: groups, with: aggregates) : []
        try rows.checkGroups(groups, of: selections)
        let isAggregated = !groups.isEmpty || selections.contains { $0.function != nil || $0.isOfGroup }
        let isDistinct = request.returnsDistinctResults && isOfRows
        var columns = ResultColumns(
            entity: entity, selections: selections, groups: groups,
            allowsProperties: !isAggregated && !isDistinct, aggregates: isAggregated ? aggregates : nil)
        let having = try rows.having(columns)
        // Rows that differ in what is not shown may be duplicates, of which any may remain.
        if isDistinct { columns.aggregates = nil }
        let sortTerms = try Self.sortTerms(request.sortTerms, of: columns, isForStore: true)
        return ResolvedFetch(
            request: request, limit: request.fetchLimit == 0 ? nil : request.fetchLimit, offset: request.fetchOffset,
            entity: entity, condition: condition, sortTerms: sortTerms,
            prefetched: try prefetched(by: request, from: entity), loadedSlots: loadedSlots,
            selections: aggregates.map { selections + $0.selections } ?? selections, columnCount: selections.count,
            groups: groups, having: having)
    }

    private func checkNumbers(_ request: FetchRequest) throws(FetchError) {
        guard request.fetchLimit >= 0, request.fetchOffset >= 0, request.fetchBatchSize >= 0 else {
            throw FetchError(
                .invalidRequest, "Limit, offset and batch size must not be negative.", entityName: request.entityName)
        }
    }

    /// The maximum number of terms. Each may need a second column for the entity, and databases limit the number of
    /// columns.
    private static let maximumTerms = 1_000

    private func checkTerms(_ request: FetchRequest) throws(FetchError) {
        let columns = request.resultType == .dictionaries ? request.propertiesToFetch.count : 0
        let counts = [
            (request.sortTerms.count, "sort terms"), (columns, "columns"),
            (request.propertiesToGroupBy.count, "key paths to group by"),
        ]
        for (count, name) in counts where count > Self.maximumTerms {
            throw FetchError(
                .invalidRequest,
                "A fetch can have at most \(Self.maximumTerms) \(name), but this one has \(count). Remove some.",
                entityName: request.entityName)
        }
    }

    /// Resolves the terms by which an entity's objects are sorted in memory.
    static func sortTerms(_ terms: [SortTerm], of entity: Entity) throws(FetchError) -> [ResolvedSortTerm] {
        try sortTerms(
            terms, of: ResultColumns(entity: entity, selections: [], groups: [], allowsProperties: true),
            isForStore: false)
    }

    private static func sortTerms(
        _ terms: [SortTerm], of columns: ResultColumns, isForStore: Bool
    ) throws(FetchError) -> [ResolvedSortTerm] {
        let entity = columns.entity
        var resolved: [ResolvedSortTerm] = []
        for term in terms {
            let expression = try columns.resolve(term.keyPath)
            guard !expression.isCollection, let kind = expression.kind, kind.isOrdered || kind == .json
            else {
                throw FetchError(
                    .notComparable,
                    expression.isCollection
                        ? "\(entity.name).\(term.keyPath) leads to many values, so results cannot be sorted by it."
                        : "\(entity.name).\(term.keyPath) is \(expression.kind?.name ?? "a constant"), which has no order.",
                    entityName: entity.name, keyPath: term.keyPath)
            }
            if isForStore, let path = expression.path { try path.refuseTransient(term.keyPath, from: entity) }
            let isText = kind == .string || kind == .dynamic
            guard term.comparator == .standard || isText else {
                throw FetchError(
                    .notComparable,
                    """
                    \(entity.name).\(term.keyPath) is \(kind.name), but only text can be sorted with another \
                    comparator.
                    """,
                    entityName: entity.name, keyPath: term.keyPath)
            }
            resolved.append(
                ResolvedSortTerm(expression: expression, ascending: term.ascending, comparator: term.comparator))
        }
        return resolved
    }

    private func prefetched(
        by request: FetchRequest, from entity: Entity
    ) throws(FetchError) -> [[Entity.Relationship]] {
        var resolved: [[Entity.Relationship]] = []
        for keyPath in request.relationshipKeyPathsForPrefetching {
            let path = try PathResolver(entity: entity).resolve(keyPath)
            guard case .object = path.terminal, !path.steps.isEmpty else {
                throw FetchError(
                    .invalidKeyPath, "\(entity.name).\(keyPath) is not a relationship, so it cannot be prefetched.",
                    entityName: entity.name, keyPath: keyPath)
            }
            resolved.append(path.steps)
        }
        return resolved
    }
}

extension ResolvedPath {
    /// A Boolean value indicating whether a property on the way or at the end is transient, and so not in any store.
    private var isTransient: Bool {
        switch terminal {
        case .attribute(let attribute) where attribute.isTransient: true
        case .member(let member) where member.attribute.isTransient: true
        case .aggregate(_, let inner) where inner.isTransient: true
        default: steps.contains(where: \.isTransient)
        }
    }

    /// Throws if the path is transient. A fetch means the same in every store, so each store refuses such a path.
    func refuseTransient(_ keyPath: String, from entity: Entity) throws(FetchError) {
        guard isTransient else { return }
        throw FetchError(
            .unsupportedByStore,
            """
            \(entity.name).\(keyPath) is transient, so it is not stored. Filter and sort the fetched objects by it \
            instead.
            """,
            entityName: entity.name, keyPath: keyPath)
    }
}
