import Foundation

/// **Value.** Reads a format string as a condition or an expression, by precedence climbing.
///
/// Lowest first, each level binding tighter than the one before:
///
///     1  OR  ||
///     2  AND  &&
///     3  NOT  !                                   (before its operand)
///     4  == != < <= > >= IN BETWEEN CONTAINS …    (once: they do not chain; ANY, ALL, NONE before their left side)
///     5  UNION  INTERSECT  MINUS
///     6  +  -
///     7  *  /  %%
///     8  **
///     9  -                                        (before its operand)
///    10  .key  [index]                            (after their operand)
///
/// Parentheses enclose a condition or an expression. The parser decides which one after reading it, so nothing is read
/// twice.
struct FormatParser {
    /// **Value.** The result of parsing a part.
    enum Node {
        case condition(Condition)
        case expression(ConditionExpression)
    }

    private let tokens: [FormatToken]
    private var index = 0
    private var arguments: FormatArguments
    private var depth = 0

    init(_ format: String, arguments: [ManagedValue]) throws(FetchError) {
        var lexer = try FormatLexer(format)
        tokens = try lexer.tokens()
        self.arguments = FormatArguments(arguments)
    }

    /// Parses the whole string as a condition.
    mutating func condition() throws(FetchError) -> Condition {
        let condition = try condition(parse(0), at: 0)
        try finish()
        return condition
    }

    /// Parses the whole string as an expression.
    mutating func expression() throws(FetchError) -> ConditionExpression {
        let expression = try expression(parse(0), at: 0)
        try finish()
        return expression
    }

    private func finish() throws(FetchError) {
        guard token.kind == .end else { throw unexpected("an operator or the end") }
        try arguments.finish(at: token.offset)
    }

    // MARK: Tokens

    private var token: FormatToken { tokens[index] }

    private mutating func advance() { if index < tokens.count - 1 { index += 1 } }

    private mutating func take(_ symbol: String) -> Bool {
        guard token.kind == .symbol(symbol) else { return false }
        advance()
        return true
    }

    private mutating func expect(_ symbol: String) throws(FetchError) {
        guard take(symbol) else { throw unexpected("\"\(symbol)\"") }
    }

    private func unexpected(_ expected: String) -> FetchError {
        if token.kind == .end { return .format("Expected \(expected), found the end.", at: token.offset) }
        if case .name(let name) = token.kind {
            return .format(
                "Expected \(expected), found \"\(name)\". (To use a keyword as a key, write #\(name).)",
                at: token.offset)
        }
        return .format("Expected \(expected).", at: token.offset)
    }

    private func condition(_ node: Node, at offset: Int) throws(FetchError) -> Condition {
        guard case .condition(let condition) = node else {
            throw .format("Expected a condition, found a value. Add a comparison.", at: offset)
        }
        return condition
    }

    private func expression(_ node: Node, at offset: Int) throws(FetchError) -> ConditionExpression {
        guard case .expression(let expression) = node else {
            throw .format("Expected a value, found a condition. Remove the comparison.", at: offset)
        }
        return expression
    }

    private var tooDeep: FetchError {
        .format("The format is nested more than \(Condition.maximumDepth) levels deep. Flatten it.", at: token.offset)
    }
}

// MARK: Operators

extension FormatParser {
    private mutating func parse(_ minimum: Int) throws(FetchError) -> Node {
        depth += 1
        defer { depth -= 1 }
        guard depth <= Condition.maximumDepth else { throw tooDeep }
        let start = token.offset
        var node = try prefix()
        var length = 0
        while let infix = FormatOperator(token.kind), infix.precedence >= minimum {
            advance()
            // Chains of AND and OR are flat; other chains nest as deep as they are long.
            length += 1
            guard length <= Condition.maximumDepth || infix.isLogical else { throw tooDeep }
            node = try join(node, by: infix, at: start)
        }
        return node
    }

    /// Parses an operand that is a condition, of operators that bind at least as tightly as `minimum`.
    private mutating func condition(from minimum: Int) throws(FetchError) -> Condition {
        let start = token.offset
        return try condition(parse(minimum), at: start)
    }

    /// Parses an operand that is a value, of operators that bind at least as tightly as `minimum`.
    private mutating func expression(from minimum: Int) throws(FetchError) -> ConditionExpression {
        let start = token.offset
        return try expression(parse(minimum), at: start)
    }

    private mutating func join(
        _ left: Node, by infix: FormatOperator, at start: Int
    ) throws(FetchError) -> Node {
        switch infix {
        case .or: return .condition(.or(try chain(condition(left, at: start), by: infix)))
        case .and: return .condition(.and(try chain(condition(left, at: start), by: infix)))
        case .comparison(let operation):
            return .condition(try comparison(of: expression(left, at: start), by: operation, modifier: .direct))
        case .function(let function):
            let right = try expression(from: infix.precedence + 1)
            return .expression(.function(function, [try expression(left, at: start), right]))
        }
    }

