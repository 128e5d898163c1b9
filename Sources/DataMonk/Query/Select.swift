public import DataMonkCore

/// **Value.** The columns of a query for rows of values.
///
/// ```swift
/// let rows = try World.query(Person.self, .Select("location") | .Average("age", alias: "mean"), groupBy: %"location")
/// // SELECT t0.ZLOCATION, AVG(t0.ZAGE) FROM ZPERSON t0 GROUP BY t0.ZLOCATION
/// for row in rows { print(row["location"], row["mean"]) }
/// ```
/// A column is called as its key path unless it gets an alias; no two columns of a query may have one name. Figures leave
/// nil out; of no values at all a count is 0 and every other figure nil.
public struct Select: Sendable, Hashable {
    /// The engine's form, a selection a column.
    public var selections: [FetchRequest.Selection]

    /// Some columns, in order.
    public init(_ selections: [FetchRequest.Selection]) { self.selections = selections }

    /// The columns of both, in order.
    public static func | (left: Select, right: Select) -> Select { Self(left.selections + right.selections) }

    private init(_ function: FetchRequest.Selection.Function, _ keyPath: String, _ alias: String?) {
        self.init([FetchRequest.Selection(function, of: keyPath, alias: alias)])
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension Select {
    /// A column for each key path: its value.
    public static func Select(_ keyPaths: String...) -> Select {
        Self(keyPaths.map { FetchRequest.Selection($0) })
    }

    /// A column with what a format string works out: `"price * amount"`.
    ///
    ///     try World.query(Order.self, try .Expression("price * amount", alias: "total"))
    ///
    /// - Throws: `FetchError`, naming the position, for a format that is no expression; see
    ///   `ConditionExpression.init(format:_:)`.
    public static func Expression(
        _ format: String, _ arguments: any FormatArgument..., alias: String
    ) throws(FetchError) -> Select {
        let expression = try ConditionExpression(format: format, arguments: arguments.map(\.formatArgument))
        return Self([FetchRequest.Selection(of: expression, alias: alias)])
    }

    /// A column with the value of an expression.
    public static func Expression(_ expression: ConditionExpression, alias: String) -> Select {
        Self([FetchRequest.Selection(of: expression, alias: alias)])
    }

    /// The arithmetic mean, a decimal. `AVG(ZAGE)`
    public static func Average(_ keyPath: String, alias: String? = nil) -> Select { Self(.average, keyPath, alias) }

    /// All values together, a decimal, exact for whole and decimal numbers. `datamonk_sum(ZAGE, 'i')`, of doubles `SUM(ZHEIGHT)`
    public static func Sum(_ keyPath: String, alias: String? = nil) -> Select { Self(.sum, keyPath, alias) }

    /// The standard deviation of the values as a whole population, a decimal. `datamonk_stddev(ZAGE, 'i')`
    public static func StdDev(_ keyPath: String, alias: String? = nil) -> Select {
        Self(.standardDeviation, keyPath, alias)
    }

    /// The smallest value, of the property's type. `MIN(ZAGE)`
    public static func Min(_ keyPath: String, alias: String? = nil) -> Select { Self(.minimum, keyPath, alias) }

    /// The largest value, of the property's type. `MAX(ZAGE)`
    public static func Max(_ keyPath: String, alias: String? = nil) -> Select { Self(.maximum, keyPath, alias) }

    /// The value in the middle, or the mean of the two in the middle; of the property's type. `datamonk_median(ZAGE, 'i')`
    public static func Median(_ keyPath: String, alias: String? = nil) -> Select { Self(.median, keyPath, alias) }

    /// How many values there are, an integer; of `"self"` how many objects. `COUNT(ZAGE)`
    public static func Count(_ keyPath: String, alias: String? = nil) -> Select { Self(.count, keyPath, alias) }

    /// A column that was made elsewhere.
    public static func Expression(_ selection: FetchRequest.Selection) -> Select { Self([selection]) }
}
