import DataMonkCore

// Values in the JSON of a column, by SQLite's functions for JSON. These fail for a text that is not JSON, so they never get
// one: such a text has no values.

extension SelectCompiler {
    /// Appends a condition that is true if one of the elements of a value meets a comparison or, for ALL, fails to.
    mutating func append(
        _ comparison: ResolvedComparison, ofElementsOf member: ResolvedMember, at path: ResolvedPath, right: SQLText?,
        to text: inout SQLText
    ) throws(FetchError) {
        guard path.steps.contains(where: \.isToMany) else {
            let column = "\(try alias(after: path.steps[...], of: path)).\(try column(member.attribute))"
            return try append(comparison, ofElementsOf: member, in: column, right: right, to: &text)
        }
        try exists(path, isAlone: false, to: &text) { compiler, column, inner throws(FetchError) in
            try compiler.append(comparison, ofElementsOf: member, in: column, right: right, to: &inner)
        }
    }

    private mutating func append(
        _ comparison: ResolvedComparison, ofElementsOf member: ResolvedMember, in column: String, right: SQLText?,
        to text: inout SQLText
    ) throws(FetchError) {
        let element = nextAlias()
        text.append(
            compiled: "EXISTS (SELECT 1 FROM json_each(\(column.ifJSON(column)), \(member.path)) \(element) WHERE ")
        let value = SQLText(compiled: member.typed("\(element).value", type: "\(element).type"))
        if comparison.quantifier == .all { text.append("(") }
        try append(comparison, left: value, right: right, to: &text)
        if comparison.quantifier == .all { text.append(") IS NOT TRUE") }
        text.append(")")
    }
}

extension ResolvedMember {
    /// Returns the SQL of the value in a column's JSON; of a member's elements, the column itself.
    func sql(in column: String) -> String {
        switch form {
        case .elements: column
        case .count: column.ifJSON("json_array_length(\(column), \(path))")
        case .value:
            column.ifJSON(typed("json_extract(\(column), \(path))", type: "json_type(\(column), \(path))"))
        }
    }

    /// The path as a literal, such as `'$."size"."width"'`.
    fileprivate var path: String {
        let steps = names.map { ".\"\($0.replacing("'", with: "''"))\"" }
        return "'$\(steps.joined())'"
    }

    /// Returns a value if it is of the wanted type.
    ///
    /// - Parameter type: The SQL of the name that SQLite gives to the value's type.
    fileprivate func typed(_ value: String, type: String) -> String {
        switch wanted {
        case .boolean: "CASE WHEN \(type) IN ('true', 'false') THEN \(value) END"
        case .string: "CASE \(type) WHEN 'text' THEN \(value) END"
        case .floating, .date: "CASE WHEN \(type) IN ('integer', 'real') THEN \(value) END"
        default: value
        }
    }
}

extension String {
    /// Returns the SQL of a value, which is NULL if this column does not hold JSON.
    fileprivate func ifJSON(_ value: String) -> String { "CASE WHEN json_valid(\(self)) THEN \(value) END" }
}
