import Foundation

/// **Value.** How numbers of different kinds compare: by value. An integer and a double are not rounded to each other; a
/// decimal beside one of them is the whole number that it is, or else the nearest double.
package enum NumberComparison {
    /// The order of two numbers, nil where one of them is none, or not a number.
    package static func order(_ left: ManagedValue, _ right: ManagedValue) -> ValueComparison.Order? {
        switch (left, right) {
        case (.bool(let flag), _): return order(.int(flag ? 1 : 0), right)
        case (_, .bool(let flag)): return order(left, .int(flag ? 1 : 0))
        case (.int(let one), .int(let other)): return .init(one < other, one == other)
        case (.double(let one), .double(let other)):
            return one.isNaN || other.isNaN ? nil : .init(one < other, one == other)
        case (.int(let one), .double(let other)): return order(one, other)
        case (.double(let one), .int(let other)): return order(other, one)?.reversed
        case (.decimal(let one), .decimal(let other)): return .init(one < other, one == other)
        // As a store compares them: what it holds of a decimal is a whole number or a double.
        case (.decimal, .int), (.decimal, .double): return order(left.carried, right)
        case (.int, .decimal), (.double, .decimal): return order(left, right.carried)
        default: return nil
        }
    }

    private static func order(_ whole: Int64, _ number: Double) -> ValueComparison.Order? {
        if number.isNaN { return nil }
        if number >= 0x1p63 { return .ascending }
        if number < -0x1p63 { return .descending }
        let cut = Int64(number.rounded(.towardZero))
        if whole != cut { return whole < cut ? .ascending : .descending }
        let fraction = number - number.rounded(.towardZero)
        return .init(fraction > 0, fraction == 0)
    }
}
