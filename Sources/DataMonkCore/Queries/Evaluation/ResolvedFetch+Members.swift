/// The fetch of single objects' values from which the rows of another fetch are made in memory.
extension ResolvedFetch {
    /// The values that the rows take of each object: the expressions of the selections, then the paths by which the fetch
    /// groups, then those of its sort terms.
    var memberValues: [ResolvedExpression] {
        selections.map(\.value) + groups.map(ResolvedExpression.path)
            + sortTerms.map { $0.expression.path.map(ResolvedExpression.path) ?? .constant(.null) }
    }

    /// Returns the fetch, without groups, of ``memberValues`` as its columns.
    ///
    /// - Parameter areWeighted: A Boolean value indicating whether objects with the same values come as one. Their number
    ///   is the last column.
    package func members(areWeighted: Bool) -> ResolvedFetch {
        let values = memberValues
        var members = isAggregated ? self : widened(by: 0)
        members.selections = values.enumerated().map { position, value in
            ResolvedSelection(
                function: nil, expression: value, isOfGroup: false, alias: "\(position)", kind: value.kind ?? .integer)
        }
        if areWeighted {
            let object = ResolvedExpression.path(ResolvedPath(entity: entity, steps: [], terminal: .object))
            members.selections.append(
                ResolvedSelection(
                    function: .count, expression: object, isOfGroup: false, alias: "weight", kind: .integer))
        }
        members.columnCount = members.selections.count
        members.groups = areWeighted ? values.compactMap(\.path) : []
        members.having = nil
        if isAggregated || request.returnsDistinctResults {
            members.sortTerms = []
            members.limit = nil
            members.offset = 0
        }
        members.request.returnsDistinctResults = false
        return members
    }
}

extension ResolvedSelection {
    /// The expression with a value for each object that the column, or its aggregate, takes.
    fileprivate var value: ResolvedExpression {
        if isOfGroup { return .constant(.null) }
        // The number of objects takes none of their values.
        return isObjectCount ? .constant(.int(1)) : expression
    }
}
