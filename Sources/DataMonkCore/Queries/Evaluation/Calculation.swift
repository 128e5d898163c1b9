import Foundation

/// **Value.** Computes the functions of expressions. This is the only implementation: conditions in memory and the function
/// that a store registers with its database both use it.
///
/// A calculation with a `nil` operand yields `nil`. So does one without a result: a division by zero, the square root of a
/// negative number, or an overflow of 64-bit integers.
package enum Calculation {
    /// The value of `now()`, which does not change during a fetch.
    static var now: ManagedValue { .date(Date()) }

    package static func value(
        of function: ConditionExpression.Function, _ operands: [ManagedValue]
    ) -> ManagedValue {
        if let aggregate = function.aggregate { return value(of: aggregate, operands) }
        if operands.contains(where: \.isNull) { return .null }
        switch operands.count {
        case 1: return unary(function, of: operands[0])
        case 2: return binary(function, of: operands[0], and: operands[1])
        default: return .null
        }
    }

    private static func value(
        of aggregate: FetchRequest.Selection.Function, _ operands: [ManagedValue]
    ) -> ManagedValue {
        var state = AggregateAccumulator(aggregate)
        for operand in operands { state.add(operand.number) }
        return state.functionValue
    }

    private static func unary(_ function: ConditionExpression.Function, of operand: ManagedValue) -> ManagedValue {
        if case .string(let text) = operand { return value(of: function, text) }
        switch function {
        case .floor: return round(operand, mode: .down) { $0.rounded(.down) }
        case .ceiling: return round(operand, mode: .up) { $0.rounded(.up) }
        case .truncate:
            return round(operand, mode: operand.isNegativeDecimal ? .up : .down) { $0.rounded(.towardZero) }
        case .absolute: return absolute(operand)
        case .onesComplement:
            guard case .int(let number) = operand.number else { return .null }
            return .int(~number)
        default:
            guard let number = Double(managedValue: operand.number) else { return .null }
            switch function {
            case .squareRoot: return .init(finite: number.squareRoot())
            case .logarithm: return .init(finite: log10(number))
            case .naturalLogarithm: return .init(finite: log(number))
            case .exponential: return .init(finite: exp(number))
            default: return .null
            }
        }
    }

    private static func value(of function: ConditionExpression.Function, _ text: String) -> ManagedValue {
        switch function {
        case .uppercase: .string(text.uppercased())
        case .lowercase: .string(text.lowercased())
        case .canonical: .string(TextFolding.fold(text, options: [.caseInsensitive, .diacriticInsensitive]))
        case .length: .int(Int64(text.count))
        default: .null
        }
    }

    private static func round(
        _ operand: ManagedValue, mode: NSDecimalNumber.RoundingMode, double: (Double) -> Double
    ) -> ManagedValue {
        switch operand.number {
        case .int(let number): return .int(number)
        case .double(let number): return .double(double(number))
        case .decimal(var number):
            var rounded = Decimal()
            NSDecimalRound(&rounded, &number, 0, mode)
            return .decimal(rounded)
        default: return .null
        }
    }

    private static func absolute(_ operand: ManagedValue) -> ManagedValue {
        switch operand.number {
        case .int(let number): number == .min ? .null : .int(abs(number))
        case .double(let number): .double(abs(number))
        case .decimal(let number): .decimal(abs(number))
        default: .null
        }
    }
}

extension Calculation {
    private static func binary(
        _ function: ConditionExpression.Function, of left: ManagedValue, and right: ManagedValue
    ) -> ManagedValue {
        switch (left.number, right.number) {
        case (.int(let one), .int(let other)): return whole(function, of: one, and: other)
        case (.decimal(let one), .decimal(let other)): return decimal(function, of: one, and: other)
        case (.decimal(let one), .int(let other)): return decimal(function, of: one, and: Decimal(other))
        case (.int(let one), .decimal(let other)): return decimal(function, of: Decimal(one), and: other)
        case (.date(let one), .date(let other)):
            return function == .subtract ? .init(finite: one.timeIntervalSince(other)) : .null
        case (.date(let date), let seconds): return moved(date, function: function, by: seconds)
        case (let seconds, .date(let date)): return function == .add ? moved(date, function: .add, by: seconds) : .null
        case (let left, let right):
            guard let one = Double(managedValue: left), let other = Double(managedValue: right) else { return .null }
            return floating(function, of: one, and: other)
        }
    }

