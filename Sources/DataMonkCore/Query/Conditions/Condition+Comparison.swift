extension Condition {
    /// **Value.** Two expressions and how they are compared.
    public struct Comparison: Sendable, Hashable {
        /// What stands left of the operator.
        public var left: ConditionExpression
        /// How the two are compared.
        public var operation: Operator
        /// What stands right of the operator.
        public var right: ConditionExpression
        /// How many of the values must satisfy the comparison where the left side is a collection.
        public var modifier: Modifier
        /// How text is compared.
        public var options: Options

        /// Describes a comparison.
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
    /// **Value.** How two values are compared.
    public enum Operator: Sendable, Hashable, CaseIterable {
        /// Equal; nil equals nil. Text is equal when its bytes are.
        case equal
        /// Not equal; nil differs from every value.
        case notEqual
        /// Less; false with nil. Text is ordered by its Unicode scalars.
        case lessThan
        /// Less or equal; with nil true only when both are.
        case lessThanOrEqual
        /// Greater; false with nil.
        case greaterThan
        /// Greater or equal; with nil true only when both are.
        case greaterThanOrEqual
        /// Equal to one of a list, or text that is a part of the right side.
        case isIn
        /// Within two bounds, both included.
        case between
        /// Text or data that has the right side in it, or a collection that has the object. Nothing has the empty text in
        /// it, nor starts or ends with it.
        case contains
        /// Text or data that starts with the right side.
        case beginsWith
        /// Text or data that ends with the right side.
        case endsWith
        /// Text of a form in which `*` stands for any text, `?` for one Unicode scalar, and `\` takes the next as it is; data
        /// is read as UTF-8. Nil is like nil.
        case like
        /// Text that a regular expression takes as a whole. `.` matches line separators too, and `^` and `$` match at the
        /// start and the end of each line.
        case matches
    }

    /// **Value.** How many values of a collection must satisfy a comparison.
    public enum Modifier: Sendable, Hashable {
        /// The left side is one value.
        case direct
        /// At least one; false for an empty collection.
        case any
        /// Every one; true for an empty collection.
        case all
        /// Not one; true for an empty collection.
        case none
    }

    /// **Value.** How text is compared. With an option, texts that are canonically equivalent are equal too. Of data `[c]`
    /// takes ASCII letters for equal, and `[d]` says nothing.
    public struct Options: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public var rawValue: UInt8

        /// Options from bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `[c]`: upper and lower case are equal.
        public static let caseInsensitive = Options(rawValue: 1)
        /// `[d]`: letters are equal with and without their marks.
        public static let diacriticInsensitive = Options(rawValue: 2)
    }
}

extension Condition.Comparison.Operator {
    /// The operator as format strings spell it.
    public var symbol: String {
        switch self {
        case .equal: "=="
        case .notEqual: "!="
        case .lessThan: "<"
        case .lessThanOrEqual: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqual: ">="
        case .isIn: "IN"
        case .between: "BETWEEN"
        case .contains: "CONTAINS"
        case .beginsWith: "BEGINSWITH"
        case .endsWith: "ENDSWITH"
        case .like: "LIKE"
        case .matches: "MATCHES"
        }
    }

    /// Whether the operator says which of two values comes first.
    package var isOrdering: Bool {
        switch self {
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .between: true
        default: false
        }
    }

    /// Whether the operator looks into text.
    package var isTextual: Bool {
        switch self {
        case .contains, .beginsWith, .endsWith, .like, .matches: true
        default: false
        }
    }

    /// The operator that says the same with the sides exchanged, nil where there is none.
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
