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
        return try Self.rows(of: matching, ReaderParts<Reader>(fetch: fetch, makeID: makeID), fetch)
    }

    /// Returns the grouped, sorted and paged rows.
    ///
    /// - Parameter members: The objects that satisfy the fetch's condition.
    static func rows<Parts: RowParts>(
        of members: [Parts.Member], _ parts: Parts, _ fetch: ResolvedFetch
    ) throws(FetchError) -> [[ManagedValue]] {
        var rows =
            fetch.isAggregated
            ? try groups(of: members, parts, fetch)
            : try members.map { member throws(FetchError) in try singleRow(of: member, parts, fetch) }
        if let having = fetch.having {
            var kept: [ComposedRow] = []
            for row in rows where try having.isTrue(in: row) { kept.append(row) }
            rows = kept
        }
        // Aggregates that are not shown follow the columns.
        let hasHidden = fetch.selections.count > fetch.columnCount
        func shown(_ row: ComposedRow) -> [ManagedValue] {
            hasHidden ? Array(row.columns.prefix(fetch.columnCount)) : row.columns
        }
        if fetch.request.returnsDistinctResults, fetch.request.resultType == .dictionaries {
            var seen: Set<RowIdentity> = []
            rows = rows.filter { seen.insert(RowIdentity(shown($0))).inserted }
        }
        let sort = ReaderSort(fetch.sortTerms)
        let sorted = rows.enumerated().sorted { left, right in
            let order = sort.order(left.element.sortKeys, right.element.sortKeys)
            return order == .same ? left.offset < right.offset : order == .ascending
        }
        return fetch.page(sorted.map { shown($0.element) })
    }

    private static func singleRow<Parts: RowParts>(
        of member: Parts.Member, _ parts: Parts, _ fetch: ResolvedFetch
    ) throws(FetchError) -> ComposedRow {
        var row = ComposedRow(columns: [])
        for position in fetch.selections.indices { row.columns.append(try parts.column(position, of: member)) }
        for (position, term) in fetch.sortTerms.enumerated() {
            switch term.expression {
            case .path(let path): row.sortKeys.append(parts.sortKey(position, at: path, of: member))
            default: row.sortKeys.append(try term.expression.value(in: row))
            }
        }
        return row
    }

    /// Returns one row for each group, in the order in which the groups appear, and exactly one without grouping.
    private static func groups<Parts: RowParts>(
        of members: [Parts.Member], _ parts: Parts, _ fetch: ResolvedFetch
    ) throws(FetchError) -> [ComposedRow] {
        var order: [RowIdentity] = []
        var groups: [RowIdentity: [Parts.Member]] = [:]
        for member in members {
            let identity = RowIdentity(fetch.groups.indices.map { parts.group($0, of: member) })
            if groups[identity] == nil { order.append(identity) }
            groups[identity, default: []].append(member)
        }
        if fetch.groups.isEmpty, order.isEmpty { return [try groupRow(of: [], parts, fetch)] }
        return try order.map { identity throws(FetchError) in try groupRow(of: groups[identity] ?? [], parts, fetch) }
    }

    private static func groupRow<Parts: RowParts>(
        of members: [Parts.Member], _ parts: Parts, _ fetch: ResolvedFetch
    ) throws(FetchError) -> ComposedRow {
        var row = ComposedRow(columns: [])
        for (position, selection) in fetch.selections.enumerated() {
            guard let function = selection.function else {
                var shared: ManagedValue = .null
                if !selection.isOfGroup, let member = members.first { shared = try parts.column(position, of: member) }
                row.columns.append(shared)
                continue
            }
            var accumulator = AggregateAccumulator(function)
            for member in members {
                accumulator.add(try parts.operand(position, of: member), times: parts.weight(of: member))
            }
            row.columns.append(selection.kind.column(accumulator.result))
        }
        row.groups = fetch.groups.enumerated().map { position, path in
            (path, members.first.map { parts.group(position, of: $0) } ?? .null)
        }
        for (position, selection) in fetch.selections.enumerated() where selection.isOfGroup {
            row.columns[position] = selection.kind.column(try selection.expression.value(in: row))
        }
        row.sortKeys = try fetch.sortTerms.map { term throws(FetchError) in try term.expression.value(in: row) }
        return row
    }
}
