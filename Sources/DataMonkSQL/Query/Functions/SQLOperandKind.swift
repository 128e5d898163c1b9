package import DataMonkCore
import Foundation

/// **Value.** What an operand of a calculation is, which its form in the database does not tell: a letter for each.
package enum SQLOperandKind: Character {
    case whole = "i"
    case floating = "f"
    case decimal = "d"
    case date = "e"
    case text = "t"
    case other = "o"

    package init(_ expression: ResolvedExpression) {
        switch expression {
        case .constant(let value): self.init(value)
        default: self.init(expression.kind ?? .dynamic)
        }
    }

    private init(_ value: ManagedValue) {
        self =
            switch value {
            case .bool, .int: .whole
            case .double: .floating
            case .decimal: .decimal
            case .date: .date
            case .string: .text
            default: .other
            }
    }

    private init(_ kind: ValueKind) {
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

    /// The value that the database holds in its form.
    package func value(of stored: ManagedValue) -> ManagedValue {
        switch (self, stored) {
        // As in memory: what is whole is an integer, what no double holds stays one.
        case (.whole, .double): ValueKind.integer.coerce(stored) ?? stored
        case (.floating, .int): ValueKind.floating(isSingle: false).coerce(stored) ?? stored
        case (.decimal, .int(let number)): .decimal(Decimal(number))
        case (.decimal, .double(let number)): .decimal(Decimal(shortest: number))
        case (.decimal, .string(let text)):
            Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map { .decimal($0) } ?? .null
        case (.date, .int(let seconds)): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.date, .double(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
        default: stored
        }
    }
}
