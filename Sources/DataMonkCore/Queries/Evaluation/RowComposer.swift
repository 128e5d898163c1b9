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
        var groups = RowGroups(fetch)
        var places: [RowIdentity: Int] = [:]
        for member in members {
            let values = fetch.groups.indices.map { parts.group($0, of: member) }
            let identity = RowIdentity(values)
            var place = places[identity]
            if place == nil {
                let columns = try fetch.selections.enumerated().map { position, selection throws(FetchError) in
                    try selection.isShared ? parts.column(position, of: member) : .null
                }
                place = groups.begin(columns: columns, groups: values)
                places[identity] = place
            }
            for (index, position) in groups.aggregates.enumerated() {
                let operand = try parts.operand(position, of: member)
                groups.add(operand, times: parts.weight(of: member), toAggregate: index, of: place ?? 0)
            }
        }
        if fetch.groups.isEmpty, groups.count == 0 {
            _ = groups.begin(columns: fetch.selections.map { _ in .null }, groups: [])
        }
        return try groups.makeRows()
    }
}

extension ResolvedSelection {
    /// A Boolean value indicating whether the column has the value of any object of the group.
    fileprivate var isShared: Bool { function == nil && !isOfGroup }
}
