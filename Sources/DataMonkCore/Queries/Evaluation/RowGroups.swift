/// **Value.** The rows of an aggregated fetch while its objects are read one by one.
///
///     let place = groups.begin(columns: […], groups: […])     // with the first object of a group
///     for (index, position) in groups.aggregates.enumerated() {
///         groups.add(operand(position), toAggregate: index, of: place)
///     }
package struct RowGroups {
    private let fetch: ResolvedFetch
    /// The positions of the selections that are aggregates.
    package let aggregates: [Int]
    private var rows: [ComposedRow] = []
    /// The aggregates of the first row, then those of the second, and so on.
    private var accumulators: [AggregateAccumulator] = []

    package init(_ fetch: ResolvedFetch) {
        self.fetch = fetch
        aggregates = fetch.selections.indices.filter { fetch.selections[$0].function != nil }
    }

    /// The number of groups.
    package var count: Int { rows.count }

    /// Adds a group, and returns its place.
    ///
    /// - Parameters:
    ///   - columns: A value for each selection, which is ignored for those that are calculated from the whole group.
    ///   - groups: The values by which the fetch groups.
    package mutating func begin(columns: [ManagedValue], groups: [ManagedValue]) -> Int {
        let named = zip(fetch.groups, groups).map { (path: $0, value: $1) }
        rows.append(ComposedRow(columns: columns, groups: named))
        for position in aggregates {
            guard let function = fetch.selections[position].function else { continue }
            accumulators.append(AggregateAccumulator(function))
        }
        return rows.count - 1
    }

    /// Adds a value to one of the group's ``aggregates``.
    package mutating func add(_ operand: ManagedValue, toAggregate index: Int, of place: Int) {
        accumulators[place * aggregates.count + index].add(operand)
    }

    /// Adds a value as often as it occurs.
    mutating func add(_ operand: ManagedValue, times: Int, toAggregate index: Int, of place: Int) {
        accumulators[place * aggregates.count + index].add(operand, times: times)
    }

    /// Returns the rows, in the order in which their groups began.
    func makeRows() throws(FetchError) -> [ComposedRow] {
        var rows = rows
        for place in rows.indices {
            for (index, position) in aggregates.enumerated() {
                let result = accumulators[place * aggregates.count + index].result
                rows[place].columns[position] = fetch.selections[position].kind.column(result)
            }
            for (position, selection) in fetch.selections.enumerated() where selection.isOfGroup {
                rows[place].columns[position] = selection.kind.column(try selection.expression.value(in: rows[place]))
            }
            for term in fetch.sortTerms { rows[place].sortKeys.append(try term.expression.value(in: rows[place])) }
        }
        return rows
    }

    /// Returns the rows of a fetch without an order, in the order of what they are grouped by, as a database returns them.
    package func makeSortedRows() throws(FetchError) -> [[ManagedValue]] {
        let rows = try makeRows()
        let columns = fetch.groups.indices.map { position in SortColumn(rows.map { $0.groups[position].value }) }
        let order = rows.indices.sorted { left, right in
            for column in columns {
                let order = column.order(left, right)
                if order != .same { return order == .ascending }
            }
            return left < right
        }
        return order.map { Array(rows[$0].columns.prefix(fetch.columnCount)) }
    }
}
