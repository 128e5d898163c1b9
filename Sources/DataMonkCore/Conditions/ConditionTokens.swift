/// **Value.** A condition as a sequence of tokens, each parent before its children. Comparing and hashing use the tokens.
///
/// Nodes yet to be visited are kept on a stack, so that trees of any depth are compared without recursion.
struct ConditionTokens: Sequence, IteratorProtocol {
    /// **Value.** The content of one node, with the number of its children.
    enum Token: Hashable {
        case constant(Bool)
        case and(Int)
        case or(Int)
        case not
        case comparison(Condition.Comparison.Operator, Condition.Comparison.Modifier, Condition.Comparison.Options)
        case keyPath(String)
        case value(ManagedValue)
        case object
        case variable(String)
        case path(String)
        case list(Int)
        case function(ConditionExpression.Function, Int)
        case first
        case last
        case size
        case at
        case subquery(String)
        case conditional
    }

    private enum Node {
        case condition(Condition)
        case expression(ConditionExpression)
    }

    private var nodes: [Node]

    init(_ condition: Condition) { nodes = [.condition(condition)] }

    init(_ expression: ConditionExpression) { nodes = [.expression(expression)] }

    mutating func next() -> Token? {
        switch nodes.popLast() {
        case .condition(let condition): token(condition)
        case .expression(let expression): token(expression)
        case nil: nil
        }
    }

    private mutating func token(_ condition: Condition) -> Token {
        switch condition {
        case .constant(let isTrue): return .constant(isTrue)
        case .and(let parts):
            nodes += parts.map { .condition($0) }
            return .and(parts.count)
        case .or(let parts):
            nodes += parts.map { .condition($0) }
            return .or(parts.count)
        case .not(let inner):
            nodes.append(.condition(inner[0]))
            return .not
        case .comparison(let comparison):
            nodes += [.expression(comparison.left), .expression(comparison.right)]
            return .comparison(comparison.operation, comparison.modifier, comparison.options)
        }
    }

    private mutating func token(_ expression: ConditionExpression) -> Token {
        switch expression {
        case .keyPath(let keyPath): return .keyPath(keyPath)
        case .value(let value): return .value(value)
        case .object: return .object
        case .variable(let name): return .variable(name)
        case .path(let start, let keyPath):
            nodes.append(.expression(start))
            return .path(keyPath)
        case .list(let elements):
            nodes += elements.map { .expression($0) }
            return .list(elements.count)
        case .function(let function, let arguments):
            nodes += arguments.map { .expression($0) }
            return .function(function, arguments.count)
        case .element(let element, let collection):
            nodes.append(.expression(collection))
            return token(element)
        case .subquery(let collection, let variable, let condition):
            nodes += [.expression(collection), .condition(condition)]
            return .subquery(variable)
        case .conditional(let condition, let first, let second):
            nodes += [.condition(condition), .expression(first), .expression(second)]
            return .conditional
        }
    }

    private mutating func token(_ element: ConditionExpression.Element) -> Token {
        switch element {
        case .first: return .first
        case .last: return .last
        case .size: return .size
        case .at(let index):
            nodes.append(.expression(index))
            return .at
        }
    }
}

extension Condition: Hashable {
    /// Returns `true` if both are the same tree.
    public static func == (left: Condition, right: Condition) -> Bool {
        ConditionTokens(left).elementsEqual(ConditionTokens(right))
    }

    /// Hashes the tree.
    public func hash(into hasher: inout Hasher) {
        for token in ConditionTokens(self) { hasher.combine(token) }
    }
}

extension ConditionExpression: Hashable {
    /// Returns `true` if both are the same tree.
    public static func == (left: ConditionExpression, right: ConditionExpression) -> Bool {
        ConditionTokens(left).elementsEqual(ConditionTokens(right))
    }

    /// Hashes the tree.
    public func hash(into hasher: inout Hasher) {
        for token in ConditionTokens(self) { hasher.combine(token) }
    }
}
