import Foundation

/// **Value.** Values to sort by, one for each object.
///
/// Each value has a rank: if two ranks differ, the value with the smaller one comes first. Most comparisons need only the
/// ranks; where they are equal, the values decide.
struct SortColumn {
    private let ranks: [UInt64]
    /// The values, or none if those with the same rank are equal.
    private let values: [ManagedValue]
    private let ascending: Bool
    private let comparator: SortTerm.Comparator

    init(_ values: [ManagedValue], ascending: Bool = true, comparator: SortTerm.Comparator = .standard) {
        // Each value is folded once, not for each comparison.
        let isFolded = comparator == .caseInsensitive
        let values = isFolded ? values.map(\.folded) : values
        self.comparator = isFolded ? .standard : comparator
        self.ascending = ascending
        let known = self.comparator == .standard ? Self.ranks(of: values) : nil
        ranks = known.map { ascending ? $0 : $0.map { ~$0 } } ?? Array(repeating: 0, count: values.count)
        self.values = known != nil && Self.haveExactRanks(values) ? [] : values
    }

    /// Returns the order of the values at two positions.
    func order(_ left: Int, _ right: Int) -> ValueComparison.Order {
        let (one, other) = (ranks[left], ranks[right])
        if one != other { return one < other ? .ascending : .descending }
        if values.isEmpty { return .same }
        let order = comparator.order(values[left], values[right])
        return ascending ? order : order.reversed
    }

    /// Returns the ranks of values in ascending order, or `nil` if one of them has none, or if they are of several kinds.
    private static func ranks(of values: [ManagedValue]) -> [UInt64]? {
        guard let first = values.first(where: { !$0.isNull }) else { return Array(repeating: 0, count: values.count) }
        var ranks: [UInt64] = []
        ranks.reserveCapacity(values.count)
        for value in values {
            let rank: UInt64? =
                switch (first, value) {
                case (_, .null): 0
                case (.int, .int(let number)): rank(of: number)
                case (.double, .double(let number)): rank(of: number)
                case (.date, .date(let date)): rank(of: date.timeIntervalSinceReferenceDate)
                case (.string, .string(let text)): rank(of: text)
                default: nil
                }
            guard let rank else { return nil }
            ranks.append(rank)
        }
        return ranks
    }

    /// Returns `true` if values with the same rank are equal. The least integer has the rank of `nil`.
    private static func haveExactRanks(_ values: [ManagedValue]) -> Bool {
        values.allSatisfy { value in
            switch value {
            case .null: true
            case .int(let number): number > .min
            case .double, .date: true
            default: false
            }
        }
    }

    private static func rank(of number: Int64) -> UInt64 { UInt64(bitPattern: number) ^ (1 << 63) }

    private static func rank(of number: Double) -> UInt64? {
        if number.isNaN { return nil }
        // Adding 0 makes a positive zero of a negative one, which it is equal to. The bits of negative numbers descend.
        let bits = (number + 0).bitPattern
        return bits >> 63 == 0 ? bits | (1 << 63) : ~bits
    }

    /// Returns the first eight bytes as a number.
    private static func rank(of text: String) -> UInt64 {
        var rank: UInt64 = 0
        var shift = 64
        for byte in text.utf8 {
            shift -= 8
            rank |= UInt64(byte) << UInt64(shift)
            if shift == 0 { break }
        }
        return rank
    }
}

extension SortTerm.Comparator {
    /// Returns the order of two values. `nil` comes before every value.
    func order(_ left: ManagedValue, _ right: ManagedValue) -> ValueComparison.Order {
        if left.isNull || right.isNull { return .init(isLess: !right.isNull, isEqual: left.isNull && right.isNull) }
        switch (self, left, right) {
        case (.localizedStandard, .string(let one), .string(let other)):
            return TextComparison.localizedOrder(one, other)
        case (.caseInsensitive, _, _): return ValueComparison.order(left, right, options: .caseInsensitive) ?? .same
        // Values in JSON may be of two kinds: numbers come before texts.
        case (_, .string, .int), (_, .string, .double): return .descending
        case (_, .int, .string), (_, .double, .string): return .ascending
        default: return ValueComparison.order(left, right) ?? .same
        }
    }
}

extension ManagedValue {
    /// The value, without regard to case if it is text or data.
    fileprivate var folded: ManagedValue {
        switch self {
        case .string(let text): .string(TextFolding.fold(text, options: .caseInsensitive))
        case .data(let data): .data(TextFolding.fold(data: data, options: .caseInsensitive))
        default: self
        }
    }
}
