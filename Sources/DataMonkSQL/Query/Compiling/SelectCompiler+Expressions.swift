import DataMonkCore

// Expressions as SQL. Calculations are done by the engine's own functions, so that the results are the same as in memory.

extension SelectCompiler {
    /// Returns the SQL of an expression that is not a constant, as a value that compares according to its kind.
    mutating func comparable(_ expression: ResolvedExpression) throws(FetchError) -> SQLText {
        switch expression {
        case .path(let path): return SQLText(compiled: try column(path))
        case .selection(let position, _):
            return try aggregate(fetch.selections[position], use: .compared)
        case .constant(let value):
            var text = SQLText()
            text.bind(SQLBinding(value))
            return text
        case .calculation(let calculation): return try calculated(calculation)
        case .conditional(let condition, let first, let second, let kind):
            var text = SQLText()
            try inside(5) { compiler throws(FetchError) in
                text.append("CASE WHEN ")
                try compiler.append(condition, to: &text, isOperand: false)
                text.append(" THEN ")
                text.append(try compiler.comparable(first))
                text.append(" ELSE ")
                text.append(try compiler.comparable(second))
                text.append(" END")
            }
            // Without a collation here, SQLite takes one from anywhere inside, even from the condition.
            if kind == .string { text.append(" COLLATE BINARY") }
            return text
        case .subquery(let subquery): return try selected(subquery)
        }
    }

    private mutating func calculated(_ calculation: ResolvedCalculation) throws(FetchError) -> SQLText {
        var text = SQLText()
        text.append(compiled: "\(SQLFunction.calculate.name)('\(calculation.function.rawValue)', '")
        text.append(compiled: String(calculation.operands.map(\.operandKind.letter)))
        text.append("'")
        try inside(5) { compiler throws(FetchError) in
            for operand in calculation.operands {
                text.append(", ")
                text.append(try compiler.comparable(operand))
            }
        }
        text.append(")")
        return text
    }

    /// Returns a SELECT of an aggregate over the objects of a collection that satisfy a condition.
    private mutating func selected(_ subquery: ResolvedSubquery) throws(FetchError) -> SQLText {
        let opened = try open(subquery.collection, keyOnly: false)
        variableScopes.append(scopes.count - 1)
        let aggregate =
            if let value = subquery.value { try operatorValue(subquery.aggregate, over: value) } else { "COUNT(*)" }
        var condition = SQLText()
        try inside(9) { compiler throws(FetchError) in
            try compiler.append(subquery.condition, to: &condition, isOperand: true)
        }
        variableScopes.removeLast()
        var text = SQLText(compiled: "(SELECT \(aggregate)\(scopes.removeLast().from) WHERE \(opened.link) AND ")
        text.append(condition)
        // A to-one at the end may be `nil`, which is not an object.
        if subquery.collection.steps.last?.isToMany == false { text.append(compiled: " AND \(opened.key) IS NOT NULL") }
        text.append(")")
        return text
    }
}
