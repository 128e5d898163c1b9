/// **Value.** An operator between two operands.
enum FormatOperator: Hashable {
    case or
    case and
    case comparison(Condition.Comparison.Operator)
    case function(ConditionExpression.Function)

    static let comparisonPrecedence = 4
    static let aboveComparison = 5
    static let tightest = 9

    /// Creates the operator for a token, if there is one.
    init?(_ token: FormatToken.Kind) {
        let spelling: String
        switch token {
        case .symbol(let symbol): spelling = symbol
        case .name(let name): spelling = name.uppercased()
        default: return nil
        }
        guard let known = Self.spellings[spelling] else { return nil }
        self = known
    }

    private static let spellings: [String: FormatOperator] = {
        var spellings: [String: FormatOperator] = ["OR": .or, "||": .or, "AND": .and, "&&": .and]
        for operation in Condition.Comparison.Operator.allCases {
            spellings[operation.symbol] = .comparison(operation)
        }
        for function in ConditionExpression.Function.allCases {
            if let infix = function.infix { spellings[infix] = .function(function) }
        }
        return spellings
    }()

    var isLogical: Bool { self == .or || self == .and }

    var precedence: Int {
        switch self {
        case .or: 1
        case .and: 2
        case .comparison: Self.comparisonPrecedence
        case .function(.union), .function(.intersection), .function(.difference): Self.aboveComparison
        case .function(.add), .function(.subtract): 6
        case .function(.power): 8
        case .function: 7
        }
    }
}
