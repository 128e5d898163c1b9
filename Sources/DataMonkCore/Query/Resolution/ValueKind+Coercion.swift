import Foundation

extension ValueKind {
    /// The constant as a value of this kind, nil where it cannot be one.
    ///
    /// Numbers take the form in which they compare fastest and exactly; a number is never taken for a date, nor text for
    /// a number, a UUID or a URL.
    package func coerce(_ value: ManagedValue) -> ManagedValue? {
        switch (self, value) {
        case (_, .null): .null
        case (.boolean, _), (.integer, _): Self.wholeIfPossible(value)
        case (.floating(let isSingle), _): Self.floating(value, isSingle: isSingle)
        case (.decimal, _): Self.decimal(value)
        case (.string, .string), (.date, .date), (.data, .data), (.uuid, .uuid), (.url, .url): value
        case (.dynamic, .list), (.dynamic, .object): nil
        case (.dynamic, _): value
        default: nil
        }
    }

    private static func wholeIfPossible(_ value: ManagedValue) -> ManagedValue? {
        switch value {
        case .bool(let flag): .int(flag ? 1 : 0)
        case .int: value
        case .double(let number) where !number.isNaN: Int64(exactly: number).map { .int($0) } ?? value
        case .decimal(let number) where !number.isNaN: number.wholeValue.map { .int($0) } ?? value
        default: nil
        }
    }

    private static func floating(_ value: ManagedValue, isSingle: Bool) -> ManagedValue? {
        let number: Double
        switch value {
        case .bool(let flag): number = flag ? 1 : 0
        case .int(let whole):
            // A whole number that no double holds stays as it is, so that it is compared exactly.
            guard let exact = Double(exactly: whole) else { return value }
            number = exact
        case .double(let double): number = double
        case .decimal(let decimal): number = decimal.doubleValue
        default: return nil
        }
        if number.isNaN { return nil }
        // What was written as 0.1 was stored as the nearest Float, and is meant by 0.1 here.
        return .double(isSingle ? Double(Float(number)) : number)
    }

    private static func decimal(_ value: ManagedValue) -> ManagedValue? {
        switch value {
        case .bool(let flag): .decimal(flag ? 1 : 0)
        case .int(let whole): .decimal(Decimal(whole))
        case .double(let number) where !number.isNaN: Decimal(representing: number).map { .decimal($0) } ?? value
        // As every store has it.
        case .decimal(let number) where !number.isNaN: number.stored.map { .decimal($0) } ?? value
        default: nil
        }
    }
}

extension ManagedValue {
    /// Whether this is a number, or the seconds of a date, that is none.
    var isNotANumber: Bool {
        switch self {
        case .double(let number): number.isNaN
        case .decimal(let number): number.isNaN
        case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
        default: false
        }
    }
}

extension Decimal {
    /// The decimal with the fewest digits that reads back as the same double: 0.1 gives 0.1, not the double's expansion.
    /// A whole number of 64 bits keeps all of its digits, so that it is equal to the integer that the double is equal to.
    /// Nil beyond the range of decimals, where `Decimal(_: Double)` traps.
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

    /// As ``init(representing:)``; beyond the range of decimals the nearest one, of what is no number zero.
    package init(shortest number: Double) {
        let isLarge = abs(number) > 1
        self =
            Decimal(representing: number)
            ?? (isLarge ? number < 0 ? -Decimal.greatestFiniteMagnitude : .greatestFiniteMagnitude : .zero)
    }

    /// The value as an integer, nil where it has a fraction or does not fit.
    package var wholeValue: Int64? {
        var rounded = Decimal()
        var number = self
        NSDecimalRound(&rounded, &number, 0, .plain)
        guard rounded == self, rounded >= Decimal(Int64.min), rounded <= Decimal(Int64.max) else { return nil }
        return NSDecimalNumber(decimal: rounded).int64Value
    }
}
