import DataMonkCore

// Expressions as SQL. What is worked out is worked out by the engine's own functions, so that the answer is the same.

extension SelectCompiler {
    /// The SQL of an expression that is no constant, as a value that compares in its kind.
    mutating func comparable(_ expression: ResolvedExpression) throws(FetchError) -> SQLText {
        switch expression {
        case .path(let path): return SQLText(compiled: try column(path))
        case .selection(let position, _):
            return try figure(fetch.selections[position], isCompared: true)
        case .constant(let value):
            var text = SQLText()
            text.bind(SQLBinding(value))
            return text
        case .calculation(let calculation): return try calculated(calculation)
        case .conditional(let condition, let first, let second, _):
            var text = SQLText()
            text.append("CASE WHEN ")
            try append(condition, to: &text, isOperand: false)
            text.append(" THEN ")
            text.append(try comparable(first))
            text.append(" ELSE ")
            text.append(try comparable(second))
            text.append(" END")
            return text
        case .subquery(let subquery): return try selected(subquery)
        }
    }

    private mutating func calculated(_ calculation: ResolvedCalculation) throws(FetchError) -> SQLText {
        var text = SQLText()
        let kinds = calculation.operands.map(SQLOperandKind.init)
        text.append(compiled: "\(SQLFunction.calculate.name)('\(calculation.function.rawValue)', '")
        text.append(compiled: String(kinds.map(\.rawValue)))
        text.append("'")
        for operand in calculation.operands {
            text.append(", ")
            text.append(try comparable(operand))
        }
        text.append(")")
        return text
    }

    /// A SELECT of a figure about the objects of a collection of which a condition is true.
    private mutating func selected(_ subquery: ResolvedSubquery) throws(FetchError) -> SQLText {
        let opened = try open(subquery.collection, keyOnly: false)
        variableScopes.append(scopes.count - 1)
        let figure =
            if let value = subquery.value { try operatorValue(subquery.figure, value) } else { "COUNT(*)" }
        var condition = SQLText()
        try append(subquery.condition, to: &condition, isOperand: true)
        variableScopes.removeLast()
        var text = SQLText(compiled: "(SELECT \(figure)\(scopes.removeLast().from) WHERE \(opened.link) AND ")
        text.append(condition)
        text.append(")")
        return text
    }
}