    private static func moved(
        _ date: Date, function: ConditionExpression.Function, by seconds: ManagedValue
    ) -> ManagedValue {
        guard let seconds = Double(managedValue: seconds) else { return .null }
        switch function {
        case .add: return .init(finite: date.addingTimeInterval(seconds))
        case .subtract: return .init(finite: date.addingTimeInterval(-seconds))
        default: return .null
        }
    }

    private static func whole(
        _ function: ConditionExpression.Function, of left: Int64, and right: Int64
    ) -> ManagedValue {
        switch function {
        case .add: .init(left.addingReportingOverflow(right))
        case .subtract: .init(left.subtractingReportingOverflow(right))
        case .multiply: .init(left.multipliedReportingOverflow(by: right))
        case .divide: .init(left.dividedReportingOverflow(by: right))
        case .remainder: right == 0 ? .null : right == -1 ? .int(0) : .int(left % right)
        case .power: power(left, exponent: right)
        case .bitwiseAnd: .int(left & right)
        case .bitwiseOr: .int(left | right)
        case .bitwiseXor: .int(left ^ right)
        case .shiftLeft: .int(left << right)
        case .shiftRight: .int(left >> right)
        default: .null
        }
    }

    private static func power(_ base: Int64, exponent: Int64) -> ManagedValue {
        if exponent < 0 { return .init(finite: pow(Double(base), Double(exponent))) }
        var result: Int64 = 1
        var (base, rest) = (base, exponent)
        while rest > 0 {
            if rest & 1 == 1 {
                let (product, overflows) = result.multipliedReportingOverflow(by: base)
                if overflows { return .null }
                result = product
            }
            rest >>= 1
            if rest > 0 {
                let (square, overflows) = base.multipliedReportingOverflow(by: base)
                if overflows { return .null }
                base = square
            }
        }
        return .int(result)
    }

    private static func decimal(
        _ function: ConditionExpression.Function, of left: Decimal, and right: Decimal
    ) -> ManagedValue {
        switch function {
        case .add: .init(number: left + right)
        case .subtract: .init(number: left - right)
        case .multiply: .init(number: left * right)
        case .divide: right.isZero ? .null : .init(number: left / right)
        default: floating(function, of: left.doubleValue, and: right.doubleValue)
        }
    }

    private static func floating(
        _ function: ConditionExpression.Function, of left: Double, and right: Double
    ) -> ManagedValue {
        switch function {
        case .add: .init(finite: left + right)
        case .subtract: .init(finite: left - right)
        case .multiply: .init(finite: left * right)
        case .divide: .init(finite: left / right)
        case .remainder: .init(finite: left.truncatingRemainder(dividingBy: right))
        case .power: .init(finite: pow(left, right))
        default: .null
        }
    }
}

extension ManagedValue {
    /// The value as a number: a Bool is 0 or 1.
    fileprivate var number: ManagedValue {
        if case .bool(let flag) = self { .int(flag ? 1 : 0) } else { self }
    }

    fileprivate var isNegativeDecimal: Bool {
        if case .decimal(let number) = self { number < 0 } else { false }
    }

    fileprivate init(finite number: Double) { self = number.isFinite ? .double(number) : .null }

    fileprivate init(finite date: Date) {
        self = date.timeIntervalSinceReferenceDate.isFinite ? .date(date) : .null
    }

    fileprivate init(number: Decimal) { self = number.isNaN ? .null : .decimal(number) }

    fileprivate init(_ result: (partialValue: Int64, overflow: Bool)) {
        self = result.overflow ? .null : .int(result.partialValue)
    }
}

extension ConditionExpression.Function {
    /// The aggregate that a function over a list computes.
    var aggregate: FetchRequest.Selection.Function? {
        switch self {
        case .sum: .sum
        case .count: .count
        case .minimum: .minimum
        case .maximum: .maximum
        case .average: .average
        case .median: .median
        case .standardDeviation: .standardDeviation
        default: nil
        }
    }
}
