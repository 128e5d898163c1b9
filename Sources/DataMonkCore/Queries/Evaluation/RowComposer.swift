/// **Value.** Answers a fetch for rows of values in memory, for a store that has no database to ask.
package struct RowComposer {
    private let fetch: ResolvedFetch
    /// Creates the ids of objects in columns.
    private let makeID: (ObjectKey) -> AnyObjectID

    package init(_ fetch: ResolvedFetch, makeID: @escaping (ObjectKey) -> AnyObjectID) {
        self.fetch = fetch
        self.makeID = makeID
    }

    /// Returns the filtered, grouped, sorted and paged rows, each with one value for each selection.
    ///
    /// - Parameter candidates: Objects of the fetch's entities.
    /// - Throws: ``FetchError`` if a condition cannot be evaluated.
    package func rows<Reader: PropertyReader>(of candidates: [Reader]) throws(FetchError) -> [[ManagedValue]] {
        var matching: [Reader] = []
        for candidate in candidates where try fetch.matches(candidate) { matching.append(candidate) }
        var rows =
            fetch.isAggregated
            ? try groups(of: matching)
            : try matching.map { reader throws(FetchError) in try singleRow(of: reader) }
        if let having = fetch.having {
            var kept: [ComposedRow] = []
            for row in rows where try having.isTrue(in: row) { kept.append(row) }
            rows = kept
        }
        if fetch.request.returnsDistinctResults, fetch.request.resultType == .dictionaries {
            var seen: Set<RowIdentity> = []
            rows = rows.filter { seen.insert(RowIdentity($0.columns)).inserted }
        }
        let sort = ReaderSort(fetch.sortTerms)
        let sorted = rows.enumerated().sorted { left, right in
            let order = sort.order(left.element.sortKeys, right.element.sortKeys)
            return order == .same ? left.offset < right.offset : order == .ascending
        }
        return fetch.page(sorted.map(\.element.columns))
    }

    private func singleRow(of reader: some PropertyReader) throws(FetchError) -> ComposedRow {
        var row = ComposedRow(columns: [])
        for selection in fetch.selections { row.columns.append(try column(selection, of: reader)) }
        row.sortKeys = try fetch.sortTerms.map { term throws(FetchError) in
            switch term.expression {
            case .path(let path): value(at: path, of: reader)
            default: try term.expression.value(in: row)
            }
        }
        return row
    }

    /// Returns one row for each group, in the order in which the groups appear, and exactly one without grouping.
    private func groups<Reader: PropertyReader>(of readers: [Reader]) throws(FetchError) -> [ComposedRow] {
        var order: [RowIdentity] = []
        var groups: [RowIdentity: [Reader]] = [:]
        for reader in readers {
            let identity = RowIdentity(fetch.groups.map { value(at: $0, of: reader) })
            if groups[identity] == nil { order.append(identity) }
            groups[identity, default: []].append(reader)
        }
        if fetch.groups.isEmpty, order.isEmpty { return [try groupRow(of: [Reader]())] }
        return try order.map { identity throws(FetchError) in try groupRow(of: groups[identity] ?? []) }
    }

    private func groupRow<Reader: PropertyReader>(of members: [Reader]) throws(FetchError) -> ComposedRow {
        var row = ComposedRow(columns: [])
        for selection in fetch.selections {
            guard let function = selection.function else {
                var shared: ManagedValue = .null
                if let member = members.first { shared = try column(selection, of: member) }
                row.columns.append(shared)
                continue
            }
            row.columns.append(try aggregate(function, of: selection, over: members))
        }
        row.groups = fetch.groups.map { path in
            (path, members.first.map { value(at: path, of: $0) } ?? .null)
        }
        row.sortKeys = try fetch.sortTerms.map { term throws(FetchError) in try term.expression.value(in: row) }
        return row
    }

    private func aggregate<Reader: PropertyReader>(
        _ function: FetchRequest.Selection.Function, of selection: ResolvedSelection, over members: [Reader]
    ) throws(FetchError) -> ManagedValue {
        var accumulator = AggregateAccumulator(function)
        for member in members {
            let value = try value(of: selection.expression, of: member)
            // Calculated values are already in storage form.
            accumulator.add(selection.isAttribute ? value : selection.expression.operandKind.operand(value))
        }
        return selection.kind.column(accumulator.result)
    }

    private func value(
        of expression: ResolvedExpression, of reader: some PropertyReader
    ) throws(FetchError) -> ManagedValue {
        if case .path(let path) = expression { return value(at: path, of: reader) }
        return try expression.value(in: EvaluationScope(reader))
    }

    private func column(
        _ selection: ResolvedSelection, of reader: some PropertyReader
    ) throws(FetchError) -> ManagedValue {
        let value = try value(of: selection.expression, of: reader)
        return selection.isAttribute ? value : selection.kind.column(value)
    }

    private func value(at path: ResolvedPath, of reader: some PropertyReader) -> ManagedValue {
        let scope = EvaluationScope(reader)
        guard case .object = path.terminal else { return scope.value(at: path) }
        return scope.key(at: path).map { .object(makeID($0)) } ?? .null
    }
}

extension ResolvedSelection {
    /// A Boolean value indicating whether the values are an attribute's own, and not calculated.
    fileprivate var isAttribute: Bool { path?.attribute != nil }
}
