/// **Value.** Writes conditions and expressions as format strings.
///
/// Parts yet to be written are kept on a stack, next one on top, so that conditions of any depth are written without
/// recursion.
struct FormatWriter {
    /// **Value.** A part to write.
    enum Part {
        case text(String)
        /// A condition, and the operator of which it is an operand, if any, which decides on parentheses.
        case condition(Condition, within: FormatOperator?)
        case expression(ConditionExpression)
    }

    private let showsConstants: Bool
    private var parts: [Part]
    private var written = ""

    /// Returns the part as a format string.
    static func text(of part: Part, showsConstants: Bool = true) -> String {
        var writer = FormatWriter(showsConstants: showsConstants, parts: [part])
        while let part = writer.parts.popLast() {
            switch part {
            case .text(let text): writer.written += text
            case .condition(let condition, let outer): writer.write(condition, within: outer)
            case .expression(let expression): writer.write(expression)
            }
        }
        return writer.written
    }

    /// Pushes parts onto the stack, so that they are written in order.
    private mutating func push(_ next: [Part]) { parts.append(contentsOf: next.reversed()) }

    // MARK: Conditions

    private mutating func write(_ condition: Condition, within outer: FormatOperator?) {
        switch condition {
        case .constant(let isTrue): written += isTrue ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case .comparison(let comparison):
            push([
                .text(comparison.modifier.prefix), .expression(comparison.left),
                .text(" \(comparison.operation.symbol)\(comparison.options.suffix) "), .expression(comparison.right),
            ])
        case .not(let parts):
            let inner = parts[0]
            switch inner {
            case .not, .constant: push([.text("NOT "), .condition(inner, within: nil)])
            default: push([.text("NOT ("), .condition(inner, within: nil), .text(")")])
            }
        case .and(let parts): join(parts.elements, by: .and, within: outer)
        case .or(let parts): join(parts.elements, by: .or, within: outer)
        }
    }

    private mutating func join(_ conditions: [Condition], by joint: FormatOperator, within outer: FormatOperator?) {
        switch conditions.count {
        case 0: written += joint == .and ? "TRUEPREDICATE" : "FALSEPREDICATE"
        case 1: parts.append(.condition(conditions[0], within: outer))
        default:
            let list = separated(conditions.map { .condition($0, within: joint) }, by: joint == .and ? " AND " : " OR ")
            push(outer == nil ? list : [.text("(")] + list + [.text(")")])
        }
    }

    private func separated(_ parts: [Part], by separator: String) -> [Part] {
        var list: [Part] = []
        list.reserveCapacity(parts.count * 2)
        for (index, part) in parts.enumerated() {
            if index > 0 { list.append(.text(separator)) }
            list.append(part)
        }
        return list
    }

    // MARK: Expressions

    private mutating func write(_ expression: ConditionExpression) {
        switch expression {
        case .keyPath(let keyPath): written += FormatName.keyPath(keyPath)
        case .value(let value): written += showsConstants ? value.format : "…"
        case .object: written += "SELF"
        case .variable(let name): written += FormatName.variable(name)
        case .path(let start, let keyPath):
            push(operand(start) + [.text(".\(FormatName.keyPath(keyPath, isFirst: false))")])
        case .list(let elements):
            push([.text("{")] + separated(elements.map { .expression($0) }, by: ", ") + [.text("}")])
        case .function(let function, let arguments): write(function, arguments: arguments)
        case .element(let element, let collection):
            push(operand(collection) + [.text("[")] + element.parts + [.text("]")])
        case .subquery(let collection, let variable, let condition):
            push([
                .text("SUBQUERY("), .expression(collection), .text(", \(FormatName.variable(variable)), "),
                .condition(condition, within: nil), .text(")"),
            ])
        case .conditional(let condition, let first, let second):
            push([
                .text("TERNARY("), .condition(condition, within: nil), .text(", "), .expression(first), .text(", "),
                .expression(second), .text(")"),
            ])
        }
    }

    private mutating func write(_ function: ConditionExpression.Function, arguments: [ConditionExpression]) {
        if let infix = function.infix, arguments.count == 2 {
            return push(operand(arguments[0]) + [.text(" \(infix) ")] + operand(arguments[1]))
        }
        let list = separated(arguments.map { .expression($0) }, by: ", ")
        push([.text("\(function.rawValue)(")] + list + [.text(")")])
    }

    /// Returns the expression, in parentheses if it is written with an infix operator.
    private func operand(_ expression: ConditionExpression) -> [Part] {
        guard case .function(let function, let arguments) = expression, function.infix != nil, arguments.count == 2
        else {
            return [.expression(expression)]
        }
        return [.text("("), .expression(expression), .text(")")]
    }
}

extension ConditionExpression.Element {
    fileprivate var parts: [FormatWriter.Part] {
        switch self {
        case .first: [.text("FIRST")]
        case .last: [.text("LAST")]
        case .size: [.text("SIZE")]
        case .at(let index): [.expression(index)]
        }
    }
}

extension Condition.Comparison.Modifier {
    fileprivate var prefix: String {
        switch self {
        case .direct: ""
        case .any: "ANY "
        case .all: "ALL "
        case .none: "NONE "
        }
    }
}

extension Condition.Comparison.Options {
    fileprivate var suffix: String {
        var letters = ""
        if contains(.caseInsensitive) { letters += "c" }
        if contains(.diacriticInsensitive) { letters += "d" }
        return letters.isEmpty ? "" : "[\(letters)]"
    }
}