    private mutating func chain(
        _ first: Condition, by infix: FormatOperator
    ) throws(FetchError) -> [Condition] {
        var parts = [first]
        repeat {
            parts.append(try condition(from: infix.precedence + 1))
            guard FormatOperator(token.kind) == infix else { return parts }
            advance()
        } while true
    }

    private mutating func comparison(
        of left: ConditionExpression, by operation: Condition.Comparison.Operator,
        modifier: Condition.Comparison.Modifier
    ) throws(FetchError) -> Condition {
        let options = try options()
        let right = try expression(from: FormatOperator.aboveComparison)
        return .comparison(.init(left, operation, right, modifier: modifier, options: options))
    }

    private mutating func options() throws(FetchError) -> Condition.Comparison.Options {
        guard take("[") else { return [] }
        guard case .name(let letters) = token.kind else { throw unexpected("c, d or cd") }
        var options: Condition.Comparison.Options = []
        for letter in letters.lowercased() {
            switch letter {
            case "c": options.insert(.caseInsensitive)
            case "d": options.insert(.diacriticInsensitive)
            default: throw .format("There is no option [\(letter)]. Use c and d.", at: token.offset)
            }
        }
        advance()
        try expect("]")
        return options
    }

    /// Parses an operand with the operators before it.
    private mutating func prefix() throws(FetchError) -> Node {
        switch token.kind {
        case .symbol("!"): return try negation()
        case .symbol("-"):
            advance()
            return .expression(try negative())
        case .name(let name):
            switch name.uppercased() {
            case "NOT": return try negation()
            case "ANY", "SOME": return .condition(try quantified(.any))
            case "ALL": return .condition(try quantified(.all))
            case "NONE": return .condition(try quantified(.none))
            default: return try postfix(operand())
            }
        default: return try postfix(operand())
        }
    }

    private mutating func negation() throws(FetchError) -> Node {
        var count = 0
        while true {
            if case .name(let name) = token.kind, name.uppercased() == "NOT" { advance() } else if !take("!") { break }
            count += 1
        }
        guard count <= Condition.maximumDepth else { throw tooDeep }
        var condition = try condition(from: FormatOperator.comparisonPrecedence)
        for _ in 0..<count { condition = .not(condition) }
        return .condition(condition)
    }

    private mutating func negative() throws(FetchError) -> ConditionExpression {
        if case .number(let number) = token.kind {
            let offset = token.offset
            advance()
            // The sign belongs to the number: -5 is a constant.
            guard let value = number.negative else { throw .format("This number is out of range.", at: offset) }
            return try expression(postfix(.expression(.value(value))), at: offset)
        }
        return .function(.subtract, [.value(0), try expression(from: FormatOperator.tightest)])
    }

    private mutating func quantified(
        _ modifier: Condition.Comparison.Modifier
    ) throws(FetchError) -> Condition {
        advance()
        let left = try expression(from: FormatOperator.aboveComparison)
        guard case .comparison(let operation)? = FormatOperator(token.kind) else { throw unexpected("a comparison") }
        advance()
        return try comparison(of: left, by: operation, modifier: modifier)
    }
}

// MARK: Operands

extension FormatParser {
    private mutating func operand() throws(FetchError) -> Node {
        let token = token
        advance()
        switch token.kind {
        case .text(let text): return .expression(.value(.string(text)))
        case .number(let number): return .expression(.value(number.value))
        case .variable(let name): return .expression(.variable(name))
        case .escapedName(let name), .collectionOperator(let name): return .expression(.keyPath(name))
        case .placeholder(let placeholder):
            return .expression(try arguments.next(placeholder, at: token.offset))
        case .symbol("("):
            let node = try parse(0)
            try expect(")")
            return node
        case .symbol("{"): return .expression(ConditionExpression.plainList(try elements(endingWith: "}")))
        case .name(let name):
            if let constant = Self.constants[name.uppercased()] { return constant }
            return try named(name, at: token.offset)
        case .symbol, .end:
            index -= token.kind == .end ? 0 : 1
            throw unexpected("a key or a value")
        }
    }

    private static let constants: [String: Node] = [
        "TRUE": .expression(.value(true)), "YES": .expression(.value(true)), "FALSE": .expression(.value(false)),
        "NO": .expression(.value(false)), "NIL": .expression(.value(.null)), "NULL": .expression(.value(.null)),
        "SELF": .expression(.object), "TRUEPREDICATE": .condition(.constant(true)),
        "FALSEPREDICATE": .condition(.constant(false)),
    ]

    /// Parses a function, a form that looks like one, or a key.
    private mutating func named(_ name: String, at offset: Int) throws(FetchError) -> Node {
        if token.kind == .symbol("(") {
            switch name.uppercased() {
            case "SUBQUERY": return .expression(try subquery())
            case "TERNARY": return .expression(try conditional())
            case "CAST": return .expression(try cast(at: offset))
            case "FUNCTION":
                throw .format(
                    """
                    FUNCTION() calls methods by name, which is not supported. Use a function such as max: or \
                    uppercase:.
                    """,
                    at: offset)
            default: return .expression(try call(name, at: offset))
            }
        }
        if token.kind == .symbol(":") { return .expression(try call(selector(name), at: offset)) }
        guard !FormatName.operators.contains(name.uppercased()) else {
            index -= 1
            throw unexpected("a key or a value")
        }
        return .expression(.keyPath(name))
    }

