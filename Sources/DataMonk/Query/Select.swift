public import DataMonkCore

/// **Value.** The columns of a query for rows of values.
///
/// ```swift
/// let rows = try World.query(Person.self, .Select("location") | .Average("age", alias: "mean"), groupBy: %"location")
/// // SELECT t0.ZLOCATION, AVG(t0.ZAGE) FROM ZPERSON t0 GROUP BY t0.ZLOCATION
/// for row in rows { print(row["location"], row["mean"]) }
/// ```
/// A column is named after its key path unless it has an alias. The names of a query's columns must be unique. Aggregates
/// ignore `nil`; over no values at all, a count is 0 and every other aggregate is `nil`.
public struct Select: Sendable, Hashable {
    /// The selections, one for each column.
    public var selections: [FetchRequest.Selection]

    /// Creates columns from selections, in order.
    public init(_ selections: [FetchRequest.Selection]) { self.selections = selections }

    /// Joins the columns of both, in order.
    public static func | (left: Select, right: Select) -> Select { Self(left.selections + right.selections) }

    private init(_ function: FetchRequest.Selection.Function, of keyPath: String, alias: String?) {
        self.init([FetchRequest.Selection(function, of: keyPath, alias: alias)])
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension Select {
    /// A column with the value of each key path.
    public static func Select(_ keyPaths: String...) -> Select {
        Self(keyPaths.map { FetchRequest.Selection($0) })
    }

    /// A column with the value of an expression that is given as a format string: `"price * amount"`.
    ///
    ///     try World.query(Order.self, try .Expression("price * amount", alias: "total"))
    ///
    /// It may contain aggregates of the fetched objects: `"@sum.price / @count"`, `"max:(price * amount)"`. `@sum.price` is
    /// what ``Sum(_:alias:)`` yields.
    ///
    /// - Throws: `FetchError`, with the position, if the format is not an expression; see
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

    /// The arithmetic mean, as a decimal. `AVG(ZAGE)`
    public static func Average(_ keyPath: String, alias: String? = nil) -> Select {
        Self(.average, of: keyPath, alias: alias)
    }

    /// The sum of the values, as a decimal; exact for integers and decimals. `datamonk_sum(ZAGE, 'i')`, for doubles
    /// `SUM(ZHEIGHT)`
    public static func Sum(_ keyPath: String, alias: String? = nil) -> Select { Self(.sum, of: keyPath, alias: alias) }

    /// The population standard deviation of the values, as a decimal. `datamonk_stddev(ZAGE, 'i')`
    public static func StdDev(_ keyPath: String, alias: String? = nil) -> Select {
        Self(.standardDeviation, of: keyPath, alias: alias)
    }

    /// The smallest value, in the property's type. `MIN(ZAGE)`
    public static func Min(_ keyPath: String, alias: String? = nil) -> Select {
        Self(.minimum, of: keyPath, alias: alias)
    }

    /// The largest value, in the property's type. `MAX(ZAGE)`
    public static func Max(_ keyPath: String, alias: String? = nil) -> Select {
        Self(.maximum, of: keyPath, alias: alias)
    }

    /// The median, in the property's type: the middle value, or the mean of the two middle values. `datamonk_median(ZAGE,
    /// 'i')`
    public static func Median(_ keyPath: String, alias: String? = nil) -> Select {
        Self(.median, of: keyPath, alias: alias)
    }

    /// The number of values, as an integer; for `"self"` the number of objects. `COUNT(ZAGE)`
    public static func Count(_ keyPath: String, alias: String? = nil) -> Select {
        Self(.count, of: keyPath, alias: alias)
    }

    /// A column for an existing selection.
    public static func Expression(_ selection: FetchRequest.Selection) -> Select { Self([selection]) }
}
