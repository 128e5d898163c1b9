import DataMonkCore

/// **Value.** The collations that conditions and sorting need besides binary order. A store registers each of them with its
/// database.
package enum SQLCollation: CaseIterable, Sendable {
    /// Ignores case: `[c]`.
    case caseInsensitive
    /// Ignores diacritics: `[d]`.
    case diacriticInsensitive
    /// Ignores case and diacritics: `[cd]`.
    case caseAndDiacriticInsensitive
    /// Sorts names as users of the machine's locale expect. Never for an index, because another machine sorts differently.
    case localizedStandard

    /// The collation's name in SQL.
    package var name: String {
        switch self {
        case .caseInsensitive: "DATAMONK_C"
        case .diacriticInsensitive: "DATAMONK_D"
        case .caseAndDiacriticInsensitive: "DATAMONK_CD"
        case .localizedStandard: "DATAMONK_LOCALIZED"
        }
    }

    /// Returns the collation for the options, or `nil` for binary order.
    init?(_ options: Condition.Comparison.Options) {
        switch options {
        case .caseInsensitive: self = .caseInsensitive
        case .diacriticInsensitive: self = .diacriticInsensitive
        case [.caseInsensitive, .diacriticInsensitive]: self = .caseAndDiacriticInsensitive
        default: return nil
        }
    }

    /// Returns a number less than, equal to or greater than 0 if the first text, in UTF-8, sorts before, with or after the
    /// second.
    package func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let order: ValueComparison.Order =
            switch self {
            case .caseInsensitive: TextComparison.order(left, right, options: .caseInsensitive)
            case .diacriticInsensitive: TextComparison.order(left, right, options: .diacriticInsensitive)
            case .caseAndDiacriticInsensitive:
                TextComparison.order(left, right, options: [.caseInsensitive, .diacriticInsensitive])
            case .localizedStandard:
                TextComparison.localizedOrder(
                    String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
            }
        return order == .same ? 0 : order == .ascending ? -1 : 1
    }
}
