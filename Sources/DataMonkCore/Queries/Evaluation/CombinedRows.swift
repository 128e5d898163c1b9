/// **Value.** Answers a fetch for rows of values from several stores.
///
/// Each store is asked for the values of single objects (``part``), and the rows are made of these in memory, exactly
/// as for a store without a database. Where all of the values are properties and the rows are aggregated, objects with
/// the same values come as one, with their number: the count of a group takes one row from each store.
package struct CombinedRows: RowParts {
    private let fetch: ResolvedFetch
    /// The fetch that each store answers. Its columns are the expressions of the fetch's selections, then the paths by
    /// which the fetch groups, then those of its sort terms, then the number of objects if `isWeighted`.
    package let part: ResolvedFetch
    private let isWeighted: Bool

    package init(_ fetch: ResolvedFetch) {
        self.fetch = fetch
        let values =
            fetch.selections.map(\.value) + fetch.groups.map(ResolvedExpression.path)
            + fetch.sortTerms.map { $0.expression.path.map(ResolvedExpression.path) ?? .constant(.null) }
        let paths = values.compactMap(\.path)
        isWeighted = fetch.isAggregated && values.allSatisfy(\.isGroupable)
        var part = fetch.isAggregated ? fetch : fetch.widened(by: 0)
        part.selections = values.enumerated().map { position, value in
            ResolvedSelection(
                function: nil, expression: value, isOfGroup: false, alias: "\(position)", kind: value.kind ?? .integer)
        }
        if isWeighted {
            let object = ResolvedExpression.path(ResolvedPath(entity: fetch.entity, steps: [], terminal: .object))
            part.selections.append(
                ResolvedSelection(
                    function: .count, expression: object, isOfGroup: false, alias: "weight", kind: .integer))
        }
        part.columnCount = part.selections.count
        part.groups = isWeighted ? paths : []
        part.having = nil
        if fetch.isAggregated || fetch.request.returnsDistinctResults {
            part.sortTerms = []
            part.limit = nil
            part.offset = 0
        }
        part.request.returnsDistinctResults = false
        self.part = part
    }

    /// Returns the rows of the fetch.
    ///
    /// - Parameter members: The rows of ``part`` from all stores.
    package func rows(of members: [[ManagedValue]]) throws(FetchError) -> [[ManagedValue]] {
        try RowComposer.rows(of: isWeighted ? members.filter { weight(of: $0) > 0 } : members, self, fetch)
    }

    func weight(of member: [ManagedValue]) -> Int {
        if isWeighted, case .int(let count)? = member.last { Int(count) } else { 1 }
    }

    func column(_ position: Int, of member: [ManagedValue]) -> ManagedValue { member[position] }

    func operand(_ position: Int, of member: [ManagedValue]) -> ManagedValue { member[position] }

    func group(_ position: Int, of member: [ManagedValue]) -> ManagedValue {
        member[fetch.selections.count + position]
    }

    func sortKey(_ position: Int, at path: ResolvedPath, of member: [ManagedValue]) -> ManagedValue {
        member[fetch.selections.count + fetch.groups.count + position]
    }
}

extension ResolvedSelection {
    /// The expression with a value for each object that the column, or its aggregate, takes.
    fileprivate var value: ResolvedExpression {
        if isOfGroup { return .constant(.null) }
        // The number of objects takes none of their values.
        if function == .count, let path, path.steps.isEmpty, case .object = path.terminal { return .constant(.int(1)) }
        return expression
    }
}

extension ResolvedExpression {
    /// A Boolean value indicating whether rows can be grouped by the value, if only because it is the same for all.
    fileprivate var isGroupable: Bool {
        switch self {
        case .constant: true
        case .path(let path): path.kind != .opaque
        default: false
        }
    }
}
