extension ConditionExpression {
    /// **Value.** The functions available in expressions, with the names used in format strings.
    ///
    /// A calculation with a `nil` operand yields `nil`. So do a division by zero and a result that is not a number.
    public enum Function: String, Sendable, Hashable, CaseIterable {
        /// The sum of a list.
        case sum = "sum:"
        /// The number of values in a list.
        case count = "count:"
        /// The smallest value of a list.
        case minimum = "min:"
        /// The largest value of a list.
        case maximum = "max:"
        /// The mean of a list.
        case average = "average:"
        /// The median of a list. For an even number of values, the mean of the middle two, including its fraction.
        case median = "median:"
        /// The standard deviation of a list.
        case standardDeviation = "stddev:"
        /// `a + b`
        case add = "add:to:"
        /// `a - b`
        case subtract = "from:subtract:"
        /// `a * b`
        case multiply = "multiply:by:"
        /// `a / b`; for two integers, the integer quotient: 41 / 2 is 20.
        case divide = "divide:by:"
        /// `a %% b`: the remainder of a division.
        case remainder = "modulus:by:"
        /// `a ** b`
        case power = "raise:toPower:"
        /// The square root.
        case squareRoot = "sqrt:"
        /// The logarithm to base 10.
        case logarithm = "log:"
        /// The natural logarithm.
        case naturalLogarithm = "ln:"
        /// e raised to the power of the argument.
        case exponential = "exp:"
        /// The largest integer not greater than the number.
        case floor = "floor:"
        /// The smallest integer not less than the number.
        case ceiling = "ceiling:"
        /// The number without its fraction.
        case truncate = "trunc:"
        /// The absolute value.
        case absolute = "abs:"
        /// The bits set in both operands.
        case bitwiseAnd = "bitwiseAnd:with:"
        /// The bits set in either operand.
        case bitwiseOr = "bitwiseOr:with:"
        /// The bits set in exactly one operand.
        case bitwiseXor = "bitwiseXor:with:"
        /// The bits shifted left.
        case shiftLeft = "leftshift:by:"
        /// The bits shifted right.
        case shiftRight = "rightshift:by:"
        /// The bits not set in the argument.
        case onesComplement = "onesComplement:"
        /// The text in upper case.
        case uppercase = "uppercase:"
        /// The text in lower case.
        case lowercase = "lowercase:"
        /// The text without differences of case and diacritical marks.
        case canonical = "canonical:"
        /// The number of characters in a text.
        case length = "length:"
        /// The time of the fetch.
        case now = "now"
        /// The values in either collection.
        case union = "union:with:"
        /// The values in both collections.
        case intersection = "intersect:with:"
        /// The values in the first collection only.
        case difference = "minus:with:"
    }
}

extension ConditionExpression.Function {
    /// The number of arguments.
    public var argumentCount: Int { rawValue.utf8.count { $0 == UInt8(ascii: ":") } }

    /// Creates the function that a format string calls by a name: `max:`, or `max` without the colon of its only argument.
    init?(spelling: String) {
        let other = spelling == "now:" ? "now" : spelling + ":"
        guard let function = Self(rawValue: spelling) ?? Self(rawValue: other) else { return nil }
        self = function
    }

    /// The infix operator, or `nil` if the function is not written as one.
    var infix: String? {
        switch self {
        case .add: "+"
        case .subtract: "-"
        case .multiply: "*"
        case .divide: "/"
        case .remainder: "%%"
        case .power: "**"
        case .union: "UNION"
        case .intersection: "INTERSECT"
        case .difference: "MINUS"
        default: nil
        }
    }
}
