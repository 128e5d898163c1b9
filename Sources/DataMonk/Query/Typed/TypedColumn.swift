public import DataMonkCore
public import Foundation

/// **Value.** A column of a query for rows of values, written with a key path. `Result` is the type of its values.
///
/// ```swift
/// let rows = try World.query(
///     Person.self, .select(\.location), .average(\.age), .count, groupBy: .key(\.location))
/// // SELECT t0.ZLOCATION, AVG(t0.ZAGE), COUNT(*) FROM ZPERSON t0 GROUP BY t0.ZLOCATION
/// for (location, mean, people) in rows { … }       // String?, Decimal?, Int
/// ```
/// Aggregates ignore `nil`. Over no values at all, a count is 0 and every other aggregate is `nil`.
public struct TypedColumn<Object: ManagedObject, Result>: Sendable {
    /// The selection of the column.
    public let selection: FetchRequest.Selection
    /// Reads the next value of a row in its Swift type.
    @usableFromInline let read: @Sendable (inout ValueRows.Cursor) -> Result

    @usableFromInline
    init(_ selection: FetchRequest.Selection, read: @escaping @Sendable (inout ValueRows.Cursor) -> Result) {
        self.selection = selection
        self.read = read
    }
}

extension TypedColumn where Result: ManagedAttribute {
    // Inlinable, as `select` is: `read` may run for each of many rows. See `query`.
    @inlinable
    init(_ function: FetchRequest.Selection.Function?, of path: String) {
        self.init(.typed(function, of: path)) { row in Result(managedValue: row.next()) ?? Result.fallback }
    }

    /// The value itself. A stored value unknown to the type reads as the type's fallback, as it does in an object.
    @inlinable
    public static func select<Value>(_ key: KeyPath<TypedObject<Object>, TypedKey<Value, Result>>) -> TypedColumn {
        TypedColumn(nil, of: Object.path(key))
    }

    /// The sum of the values; exact for integers and decimals.
    public static func sum<Value, Some>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>
    ) -> TypedColumn where Value: Numeric, Result == Decimal? {
        TypedColumn(.sum, of: Object.path(key))
    }

    /// The arithmetic mean; exact for decimals.
    public static func average<Value, Some>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>
    ) -> TypedColumn where Value: Numeric, Result == Decimal? {
        TypedColumn(.average, of: Object.path(key))
    }

    /// The population standard deviation of the values.
    public static func stdDev<Value, Some>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>
    ) -> TypedColumn where Value: Numeric, Result == Decimal? {
        TypedColumn(.standardDeviation, of: Object.path(key))
    }

    /// The smallest value.
    public static func min<Value, Some>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>
    ) -> TypedColumn where Result == Value? {
        TypedColumn(.minimum, of: Object.path(key))
    }

    /// The largest value.
    public static func max<Value, Some>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>
    ) -> TypedColumn where Result == Value? {
        TypedColumn(.maximum, of: Object.path(key))
    }

    /// The median: the middle value, or the mean of the two middle values.
    public static func median<Value, Some>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>
    ) -> TypedColumn where Result == Value? {
        TypedColumn(.median, of: Object.path(key))
    }
}

// By closures: of calculations, and for queries that run again and again. Swift makes a key path through `TypedObject` anew each
// time, which takes longer than a small query.
extension TypedColumn where Result: ManagedAttribute {
    /// The value of a key or of a calculation: `.select { $0.price * $0.amount }`.
    @inlinable
    public static func select<Value>(_ value: (TypedObject<Object>) -> TypedKey<Value, Result>) -> TypedColumn {
        TypedColumn(nil, of: value)
    }

    /// The sum of the values of a calculation; exact for integers and decimals.
    public static func sum<Value, Some>(
        _ value: (TypedObject<Object>) -> TypedKey<Value, Some>
    ) -> TypedColumn where Value: Numeric, Result == Decimal? {
        TypedColumn(.sum, of: value)
    }

    /// The arithmetic mean of the values of a calculation; exact for decimals.
    public static func average<Value, Some>(
        _ value: (TypedObject<Object>) -> TypedKey<Value, Some>
    ) -> TypedColumn where Value: Numeric, Result == Decimal? {
        TypedColumn(.average, of: value)
    }

    /// The population standard deviation of the values of a calculation.
    public static func stdDev<Value, Some>(
        _ value: (TypedObject<Object>) -> TypedKey<Value, Some>
    ) -> TypedColumn where Value: Numeric, Result == Decimal? {
        TypedColumn(.standardDeviation, of: value)
    }

    /// The smallest value of a calculation.
    public static func min<Value, Some>(
        _ value: (TypedObject<Object>) -> TypedKey<Value, Some>
    ) -> TypedColumn where Result == Value? {
        TypedColumn(.minimum, of: value)
    }

    /// The largest value of a calculation.
    public static func max<Value, Some>(
        _ value: (TypedObject<Object>) -> TypedKey<Value, Some>
    ) -> TypedColumn where Result == Value? {
        TypedColumn(.maximum, of: value)
    }

    /// The median of the values of a calculation: the middle value, or the mean of the two middle values.
    public static func median<Value, Some>(
        _ value: (TypedObject<Object>) -> TypedKey<Value, Some>
    ) -> TypedColumn where Result == Value? {
        TypedColumn(.median, of: value)
    }

    @inlinable
    init<Value, Some>(
        _ function: FetchRequest.Selection.Function?, of value: (TypedObject<Object>) -> TypedKey<Value, Some>
    ) {
        self.init(.typed(function, of: value(.fetched))) { row in Result(managedValue: row.next()) ?? Result.fallback }
    }
}

extension TypedColumn where Result == Int {
    /// The number of values that are not `nil`.
    public static func count<Value, Some>(_ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>) -> TypedColumn {
        TypedColumn(.count, of: Object.path(key))
    }

    /// The number of values of a calculation that are not `nil`.
    public static func count<Value, Some>(_ value: (TypedObject<Object>) -> TypedKey<Value, Some>) -> TypedColumn {
        TypedColumn(.count, of: value)
    }

    /// The number of objects.
    public static var count: TypedColumn { TypedColumn(.count, of: "self") }
}

extension TypedColumn {
    /// The id of a to-one relationship's destination.
    public static func select<Destination>(
        _ key: KeyPath<TypedObject<Object>, TypedLink<Destination>>
    ) -> TypedColumn where Result == ObjectID<Destination>? {
        TypedColumn(FetchRequest.Selection(TypedObject<Object>()[keyPath: key].place.expression.keyPathName)) { row in
            if case .object(let id) = row.next() { ObjectID(id) } else { nil }
        }
    }
}

extension FetchRequest.Selection {
    /// Returns the selection of a typed column, with its name.
    @usableFromInline
    static func typed(_ function: Function?, of path: String) -> Self {
        typed(function, of: .keyPath(path), named: path)
    }

    /// Returns the selection of a typed column of a calculation.
    @usableFromInline
    static func typed<Value, Result>(_ function: Function?, of key: TypedKey<Value, Result>) -> Self {
        typed(function, of: key.expression, named: key.expression.keyPathName)
    }

    private static func typed(_ function: Function?, of expression: ConditionExpression, named name: String) -> Self {
        Self(function, of: expression, alias: function.map { "\($0.name) of \(name)" } ?? name)
    }
}
