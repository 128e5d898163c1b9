/// **Value.** Finds the variables of a condition that need a value: those that are not the variable of an enclosing
/// subquery.
///
/// Nodes yet to be visited are kept on a stack, so that trees of any depth are read without recursion.
struct VariableScan {
    private enum Node {
        case condition(Condition, bound: Set<String>)
        case expression(ConditionExpression, bound: Set<String>)
    }

    private var nodes: [Node]
    private var found: Set<String> = []

    init(_ condition: Condition) { nodes = [.condition(condition, bound: [])] }

    /// Returns the names, without duplicates.
    mutating func names() -> Set<String> {
        while let node = nodes.popLast() {
            switch node {
            case .condition(let condition, let bound): look(at: condition, bound)
            case .expression(let expression, let bound): look(at: expression, bound)
            }
        }
        return found
    }

    private mutating func look(at condition: Condition, _ bound: Set<String>) {
        switch condition {
        case .constant: return
        case .comparison(let comparison): push([comparison.left, comparison.right], bound)
        case .and(let parts), .or(let parts), .not(let parts):
            for part in parts { nodes.append(.condition(part, bound: bound)) }
        }
    }

    private mutating func look(at expression: ConditionExpression, _ bound: Set<String>) {
        switch expression {
        case .keyPath, .value, .object: return
        case .variable(let name): if !bound.contains(name) { found.insert(name) }
        case .path(let start, _): push([start], bound)
        case .list(let elements), .function(_, let elements): push(elements, bound)
        case .element(.at(let position), let collection): push([position, collection], bound)
        case .element(_, let collection): push([collection], bound)
        case .subquery(let collection, let variable, let condition):
            push([collection], bound)
            nodes.append(.condition(condition, bound: bound.union([variable])))
        case .conditional(let condition, let first, let second):
            nodes.append(.condition(condition, bound: bound))
            push([first, second], bound)
        }
    }

    private mutating func push(_ expressions: [ConditionExpression], _ bound: Set<String>) {
        for expression in expressions { nodes.append(.expression(expression, bound: bound)) }
    }
}
