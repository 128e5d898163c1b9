import Foundation

/// **Value.** Compares numbers of different kinds by value. An integer and a double are not rounded to each other; beside
/// either of them, a decimal counts as the integer that it equals, or else as the nearest double.
package enum NumberComparison {
    /// Returns the order of two numbers, or `nil` if one of the values is not a number.
    package static func order(_ left: ManagedValue, _ right: ManagedValue) -> ValueComparison.Order? {
        switch (left, right) {
        case (.bool(let flag), _): return order(.int(flag ? 1 : 0), right)
        case (_, .bool(let flag)): return order(left, .int(flag ? 1 : 0))
        case (.int(let one), .int(let other)): return .init(isLess: one < other, isEqual: one == other)
        case (.double(let one), .double(let other)):
            return one.isNaN || other.isNaN ? nil : .init(isLess: one < other, isEqual: one == other)
        case (.int(let one), .double(let other)): return order(one, other)
        case (.double(let one), .int(let other)): return order(other, one)?.reversed
        case (.decimal(let one), .decimal(let other)): return .init(isLess: one < other, isEqual: one == other)
        // Compares as a store does: a store holds a decimal as an integer or a double.
        case (.decimal, .int), (.decimal, .double): return order(left.storageForm, right)
        case (.int, .decimal), (.double, .decimal): return order(left, right.storageForm)
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
        return .init(isLess: fraction > 0, isEqual: fraction == 0)
    }
}
