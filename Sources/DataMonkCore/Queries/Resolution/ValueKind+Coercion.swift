import Foundation

extension ValueKind {
    /// Returns the constant as a value of this kind, or `nil` if it cannot be one.
    ///
    /// Numbers take the form in which they compare exactly and fastest. A number is never read as a date, nor text as a
    /// number, a UUID or a URL.
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
            // An integer that no double represents stays as it is, so that it is compared exactly.
            guard let exact = Double(exactly: whole) else { return value }
            number = exact
        case .double(let double): number = double
        case .decimal(let decimal): number = decimal.doubleValue
        default: return nil
        }
        if number.isNaN { return nil }
        // A value written as 0.1 is stored as the nearest Float, and a comparison with 0.1 must find it.
        return .double(isSingle ? Double(Float(number)) : number)
    }

    private static func decimal(_ value: ManagedValue) -> ManagedValue? {
        switch value {
        case .bool(let flag): .decimal(flag ? 1 : 0)
        case .int(let whole): .decimal(Decimal(whole))
        case .double(let number) where !number.isNaN: Decimal(representing: number).map { .decimal($0) } ?? value
        // As every store holds it.
        case .decimal(let number) where !number.isNaN: number.stored.map { .decimal($0) } ?? value
        default: nil
        }
    }
}

extension ManagedValue {
    /// A Boolean value indicating whether the value is NaN, either a number or the seconds of a date.
    var isNotANumber: Bool {
        switch self {
        case .double(let number): number.isNaN
        case .decimal(let number): number.isNaN
        case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
        default: false
        }
    }
}
