import Foundation

/// **Value.** How numbers of different kinds compare: by value, without rounding one to the type of the other.
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
        case (.decimal(let one), .int(let other)): return order(.decimal(one), .decimal(Decimal(other)))
        case (.int(let one), .decimal(let other)): return order(.decimal(Decimal(one)), .decimal(other))
        case (.decimal(let one), .double(let other)): return order(one, other)
        case (.double(let one), .decimal(let other)): return order(other, one)?.reversed
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

    private static func order(_ decimal: Decimal, _ number: Double) -> ValueComparison.Order? {
        if number.isNaN { return nil }
        guard let other = Decimal(representing: number) else {
            let nearest = decimal.doubleValue
            return .init(nearest < number, nearest == number)
        }
        return .init(decimal < other, decimal == other)
    }
}
