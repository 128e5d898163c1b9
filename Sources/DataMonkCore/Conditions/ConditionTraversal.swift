/// **Value.** The nodes of a condition, each parent before its children.
///
/// Nodes yet to be visited are kept on a stack, so that trees of any depth are compared, hashed and searched without
/// recursion: recursive comparisons overflow the stack at a few hundred levels on small threads.
struct ConditionTraversal: Sequence, IteratorProtocol {
    /// **Value.** The content of one node, with the number of its children.
    enum Node: Hashable {
        case constant(Bool)
        case and(Int)
        case or(Int)
        case not
        case comparison(Condition.Comparison.Operator, Condition.Comparison.Modifier, Condition.Comparison.Options)
        case keyPath(String)
        case value(ManagedValue)
        case object
        /// A variable, bound if it is the variable of an enclosing subquery.
        case variable(String, isBound: Bool)
        case path(String)
        case list(Int)
        case function(ConditionExpression.Function, Int)
        /// An element. Its position is a child, and `.object` takes its place here.
        case element(ConditionExpression.Element)
        case subquery(String)
        case conditional
    }

    private enum Step {
        case condition(Condition)
        case expression(ConditionExpression)
        /// Begins or ends the scope of a subquery's variable.
        case bind(String, change: Int)
    }

    private var steps: [Step]
    /// The number of enclosing subqueries that have a variable of this name.
    private var bound: [String: Int] = [:]

    init(_ condition: Condition) { steps = [.condition(condition)] }

    init(_ expression: ConditionExpression) { steps = [.expression(expression)] }

    mutating func next() -> Node? {
        while let step = steps.popLast() {
            switch step {
            case .condition(let condition): return visit(condition)
            case .expression(let expression): return visit(expression)
            case .bind(let name, let change): bound[name, default: 0] += change
            }
        }
        return nil
    }

    private mutating func visit(_ condition: Condition) -> Node {
        switch condition {
        case .constant(let isTrue): return .constant(isTrue)
        case .and(let parts):
            steps += parts.map { .condition($0) }
            return .and(parts.count)
        case .or(let parts):
            steps += parts.map { .condition($0) }
            return .or(parts.count)
        case .not(let inner):
            steps.append(.condition(inner[0]))
            return .not
        case .comparison(let comparison):
            steps += [.expression(comparison.left), .expression(comparison.right)]
            return .comparison(comparison.operation, comparison.modifier, comparison.options)
        }
    }

    private mutating func visit(_ expression: ConditionExpression) -> Node {
        switch expression {
        case .keyPath(let keyPath): return .keyPath(keyPath)
        case .value(let value): return .value(value)
        case .object: return .object
        case .variable(let name): return .variable(name, isBound: bound[name, default: 0] > 0)
        case .path(let start, let keyPath):
            steps.append(.expression(start))
            return .path(keyPath)
        case .list(let elements):
            steps += elements.map { .expression($0) }
            return .list(elements.count)
        case .function(let function, let arguments):
            steps += arguments.map { .expression($0) }
            return .function(function, arguments.count)
        case .element(.at(let position), let collection):
            steps += [.expression(position), .expression(collection)]
            return .element(.at(.object))
        case .element(let element, let collection):
            steps.append(.expression(collection))
            return .element(element)
        case .subquery(let collection, let variable, let condition):
            steps += [
                .expression(collection), .bind(variable, change: -1), .condition(condition), .bind(variable, change: 1),
            ]
            return .subquery(variable)
        case .conditional(let condition, let first, let second):
            steps += [.condition(condition), .expression(first), .expression(second)]
            return .conditional
        }
    }
}

extension Condition: Hashable {
    /// Returns `true` if both are the same tree.
    public static func == (left: Condition, right: Condition) -> Bool {
        ConditionTraversal(left).elementsEqual(ConditionTraversal(right))
    }

    /// Hashes the tree.
    public func hash(into hasher: inout Hasher) {
        for node in ConditionTraversal(self) { hasher.combine(node) }
    }
}

extension ConditionExpression: Hashable {
    /// Returns `true` if both are the same tree.
    public static func == (left: ConditionExpression, right: ConditionExpression) -> Bool {
        ConditionTraversal(left).elementsEqual(ConditionTraversal(right))
    }

    /// Hashes the tree.
    public func hash(into hasher: inout Hasher) {
        for node in ConditionTraversal(self) { hasher.combine(node) }
    }
}

extension Condition {
    /// Returns the condition with its direct parts, or the two sides of its comparison, replaced.
    func replacing(
        parts part: (Condition) throws(FetchError) -> Condition,
        expressions side: (ConditionExpression) throws(FetchError) -> ConditionExpression
    ) throws(FetchError) -> Condition {
        switch self {
        case .constant: return self
        case .comparison(var comparison):
            comparison.left = try side(comparison.left)
            comparison.right = try side(comparison.right)
            return .comparison(comparison)
        case .and(let parts): return .and(try parts.elements.map(part))
        case .or(let parts): return .or(try parts.elements.map(part))
        case .not(let parts): return .not(try part(parts[0]))
        }
    }
}

extension ConditionExpression {
    /// Returns the expression with the conditions and expressions directly inside it replaced.
    func replacing(
        parts part: (Condition) throws(FetchError) -> Condition,
        expressions operand: (ConditionExpression) throws(FetchError) -> ConditionExpression
    ) throws(FetchError) -> ConditionExpression {
        switch self {
        case .keyPath, .value, .object, .variable: return self
        case .path(let start, let keyPath): return .path(try operand(start), keyPath)
        case .list(let elements): return .list(try elements.map(operand))
        case .function(let function, let arguments): return .function(function, try arguments.map(operand))
        case .element(.at(let position), let collection):
            return .element(.at(try operand(position)), of: try operand(collection))
        case .element(let element, let collection): return .element(element, of: try operand(collection))
        case .subquery(let collection, let variable, let condition):
            return .subquery(try operand(collection), variable: variable, try part(condition))
        case .conditional(let condition, let first, let second):
            return .conditional(try part(condition), then: try operand(first), else: try operand(second))
        }
    }
}
