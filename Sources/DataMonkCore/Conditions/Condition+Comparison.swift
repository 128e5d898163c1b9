extension Condition {
    /// **Value.** Two expressions and the operator that compares them.
    public struct Comparison: Sendable, Hashable {
        /// The expression to the left of the operator.
        public var left: ConditionExpression
        /// The operator.
        public var operation: Operator
        /// The expression to the right of the operator.
        public var right: ConditionExpression
        /// The number of values that must satisfy the comparison if the left side is a collection.
        public var modifier: Modifier
        /// The options for comparing text.
        public var options: Options

        /// Creates a comparison.
        public init(
            _ left: ConditionExpression, _ operation: Operator, _ right: ConditionExpression,
            modifier: Modifier = .direct,
            options: Options = []
        ) {
            self.left = left
            self.operation = operation
            self.right = right
            self.modifier = modifier
            self.options = options
        }
    }
}

extension Condition.Comparison {
    /// **Value.** An operator that compares two values, with its form in format strings.
    public enum Operator: String, Sendable, Hashable, CaseIterable {
        /// Equal; `nil` equals `nil`. Texts are equal if their bytes are.
        case equal = "=="
        /// Not equal; `nil` differs from every value.
        case notEqual = "!="
        /// Less than; false if either side is `nil`. Text is ordered by its Unicode scalars.
        case lessThan = "<"
        /// Less than or equal; with `nil`, true only if both sides are `nil`.
        case lessThanOrEqual = "<="
        /// Greater than; false if either side is `nil`.
        case greaterThan = ">"
        /// Greater than or equal; with `nil`, true only if both sides are `nil`.
        case greaterThanOrEqual = ">="
        /// Equal to an element of a list, or text that is a part of the right side.
        case isIn = "IN"
        /// Between two bounds, inclusive.
        case between = "BETWEEN"
        /// Text or data that contains the right side, or a collection that contains the object. Nothing contains, starts
        /// with or ends with the empty text.
        case contains = "CONTAINS"
        /// Text or data that starts with the right side.
        case beginsWith = "BEGINSWITH"
        /// Text or data that ends with the right side.
        case endsWith = "ENDSWITH"
        /// Text that matches a pattern, in which `*` stands for any text, `?` for one Unicode scalar, and `\` escapes the
        /// next scalar. Data is read as UTF-8. `nil` is like `nil`.
        case like = "LIKE"
        /// Text that matches a regular expression as a whole. `.` also matches line separators, and `^` and `$` match at
        /// the start and the end of each line.
        case matches = "MATCHES"
        /// Text that has all the given words, whatever their case and diacritical marks. A word that ends with `*` is the
        /// beginning of one; words in quotation marks have to follow each other. Options have no effect.
        case containsWords = "CONTAINSWORDS"
    }

    /// **Value.** The number of values of a collection that must satisfy a comparison.
    public enum Modifier: Sendable, Hashable {
        /// The left side is a single value.
        case direct
        /// At least one value; false for an empty collection.
        case any
        /// Every value; true for an empty collection.
        case all
        /// No value; true for an empty collection.
        case none
    }

    /// **Value.** Options for comparing text. With any option, canonically equivalent texts are equal. For data, `[c]`
    /// ignores the case of ASCII letters, and `[d]` has no effect.
    public struct Options: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public var rawValue: UInt8

        /// Creates options from bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `[c]`: ignores case.
        public static let caseInsensitive = Options(rawValue: 1)
        /// `[d]`: ignores diacritical marks.
        public static let diacriticInsensitive = Options(rawValue: 2)
    }
}

extension Condition.Comparison.Operator {
    /// The operator as it is written in format strings.
    public var symbol: String { rawValue }

    /// A Boolean value indicating whether the operator depends on the order of the two values.
    package var isOrdering: Bool {
        switch self {
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .between: true
        default: false
        }
    }

    /// A Boolean value indicating whether the operator searches text.
    package var isTextual: Bool {
        switch self {
        case .contains, .beginsWith, .endsWith, .like, .matches, .containsWords: true
        default: false
        }
    }

    /// The equivalent operator for exchanged sides, or `nil` if there is none.
    package var mirrored: Self? {
        switch self {
        case .equal, .notEqual: self
        case .lessThan: .greaterThan
        case .lessThanOrEqual: .greaterThanOrEqual
        case .greaterThan: .lessThan
        case .greaterThanOrEqual: .lessThanOrEqual
        default: nil
        }
    }
}
