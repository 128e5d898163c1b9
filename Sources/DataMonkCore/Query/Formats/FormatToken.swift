import Foundation

/// **Value.** A word of a format string, and where it stands.
struct FormatToken {
    /// **Value.** What kind of word it is.
    enum Kind: Hashable {
        /// A name or a keyword: which one, the parser decides by the place.
        case name(String)
        /// A name that is no keyword, whatever it says: `#name`, `#"any name"`.
        case escapedName(String)
        /// `@count`.
        case collectionOperator(String)
        /// `$name`, `$"any name"`.
        case variable(String)
        case text(String)
        case number(Number)
        case placeholder(FormatPlaceholder)
        /// An operator or a bracket, in its first spelling: `==` stands for `=` too.
        case symbol(String)
        case end
    }

    /// **Value.** A number as it was written.
    enum Number: Hashable {
        /// A whole number without its sign.
        case whole(UInt64)
        case fraction(Double)
        /// A whole number that fits nowhere else.
        case decimal(Decimal)
    }

    let kind: Kind
    /// The position of its first character.
    let offset: Int
}

/// **Value.** What a placeholder takes.
enum FormatPlaceholder: Hashable {
    /// `%@`: any value.
    case value
    /// `%K`: a key path.
    case keyPath
    /// `%d` and its kin.
    case integer
    /// `%f` and its kin.
    case number
    /// `%s`.
    case text

    var name: String {
        switch self {
        case .value: "%@"
        case .keyPath: "%K"
        case .integer: "%d"
        case .number: "%f"
        case .text: "%s"
        }
    }
}
