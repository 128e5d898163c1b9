package import Foundation

extension Decimal {
    /// Creates the number represented by plain digits, such as `-12.5`, or returns `nil` for anything else and for more
    /// digits than 64 bits hold.
    ///
    /// Foundation's own parser takes ten times as long. Like that parser, this one drops trailing zeros after the point.
    init?(digits bytes: UnsafeRawBufferPointer) {
        var rest = bytes[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        // 18 digits always fit.
        guard (1...19).contains(rest.count), rest.last != UInt8(ascii: ".") else { return nil }
        var number: UInt64 = 0
        var places: Int?
        for byte in rest {
            if byte == UInt8(ascii: "."), places == nil {
                places = 0
                continue
            }
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number &* 10 &+ UInt64(digit)
            places = places.map { $0 + 1 }
        }
        if rest.count == 19, places == nil { return nil }
        var fraction = places ?? 0
        while fraction > 0, number % 10 == 0 {
            number /= 10
            fraction -= 1
        }
        // A negative zero would be NaN.
        if number == 0 {
            self = .zero
            return
        }
        self.init(sign: isNegative ? .minus : .plus, exponent: -fraction, significand: Decimal(number))
    }
}

extension Decimal {
    /// Creates the decimal with the fewest digits that reads back as the same double: 0.1 becomes 0.1, not the double's
    /// expansion.
    ///
    /// A 64-bit integer keeps all its digits, so that it equals the integer that the double equals. Returns `nil` beyond
    /// the range of decimals, where `Decimal(_: Double)` traps.
    package init?(representing number: Double) {
        if let whole = Int64(exactly: number) {
            self = Decimal(whole)
            return
        }
        guard number == 0 || (1e-100...1e100).contains(abs(number)),
            let decimal = Decimal(string: number.description, locale: Locale(identifier: "en_US_POSIX"))
        else { return nil }
        self = decimal
    }

    /// Creates a decimal as ``init(representing:)`` does, but returns the nearest decimal beyond the range of decimals, and
    /// zero for NaN.
    package init(shortest number: Double) {
        let isLarge = abs(number) > 1
        self =
            Decimal(representing: number)
            ?? (isLarge ? number < 0 ? -Decimal.greatestFiniteMagnitude : .greatestFiniteMagnitude : .zero)
    }

    /// The value as an integer, or `nil` if it has a fraction or does not fit.
    package var wholeValue: Int64? {
        var rounded = Decimal()
        var number = self
        NSDecimalRound(&rounded, &number, 0, .plain)
        guard rounded == self, rounded >= Decimal(Int64.min), rounded <= Decimal(Int64.max) else { return nil }
        return NSDecimalNumber(decimal: rounded).int64Value
    }
}
