extension FetchRequest {
    /// **Value.** One column of a row of values: a property, or an aggregate of the property's values in a group.
    ///
    /// ```swift
    /// request.propertiesToFetch = [.init("location"), .init(.average, of: "age", alias: "mean age")]
    /// request.propertiesToGroupBy = ["location"]
    /// ```
    public struct Selection: Sendable, Hashable {
        /// The aggregate function, or `nil` for the value itself.
        public var function: Function?
        /// The expression that the column shows or aggregates.
        public var expression: ConditionExpression
        /// The column's name in the row, unique in the request.
        public var alias: String

        /// Creates a column for the value at a key path. Without an alias, the path is the column's name.
        public init(_ keyPath: String, alias: String? = nil) {
            self.init(nil, of: keyPath, alias: alias)
        }

        /// Creates a column for the value of an expression, or for an aggregate of its values.
        ///
        /// An expression may contain aggregates of the fetched objects, as Core Data writes them: `@count`, `@sum.age`,
        /// `@avg.age`, `@min.age`, `@max.age`, or `sum:`, `average:`, `min:`, `max:`, `count:`, `median:` and `stddev:` of
        /// a key path or a calculation. Each has the value and the type of the selection with that function, and what is
        /// outside of them must be in ``FetchRequest/propertiesToGroupBy``.
        ///
        ///     request.propertiesToFetch = [
        ///         .init(of: try ConditionExpression(format: "@sum.pages / @count"), alias: "mean")
        ///     ]
        ///     // SELECT datamonk_calculate('divide:by:', …, datamonk_compared_sum(t0.ZPAGES, 'i'), COUNT(*)) FROM ZBOOK t0
        ///
        ///     request.propertiesToFetch = [
        ///         .init(.sum, of: try ConditionExpression(format: "price * amount"), alias: "turnover")
        ///     ]
        public init(_ function: Function? = nil, of expression: ConditionExpression, alias: String) {
            self.function = function
            self.expression = expression
            self.alias = alias
        }

        /// Creates a column for an aggregate of the values at a key path. Without an alias, the path is the column's name.
        public init(_ function: Function?, of keyPath: String, alias: String? = nil) {
            self.function = function
            self.expression = .keyPath(keyPath)
            self.alias = alias ?? keyPath
        }

        // Not optional: beside an optional alias, Swift 6.3 takes a literal for an expression if the function is a variable.

        /// Creates a column, with a name of its own, for an aggregate of the values at a key path.
        public init(_ function: Function?, of keyPath: String, alias: String) {
            self.init(function, of: keyPath, alias: Optional(alias))
        }
    }
}

extension FetchRequest.Selection {
    /// **Value.** An aggregate function over the values of a group. `nil` values are ignored. Without values, every
    /// aggregate is `nil`, except that the count is 0.
    public enum Function: Sendable, Hashable, CaseIterable {
        /// The number of values: an integer.
        case count
        /// The sum: a decimal, exact for integers and decimals.
        case sum
        /// The arithmetic mean: a decimal, exact for decimals.
        case average
        /// The smallest value: of the property's type.
        case minimum
        /// The largest value: of the property's type.
        case maximum
        /// The median, or the mean of the middle two values: of the property's type, so for integers the fraction is
        /// dropped.
        case median
        /// The standard deviation of the values as an entire population: a decimal.
        case standardDeviation
    }
}

extension FetchRequest.Selection.Function {
    /// The function's name in messages.
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