    private mutating func selector(_ first: String) throws(FetchError) -> String {
        var selector = first
        while take(":") {
            selector += ":"
            guard case .name(let label) = token.kind else { break }
            selector += label
            advance()
        }
        return selector
    }

    private mutating func call(_ selector: String, at offset: Int) throws(FetchError) -> ConditionExpression {
        let list = try parenthesized()
        if selector == "noindex:", let only = list.first, list.count == 1 { return only }
        guard let function = ConditionExpression.Function(spelling: selector) else {
            let nearest = NearestName.find(selector, among: ConditionExpression.Function.allCases.map(\.rawValue))
            throw .format(
                "There is no function \(selector)." + (nearest.map { " Did you mean \($0)?" } ?? ""), at: offset)
        }
        guard list.count == function.argumentCount else {
            throw .format("\(selector) requires \(function.argumentCount) arguments, not \(list.count).", at: offset)
        }
        return .function(function, list)
    }

    private mutating func parenthesized() throws(FetchError) -> [ConditionExpression] {
        try expect("(")
        return try elements(endingWith: ")")
    }

    private mutating func elements(endingWith end: String) throws(FetchError) -> [ConditionExpression] {
        var elements: [ConditionExpression] = []
        if take(end) { return elements }
        repeat {
            elements.append(try expression(from: 0))
        } while take(",")
        try expect(end)
        return elements
    }

    private mutating func subquery() throws(FetchError) -> ConditionExpression {
        try expect("(")
        let collection = try expression(from: 0)
        try expect(",")
        guard case .variable(let name) = token.kind else { throw unexpected("a variable, such as $x,") }
        advance()
        try expect(",")
        let condition = try condition(from: 0)
        try expect(")")
        return .subquery(collection, variable: name, condition)
    }

    private mutating func conditional() throws(FetchError) -> ConditionExpression {
        try expect("(")
        let condition = try condition(from: 0)
        try expect(",")
        let first = try expression(from: 0)
        try expect(",")
        let second = try expression(from: 0)
        try expect(")")
        return .conditional(condition, then: first, else: second)
    }

    /// Parses a constant for which the grammar has no other form: `CAST(0.5, "NSDate")`.
    private mutating func cast(at offset: Int) throws(FetchError) -> ConditionExpression {
        let list = try parenthesized()
        guard list.count == 2, case .value(let value) = list[0], case .value(.string(let type)) = list[1] else {
            throw .format("CAST requires a constant and the name of a type in quotes.", at: offset)
        }
        guard let cast = FormatCast(rawValue: type) else {
            let names = FormatCast.allCases.map(\.rawValue).joined(separator: ", ")
            throw .format("CAST does not support that type. Use \(names).", at: offset)
        }
        guard let constant = cast.value(of: value) else {
            throw .format("CAST cannot convert \(value.kind) to \(type).", at: offset)
        }
        return .value(constant)
    }

    /// Parses the keys and indices after an operand.
    private mutating func postfix(_ node: Node) throws(FetchError) -> Node {
        guard case .expression(var expression) = node else { return node }
        var length = 0
        while true {
            if take(".") {
                expression = expression.step(try key())
            } else if token.kind == .symbol("[") {
                advance()
                expression = .element(try element(), of: expression)
                try expect("]")
            } else {
                return .expression(expression)
            }
            length += 1
            guard length <= Condition.maximumDepth else { throw tooDeep }
        }
    }

    private mutating func key() throws(FetchError) -> String {
        let token = token
        advance()
        switch token.kind {
        case .name(let name), .escapedName(let name), .collectionOperator(let name): return name
        case .placeholder(.keyPath):
            guard case .keyPath(let keyPath) = try arguments.next(.keyPath, at: token.offset) else { return "" }
            return keyPath
        default:
            index -= token.kind == .end ? 0 : 1
            throw unexpected("a key")
        }
    }

    private mutating func element() throws(FetchError) -> ConditionExpression.Element {
        if case .name(let name) = token.kind {
            let element: ConditionExpression.Element? =
                switch name.uppercased() {
                case "FIRST": .first
                case "LAST": .last
                case "SIZE": .size
                default: nil
                }
            if let element {
                advance()
                return element
            }
        }
        return .at(try expression(from: 0))
    }
}

extension FormatToken.Number {
    fileprivate var value: ManagedValue {
        switch self {
        case .whole(let number): Int64(exactly: number).map { .int($0) } ?? .decimal(Decimal(number))
        case .fraction(let number): .double(number)
        case .decimal(let number): .decimal(number)
        }
    }

    fileprivate var negative: ManagedValue? {
        switch self {
        case .whole(let number) where number == UInt64(Int64.max) + 1: .int(.min)
        case .whole(let number): Int64(exactly: number).map { .int(-$0) } ?? .decimal(-Decimal(number))
        case .fraction(let number): .double(-number)
        case .decimal(let number): .decimal(-number)
        }
    }
}
