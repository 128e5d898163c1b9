import Foundation

/// **Value.** A token of a format string, and its position.
struct FormatToken {
    /// **Value.** The kind of a token.
    enum Kind: Hashable {
        /// A name or a keyword; the parser distinguishes them by their position.
        case name(String)
        /// A name that is never a keyword: `#name`, `#"any name"`.
        case escapedName(String)
        /// `@count`.
        case collectionOperator(String)
        /// `$name`, `$"any name"`.
        case variable(String)
        case text(String)
        case number(Number)
        case placeholder(FormatPlaceholder)
        /// An operator or a bracket, in its canonical spelling: `==` also stands for `=`.
        case symbol(String)
        case end
    }

    /// **Value.** A number as it was written.
    enum Number: Hashable {
        /// An integer without its sign.
        case whole(UInt64)
        case fraction(Double)
        /// An integer that does not fit in 64 bits.
        case decimal(Decimal)
    }

    let kind: Kind
    /// The position of the token's first character.
    let offset: Int
}

/// **Value.** The kind of argument that a placeholder takes.
enum FormatPlaceholder: Hashable {
    /// `%@`: any value.
    case value
    /// `%K`: a key path.
    case keyPath
    /// `%d` and its variants.
    case integer
    /// `%f` and its variants.
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
