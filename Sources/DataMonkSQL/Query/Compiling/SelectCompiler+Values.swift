import DataMonkCore

// Rows of values: columns, figures, grouping.

extension SelectCompiler {
    /// The columns of the selections, with what they mean.
    mutating func valueList() throws(FetchError) -> (SQLText, [ValueColumn]) {
        var list = SQLText()
        var columns: [ValueColumn] = []
        var position = 0
        for selection in fetch.selections {
            if position > 0 { list.append(", ") }
            try refuseUnreadable(selection)
            list.append(try figure(selection, .shown))
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
            "\(attribute.entity.name).\(attribute.name) may lie in a file of its own, which a row of values cannot hold: "
                + "fetch the object.",
            entityName: attribute.entity.name, keyPath: attribute.name)
    }

    /// The column with the entity number of the object at a path, nil where it can be of one entity only.
    private mutating func numberColumn(_ path: ResolvedPath) throws(FetchError) -> String? {
        guard let last = path.steps.last else {
            return try schema.storage(of: path.entity).sharesTable ? "\(try alias(after: [], of: path)).Z_ENT" : nil
        }
        guard let column = try entityColumn(last) else { return nil }
        return "\(try alias(after: path.steps.dropLast(), of: path)).\(column)"
    }

    /// GROUP BY and HAVING.
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

    /// **Value.** What the SQL of a figure is for.
    enum FigureUse {
        /// A column shows it: decimals are exact, a text.
        case shown
        /// Rows are sorted by it: it is a number.
        case sorted
        /// A condition compares it: it is the number that memory compares, to the last digit.
        case compared
    }

    /// The SQL of a selection.
    mutating func figure(_ selection: ResolvedSelection, _ use: FigureUse) throws(FetchError) -> SQLText {
        guard let function = selection.function else { return try comparable(selection.expression) }
        if function == .count, let path = selection.path, path.steps.isEmpty, case .object = path.terminal {
            return SQLText(compiled: "COUNT(*)")
        }
        let kind = selection.expression.operandKind
        let isOwn = kind == .decimal || selection.path == nil || use == .compared || function.plainSQL(of: kind) == nil
        guard isOwn, let own = SQLAggregate(function, isCompared: use != .shown) else {
            var text = SQLText(compiled: "\(function.plainSQL(of: kind) ?? "")(")
            text.append(try comparable(selection.expression))
            text.append(")")
            return text
        }
        var text = SQLText(compiled: "\(own.name)(")
        text.append(try comparable(selection.expression))
        text.append(compiled: ", '\(SQLOperandKind(kind).rawValue)')")
        return text
    }

    /// The SQL of a collection operator's value, in the SELECT over the collection.
    mutating func operatorValue(
        _ function: FetchRequest.Selection.Function, _ path: ResolvedPath
    ) throws(FetchError) -> String {
        let value = try column(path)
        return switch function {
        case .sum: "COALESCE(\(SQLAggregate.comparedSum.call(value, path.kind)), 0)"
        case .average: SQLAggregate.comparedAverage.call(value, path.kind)
        case .minimum: "MIN(\(value))"
        case .maximum: "MAX(\(value))"
        default: preconditionFailure("\(function.name) is no collection operator of a key path.")
        }
    }
}

extension FetchRequest.Selection.Function {
    /// SQL's own aggregate, nil where it has none, or fails: SUM() of whole numbers on the way to a sum beyond 64 bits. A sum
    /// of doubles depends on the order of its rows in the last digits, which nobody sees where it is only shown.
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
