/// **Value.** Evaluates conditions and expressions over plain data, without a model, as NSPredicate does in memory.
///
/// This type only walks the tree. Comparisons, functions and aggregates are evaluated by the engine's only implementations
/// of them: `ValueComparison`, `Calculation` and `AggregateAccumulator`.
struct PlainEvaluator {
    /// The value of SELF, and the start of keys.
    let object: ManagedValue
    /// The values of the variables (`$name`).
    var variables: [String: ManagedValue]
    /// The current depth of the walk.
    private var depth = 0

    init(_ object: ManagedValue, variables: [String: ManagedValue]) {
        self.object = object
        self.variables = variables
    }

    /// Returns `true` if the data satisfies the condition.
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
        case .not(let inner): return try !deeper.isTrue(inner[0])
        }
    }

    /// Returns the evaluator for a nested part. The depth is limited because the walk is recursive and threads have small
    /// stacks.
    private func deeper() throws(FetchError) -> PlainEvaluator {
        guard depth < Condition.maximumDepth else { throw .deepCondition(nil) }
        var deeper = self
        deeper.depth += 1
        return deeper
    }

    // MARK: Comparisons

    private func isTrue(_ comparison: Condition.Comparison) throws(FetchError) -> Bool {
        let left = try value(of: comparison.left)
        let right = try value(of: comparison.right)
        guard comparison.modifier != .direct else { return try Self.holds(left, by: comparison, with: right) }
        // ANY looks for a value that satisfies the comparison, ALL for one that does not.
        let sought = comparison.modifier != .all
        var isFound = false
        for element in left.elements ?? (left.isNull ? [] : [left])
        where try Self.holds(element, by: comparison, with: right) == sought {
            isFound = true
            break
        }
        return comparison.modifier == .any ? isFound : !isFound
    }

    /// Returns `true` if the comparison, without its modifier, holds for two values. IN looks among the values of a
    /// dictionary, and nothing is IN `nil`.
    private static func holds(
        _ left: ManagedValue, by comparison: Condition.Comparison, with right: ManagedValue
    ) throws(FetchError) -> Bool {
        var right = right
        if comparison.operation == .isIn {
            if right.isNull { return false }
            if case .dictionary(let values) = right { right = .list(Array(values.values)) }
        }
        return try ValueComparison.compare(left, by: comparison.operation, with: right, options: comparison.options)
    }

    // MARK: Expressions

    /// Returns the value of the expression for the data.
    func value(of expression: ConditionExpression) throws(FetchError) -> ManagedValue {
        switch expression {
        case .value(let value): return value
        case .object: return object
        case .keyPath(let keyPath): return try PlainPath(keyPath).value(of: object)
        case .variable(let name):
            if let value = variables[name] { return value }
            throw FetchError(.unsupportedCondition, "The variable $\(name) has no value. Substitute one.")
        default: return try deeper().nestedValue(of: expression)
        }
    }

    private func nestedValue(of expression: ConditionExpression) throws(FetchError) -> ManagedValue {
        switch expression {
        case .path(let start, let keyPath): return try PlainPath(keyPath).value(of: value(of: start))
        case .list(let elements): return .list(try values(of: elements))
        case .function(let function, let arguments):
            return try Self.value(of: function, arguments: try values(of: arguments), source: expression)
        case .element(let element, let collection):
            return try self.element(element, of: try value(of: collection), source: expression)
        case .subquery(let collection, let variable, let condition):
            return try members(of: try value(of: collection), variable: variable, satisfying: condition)
        case .conditional(let condition, let first, let second):
            return try isTrue(condition) ? value(of: first) : value(of: second)
        case .value, .object, .keyPath, .variable: return .null
        }
    }

    private func values(of expressions: [ConditionExpression]) throws(FetchError) -> [ManagedValue] {
        try expressions.map { expression throws(FetchError) in try value(of: expression) }
    }

    private func members(
        of collection: ManagedValue, variable: String, satisfying condition: Condition
    ) throws(FetchError) -> ManagedValue {
        if collection.isNull { return .null }
        guard let elements = collection.elements else {
            throw FetchError(.unsupportedCondition, "SUBQUERY requires a list, not \(collection.kind).")
        }
        var inner = self
        var members: [ManagedValue] = []
        for element in elements {
            inner.variables[variable] = element
            if try inner.isTrue(condition) { members.append(element) }
        }
        return .list(members)
    }

    private func element(
        _ element: ConditionExpression.Element, of collection: ManagedValue, source: ConditionExpression
    ) throws(FetchError) -> ManagedValue {
        switch (collection, element) {
        case (.null, _): return .null
        case (.list(let elements), .first): return elements.first ?? .null
        case (.list(let elements), .last): return elements.last ?? .null
        case (.list(let elements), .size): return .int(Int64(elements.count))
        case (.dictionary(let values), .size): return .int(Int64(values.count))
        case (.list(let elements), .at(let index)):
            if case .int(let position) = try value(of: index), position >= 0 {
                return position < Int64(elements.count) ? elements[Int(position)] : .null
            }
        case (.dictionary(let values), .at(let key)):
            if case .string(let key) = try value(of: key) { return values[key] ?? .null }
        default: break
        }
        throw FetchError(
            .unsupportedCondition,
            """
            `\(source.outline)` does not exist for \(collection.kind). A list has FIRST, LAST, SIZE and positions \
            from 0, and a dictionary has SIZE and keys.
            """)
    }

    // MARK: Functions

    private static func value(
        of function: ConditionExpression.Function, arguments: [ManagedValue], source: ConditionExpression
    ) throws(FetchError) -> ManagedValue {
        if function == .now { return Calculation.now }
        if let set = try set(function, arguments: arguments) { return set }
        let operands = function.aggregate == nil ? arguments : arguments.first?.elements ?? arguments
        let isKnown = function == .count || !operands.contains(where: \.isContainer)
        guard isKnown, function.kind(of: operands.map { ValueKind($0) }) != nil || operands.allSatisfy(\.isNull) else {
            throw FetchError(
                .notComparable,
                "`\(source.outline)` cannot be computed: \(function.rawValue) does not accept "
                    + operands.prefix(8).map(\.kind).joined(separator: " and ") + ".")
        }
        return Calculation.value(of: function, operands)
    }

    /// Returns the result of UNION, INTERSECT or MINUS: each value once, in the order of the lists. Returns `nil` for every
    /// other function.
    private static func set(
        _ function: ConditionExpression.Function, arguments: [ManagedValue]
    ) throws(FetchError) -> ManagedValue? {
        switch function {
        case .union, .intersection, .difference: break
        default: return nil
        }
        guard arguments.count == 2, let first = arguments[0].elements, let second = arguments[1].elements else {
            throw FetchError(.notComparable, "UNION, INTERSECT and MINUS require two lists.")
        }
        var result: [ManagedValue] = []
        for element in function == .union ? first + second : first {
            let isWanted =
                switch function {
                case .intersection: try ValueComparison.compare(element, by: .isIn, with: .list(second))
                case .difference: try !ValueComparison.compare(element, by: .isIn, with: .list(second))
                default: true
                }
            if isWanted, try !ValueComparison.compare(element, by: .isIn, with: .list(result)) {
                result.append(element)
            }
        }
        return .list(result)
    }
}

extension ManagedValue {
    /// The elements of a list, or `nil` for any other value.
    var elements: [ManagedValue]? { if case .list(let elements) = self { elements } else { nil } }

    fileprivate var isContainer: Bool {
        switch self {
        case .list, .dictionary: true
        default: false
        }
    }
}
