extension ConditionExpression {
    /// **Value.** The functions that expressions know, called as format strings call them.
    ///
    /// Nil among the operands of a calculation gives nil; so do a division by zero and a result that is no number.
    public enum Function: String, Sendable, Hashable, CaseIterable {
        /// The sum of a list.
        case sum = "sum:"
        /// How many values a list has.
        case count = "count:"
        /// The smallest of a list.
        case minimum = "min:"
        /// The largest of a list.
        case maximum = "max:"
        /// The mean of a list.
        case average = "average:"
        /// The middle of a list; of an even number of values the mean of the two in the middle, with its fraction.
        case median = "median:"
        /// The standard deviation of a list.
        case standardDeviation = "stddev:"
        /// `a + b`
        case add = "add:to:"
        /// `a - b`
        case subtract = "from:subtract:"
        /// `a * b`
        case multiply = "multiply:by:"
        /// `a / b`; of two whole numbers the whole part: 41 / 2 is 20.
        case divide = "divide:by:"
        /// `a %% b`: what a division leaves.
        case remainder = "modulus:by:"
        /// `a ** b`
        case power = "raise:toPower:"
        /// The square root.
        case squareRoot = "sqrt:"
        /// The logarithm to base 10.
        case logarithm = "log:"
        /// The natural logarithm.
        case naturalLogarithm = "ln:"
        /// e to the power of the argument.
        case exponential = "exp:"
        /// The next whole number below.
        case floor = "floor:"
        /// The next whole number above.
        case ceiling = "ceiling:"
        /// The number without its fraction.
        case truncate = "trunc:"
        /// The number without its sign.
        case absolute = "abs:"
        /// The bits that both have.
        case bitwiseAnd = "bitwiseAnd:with:"
        /// The bits that one of them has.
        case bitwiseOr = "bitwiseOr:with:"
        /// The bits that exactly one of them has.
        case bitwiseXor = "bitwiseXor:with:"
        /// The bits moved up.
        case shiftLeft = "leftshift:by:"
        /// The bits moved down.
        case shiftRight = "rightshift:by:"
        /// The bits that the argument does not have.
        case onesComplement = "onesComplement:"
        /// The text in upper case.
        case uppercase = "uppercase:"
        /// The text in lower case.
        case lowercase = "lowercase:"
        /// The text without case and marks.
        case canonical = "canonical:"
        /// How many characters a text has.
        case length = "length:"
        /// The moment of the fetch.
        case now = "now"
        /// The values of either collection.
        case union = "union:with:"
        /// The values of both collections.
        case intersection = "intersect:with:"
        /// The values of the first collection only.
        case difference = "minus:with:"
    }
}

extension ConditionExpression.Function {
    /// How many arguments it takes.
    public var argumentCount: Int { rawValue.utf8.count { $0 == UInt8(ascii: ":") } }

    /// The function that a format string calls by a name: `max:`, or `max` without the colon of its only argument.
    init?(spelling: String) {
        let other = spelling == "now:" ? "now" : spelling + ":"
        guard let function = Self(rawValue: spelling) ?? Self(rawValue: other) else { return nil }
        self = function
    }

    /// The sign between the operands, for those that have one.
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
