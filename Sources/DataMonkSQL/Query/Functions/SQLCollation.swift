import DataMonkCore

/// **Value.** The orders of text that conditions and sorting need beside the order of bytes: a store registers each of
/// them with its database.
package enum SQLCollation: CaseIterable, Sendable {
    /// Without regard to case: `[c]`.
    case caseInsensitive
    /// Without regard to marks: `[d]`.
    case diacriticInsensitive
    /// Without regard to either: `[cd]`.
    case caseAndDiacriticInsensitive
    /// As a person of the machine's locale sorts names. Never for an index: another machine orders differently.
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

    /// The collation under which texts compare with the options, nil for the order of bytes.
    init?(_ options: Condition.Comparison.Options) {
        switch options {
        case .caseInsensitive: self = .caseInsensitive
        case .diacriticInsensitive: self = .diacriticInsensitive
        case [.caseInsensitive, .diacriticInsensitive]: self = .caseAndDiacriticInsensitive
        default: return nil
        }
    }

    /// Below, at or above 0, as the first text in UTF-8 comes before, with or behind the second.
    package func compare(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
        let order: ValueComparison.Order =
            switch self {
            case .caseInsensitive: TextComparison.order(left, right, .caseInsensitive)
            case .diacriticInsensitive: TextComparison.order(left, right, .diacriticInsensitive)
            case .caseAndDiacriticInsensitive:
                TextComparison.order(left, right, [.caseInsensitive, .diacriticInsensitive])
            case .localizedStandard:
                TextComparison.localizedOrder(
                    String(decoding: left, as: UTF8.self), String(decoding: right, as: UTF8.self))
            }
        return order == .same ? 0 : order == .ascending ? -1 : 1
    }
}
