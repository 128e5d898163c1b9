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
            list.append(try figure(selection, isCompared: false))
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

    /// The SQL of a selection.
    ///
    /// - Parameter isCompared: it is compared or sorted, so a decimal must be a number, not its exact text.
    mutating func figure(_ selection: ResolvedSelection, isCompared: Bool) throws(FetchError) -> SQLText {
        guard let function = selection.function else { return try comparable(selection.expression) }
        if function == .count, let path = selection.path, path.steps.isEmpty, case .object = path.terminal {
            return SQLText(compiled: "COUNT(*)")
        }
        let kind = selection.expression.kind ?? .dynamic
        let isDecimal = kind == .decimal
        let (name, isExact): (String, Bool) =
            switch function {
            case .count: ("COUNT", false)
            case .minimum: ("MIN", false)
            case .maximum: ("MAX", false)
            case .sum: isDecimal ? (SQLAggregate.decimalSum.name, true) : ("SUM", false)
            case .average: isDecimal ? (SQLAggregate.decimalAverage.name, true) : ("AVG", false)
            case .standardDeviation: (SQLAggregate.standardDeviation.name, false)
            case .median: Self.median(kind)
            }
        var text = SQLText(compiled: isExact && isCompared ? "CAST(\(name)(" : "\(name)(")
        text.append(try comparable(selection.expression))
        text.append(isExact && isCompared ? ") AS REAL)" : ")")
        return text
    }

    private static func median(_ kind: ValueKind) -> (String, Bool) {
        switch kind {
        case .decimal: (SQLAggregate.decimalMedian.name, true)
        case .integer, .boolean: (SQLAggregate.wholeMedian.name, false)
        default: (SQLAggregate.realMedian.name, false)
        }
    }

    /// The SQL of a collection operator's value, in the SELECT over the collection.
    mutating func operatorValue(
        _ function: FetchRequest.Selection.Function, _ path: ResolvedPath
    ) throws(FetchError) -> String {
        let value = try column(path)
        let isDecimal = path.kind == .decimal
        return switch function {
        case .sum where isDecimal: "COALESCE(CAST(\(SQLAggregate.decimalSum.name)(\(value)) AS REAL), 0)"
        case .average where isDecimal: "CAST(\(SQLAggregate.decimalAverage.name)(\(value)) AS REAL)"
        case .sum where path.kind == .integer: "\(SQLAggregate.wholeSum.name)(\(value))"
        case .sum: "COALESCE(SUM(\(value)), 0)"
        case .average: "AVG(\(value))"
        case .minimum: "MIN(\(value))"
        case .maximum: "MAX(\(value))"
        default: preconditionFailure("\(function.name) is no collection operator of a key path.")
        }
    }
}
