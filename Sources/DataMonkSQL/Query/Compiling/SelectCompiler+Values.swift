import DataMonkCore

// Rows of values: columns, aggregates, grouping.

extension SelectCompiler {
    /// Returns the columns of the selections, and their meaning.
    mutating func valueList() throws(FetchError) -> (SQLText, [ValueColumn]) {
        var list = SQLText()
        var columns: [ValueColumn] = []
        var position = 0
        for selection in fetch.selections.prefix(fetch.columnCount) {
            if position > 0 { list.append(", ") }
            try refuseUnreadable(selection)
            list.append(try aggregate(selection, use: .shown))
            var entityColumn: Int?
            if selection.function == nil, let path = selection.path, case .object = path.terminal,
                let number = try numberColumn(path)
            {
                list.append(compiled: ", \(number)")
                entityColumn = position + 1
            }
            columns.append(
                ValueColumn(
                    alias: selection.alias, position: position, kind: selection.kind, entityColumn: entityColumn))
            position += entityColumn == nil ? 1 : 2
        }
        return (list, columns)
    }

    private func refuseUnreadable(_ selection: ResolvedSelection) throws(FetchError) {
        guard selection.function == nil, let attribute = selection.path?.attribute, attribute.type == .binary,
            attribute.description.allowsExternalBinaryDataStorage
        else { return }
        throw FetchError(
            .unsupportedByStore,
            """
            \(attribute.entity.name).\(attribute.name) may be stored in an external file, so it cannot be a column of \
            a fetch of rows. Fetch the objects instead.
            """,
            entityName: attribute.entity.name, keyPath: attribute.name)
    }

    /// Returns the column with the entity number of the object at the end of a path, or `nil` if it can be of one entity
    /// only.
    private mutating func numberColumn(_ path: ResolvedPath) throws(FetchError) -> String? {
        guard let last = path.steps.last else {
            return try schema.storage(of: path.entity).sharesTable ? "\(try alias(after: [], of: path)).Z_ENT" : nil
        }
        guard let column = try entityColumn(last) else { return nil }
        return "\(try alias(after: path.steps.dropLast(), of: path)).\(column)"
    }

    /// Returns GROUP BY and HAVING.
    mutating func grouping() throws(FetchError) -> SQLText {
        var grouping = SQLText()
        if fetch.groups.isEmpty { return grouping }
        grouping.append(" GROUP BY ")
        for (index, path) in fetch.groups.enumerated() {
            if index > 0 { grouping.append(", ") }
            grouping.append(compiled: try column(path))
        }
        if let having = fetch.having {
            grouping.append(" HAVING ")
            try append(having, to: &grouping, isOperand: false)
        }
        return grouping
    }

    /// **Value.** The use of an aggregate's SQL.
    enum AggregateUse {
        /// Shown in a column: decimals are exact, as text.
        case shown
        /// Used to sort rows: a number.
        case sorted
        /// Compared in a condition: the same number that the in-memory evaluator compares, to the last digit.
        case compared
    }

    mutating func aggregate(_ selection: ResolvedSelection, use: AggregateUse) throws(FetchError) -> SQLText {
        guard let function = selection.function else { return try comparable(selection.expression) }
        if selection.isObjectCount { return SQLText(compiled: "COUNT(*)") }
        let kind = selection.expression.operandKind
        guard let own = selection.ownAggregate(use) else {
            var text = SQLText(compiled: "\(function.plainSQL(of: kind) ?? "")(")
            text.append(try comparable(selection.expression))
            text.append(")")
            return text
        }
        var text = SQLText(compiled: "\(own.name)(")
        text.append(try comparable(selection.expression))
        text.append(compiled: ", '\(kind.letter)')")
        return text
    }

    /// Returns the SQL of a collection operator's value, inside the SELECT over the collection.
    mutating func operatorValue(
        _ function: FetchRequest.Selection.Function, over path: ResolvedPath
    ) throws(FetchError) -> String {
        let value = try column(path)
        return switch function {
        case .sum: "COALESCE(\(SQLAggregate.comparedSum.call(value, kind: path.kind)), 0)"
        case .average: SQLAggregate.comparedAverage.call(value, kind: path.kind)
        case .minimum: "MIN(\(value))"
        case .maximum: "MAX(\(value))"
        default: preconditionFailure("\(function.name) is not a collection operator of a key path")
        }
    }
}

extension ResolvedSelection {
    /// Returns the aggregate that the column calls in place of SQL's own, or `nil` if it calls none.
    func ownAggregate(_ use: SelectCompiler.AggregateUse) -> SQLAggregate? {
        guard let function else { return nil }
        let kind = expression.operandKind
        let isOwn = kind == .decimal || path == nil || use == .compared || function.plainSQL(of: kind) == nil
        return isOwn ? SQLAggregate(function, isCompared: use != .shown) : nil
    }
}

extension FetchRequest.Selection.Function {
    /// Returns SQL's own aggregate, or `nil` if SQL has none or if it may fail: SUM() of integers fails as soon as an
    /// intermediate sum exceeds 64 bits. The last digits of a sum of doubles depend on the order of its rows, which does not
    /// matter where the sum is only shown.
    fileprivate func plainSQL(of kind: ValueKind) -> String? {
        switch self {
        case .count: "COUNT"
        case .minimum: "MIN"
        case .maximum: "MAX"
        case .sum: kind == .integer ? nil : "SUM"
        case .average: "AVG"
        case .standardDeviation, .median: nil
        }
    }
}
