/// **Value.** Evaluates conditions and expressions of plain data: as NSPredicate does in memory, without a model.
///
/// Only the walk is here. What a comparison, a function or a figure is of two values is the engine's one implementation
/// of it, `ValueComparison`, `Calculation` and `Figure`.
struct PlainEvaluator {
    /// What keys and SELF mean.
    let object: PlainValue
    /// What `$name` means.
    var variables: [String: PlainValue]
    /// How deep the walk is.
    private var depth = 0

    init(_ object: PlainValue, variables: [String: PlainValue]) {
        self.object = object
        self.variables = variables
    }

    /// Whether the condition is true of the data.
    func isTrue(_ condition: Condition) throws(FetchError) -> Bool {
        let deeper = try deeper()
        switch condition {
        case .constant(let isTrue): return isTrue
        case .comparison(let comparison): return try deeper.isTrue(comparison)
        case .and(let parts):
            for part in parts where try !deeper.isTrue(part) { return false }
            return true
        case .or(let parts):
            for part in parts where try deeper.isTrue(part) { return true }
            return false
        case .not(let inner): return try !deeper.isTrue(inner)
        }
    }

    /// The walk is recursive, and threads have small stacks.
    private func deeper() throws(FetchError) -> PlainEvaluator {
        guard depth < ConditionResolver.maximumDepth else {
            throw FetchError(
                .invalidRequest,
                "The condition is nested more than \(ConditionResolver.maximumDepth) levels deep: join its parts flatly."
            )
        }
        var deeper = self
        deeper.depth += 1
        return deeper
    }

    // MARK: Comparisons

    private func isTrue(_ comparison: Condition.Comparison) throws(FetchError) -> Bool {
        let left = try value(of: comparison.left)
        let right = try value(of: comparison.right)
        guard comparison.modifier != .direct else { return try PlainComparison.holds(left, comparison, right) }
        // ANY looks for one that fits, ALL for one that does not.
        let sought = comparison.modifier != .all
        var isFound = false
        for element in left.elements ?? (left == .null ? [] : [left])
        where try PlainComparison.holds(element, comparison, right) == sought {
            isFound = true
            break
        }
        return comparison.modifier == .any ? isFound : !isFound
    }

    // MARK: Expressions

    /// The value of the expression for the data.
    func value(of expression: ConditionExpression) throws(FetchError) -> PlainValue {
        switch expression {
        case .value(let value): return PlainValue(value)
        case .object: return object
        case .keyPath(let keyPath): return try PlainPath(keyPath).value(of: object)
        case .variable(let name):
            if let value = variables[name] { return value }
            throw FetchError(.unsupportedCondition, "The variable $\(name) has no value: substitute one.")
        default: return try deeper().nestedValue(of: expression)
        }
    }

    private func nestedValue(of expression: ConditionExpression) throws(FetchError) -> PlainValue {
        switch expression {
        case .path(let start, let keyPath): return try PlainPath(keyPath).value(of: value(of: start))
        case .list(let elements): return .list(try values(of: elements))
        case .function(let function, let arguments):
            return try Self.value(of: function, try values(of: arguments), expression)
        case .element(let element, let collection):
            return try self.element(element, of: try value(of: collection), expression)
        case .subquery(let collection, let variable, let condition):
            return try members(of: try value(of: collection), variable, condition)
        case .conditional(let condition, let first, let second):
            return try isTrue(condition) ? value(of: first) : value(of: second)
        case .value, .object, .keyPath, .variable: return .null
        }
    }

    private func values(of expressions: [ConditionExpression]) throws(FetchError) -> [PlainValue] {
        var values: [PlainValue] = []
        values.reserveCapacity(expressions.count)
        for expression in expressions { values.append(try value(of: expression)) }
        return values
    }

    private func members(
        of collection: PlainValue, _ variable: String, _ condition: Condition
    ) throws(FetchError) -> PlainValue {
        if collection == .null { return .null }
        guard let elements = collection.elements else {
            throw FetchError(.unsupportedCondition, "SUBQUERY needs a list, not \(collection.kind).")
        }
        var inner = self
        var members: [PlainValue] = []
        for element in elements {
            inner.variables[variable] = element
            if try inner.isTrue(condition) { members.append(element) }
        }
        return .list(members)
    }

    private func element(
        _ element: ConditionExpression.Element, of collection: PlainValue, _ source: ConditionExpression
    ) throws(FetchError) -> PlainValue {
        switch (collection, element) {
        case (.value(.null), _): return .null
        case (.list(let elements), .first): return elements.first ?? .null
        case (.list(let elements), .last): return elements.last ?? .null
        case (.list(let elements), .size): return .value(.int(Int64(elements.count)))
        case (.dictionary(let values), .size): return .value(.int(Int64(values.count)))
        case (.list(let elements), .at(let index)):
            if case .value(.int(let position)) = try value(of: index), position >= 0 {
                return position < Int64(elements.count) ? elements[Int(position)] : .null
            }
        case (.dictionary(let values), .at(let key)):
            if case .value(.string(let key)) = try value(of: key) { return values[key] ?? .null }
        default: break
        }
        throw FetchError(
            .unsupportedCondition,
            "`\(source.outline)` asks for no element of \(collection.kind): a list has FIRST, LAST, SIZE and positions from "
                + "0 on, a dictionary has SIZE and keys.")
    }

    // MARK: Functions

    private static func value(
        of function: ConditionExpression.Function, _ arguments: [PlainValue], _ source: ConditionExpression
    ) throws(FetchError) -> PlainValue {
        if function == .now { return .value(Calculation.now) }
        if let set = try PlainSet.value(of: function, arguments) { return set }
        let operands = function.figure == nil ? arguments : arguments.first?.elements ?? arguments
        let values = operands.compactMap(\.managedValue)
        let isKnown = values.count == operands.count && !values.contains { if case .list = $0 { true } else { false } }
        guard isKnown, function.kind(of: values.map { ValueKind($0) }) != nil || values.allSatisfy(\.isNull) else {
            throw FetchError(
                .notComparable,
                "`\(source.outline)` cannot be worked out: \(function.rawValue) does not take "
                    + operands.prefix(8).map(\.kind).joined(separator: " and ") + ".")
        }
        return .value(Calculation.value(of: function, values))
    }
}

extension PlainValue {
    /// The elements of a list, nil for everything else.
    var elements: [PlainValue]? {
        switch self {
        case .list(let elements): elements
        case .value(.list(let values)): values.map { PlainValue($0) }
        case .value, .dictionary: nil
        }
    }
}
