extension FetchRequest {
    /// **Value.** One column of a row of values: a property, or a figure about the property's values in a group.
    ///
    /// ```swift
    /// request.propertiesToFetch = [.init("location"), .init(.average, of: "age", alias: "mean age")]
    /// request.propertiesToGroupBy = ["location"]
    /// ```
    public struct Selection: Sendable, Hashable {
        /// The figure, nil for the value itself.
        public var function: Function?
        /// What the column is about.
        public var expression: ConditionExpression
        /// The column's name in the row, unique in the request.
        public var alias: String

        /// The value at a key path; the column is called as the path unless told otherwise.
        public init(_ keyPath: String, alias: String? = nil) {
            self.init(nil, of: keyPath, alias: alias)
        }

        /// The value of an expression, or a figure about its values.
        ///
        ///     request.propertiesToFetch = [.init(.sum, of: try ConditionExpression(format: "price * amount"), alias: "turnover")]
        public init(_ function: Function? = nil, of expression: ConditionExpression, alias: String) {
            self.function = function
            self.expression = expression
            self.alias = alias
        }

        /// A figure about the values at a key path; the column is called as the path unless told otherwise.
        public init(_ function: Function?, of keyPath: String, alias: String? = nil) {
            self.function = function
            self.expression = .keyPath(keyPath)
            self.alias = alias ?? keyPath
        }
    }
}

extension FetchRequest.Selection {
    /// **Value.** A figure about the values of a group. Nil never takes part; of no values at all every figure is nil,
    /// but the count is 0.
    public enum Function: Sendable, Hashable, CaseIterable {
        /// How many values there are: an integer.
        case count
        /// All together: a decimal, exact for whole and decimal numbers.
        case sum
        /// The arithmetic mean: a decimal, exact for decimal numbers.
        case average
        /// The smallest: of the property's type.
        case minimum
        /// The largest: of the property's type.
        case maximum
        /// The one in the middle, or the mean of the two in the middle: of the property's type, so a whole number
        /// loses its fraction.
        case median
        /// The standard deviation of the values as a whole population: a decimal.
        case standardDeviation
    }
}

extension FetchRequest.Selection.Function {
    /// The function's name for messages.
    package var name: String {
        switch self {
        case .count: "count"
        case .sum: "sum"
        case .average: "average"
        case .minimum: "minimum"
        case .maximum: "maximum"
        case .median: "median"
        case .standardDeviation: "standard deviation"
        }
    }
}
