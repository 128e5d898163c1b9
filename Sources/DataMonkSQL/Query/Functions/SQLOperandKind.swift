package import DataMonkCore

/// **Value.** The kind of a calculation's operand, as a letter. The stored form of a value does not tell its kind.
package enum SQLOperandKind: Character {
    case whole = "i"
    case floating = "f"
    case decimal = "d"
    case date = "e"
    case text = "t"
    case other = "o"

    package init(_ kind: ValueKind) {
        self =
            switch kind {
            case .boolean, .integer: .whole
            case .floating: .floating
            case .decimal: .decimal
            case .date: .date
            case .string: .text
            default: .other
            }
    }

    /// Returns the value for its stored form.
    package func value(of stored: ManagedValue) -> ManagedValue {
        switch self {
        case .whole: ValueKind.integer.operand(stored)
        case .floating: ValueKind.floating(isSingle: false).operand(stored)
        case .decimal: ValueKind.decimal.operand(stored)
        case .date: ValueKind.date.operand(stored)
        case .text, .other: stored
        }
    }
}
