public import DataMonkCore
public import Foundation

/// **Value.** A column of a query for rows of values, written with a key path; `Result` is what it holds.
///
/// ```swift
/// let rows = try World.query(
///     Person.self, .select(\.location), .average(\.age), .count, groupBy: .key(\.location))
/// // SELECT t0.ZLOCATION, AVG(t0.ZAGE), COUNT(*) FROM ZPERSON t0 GROUP BY t0.ZLOCATION
/// for (location, mean, people) in rows { … }       // String?, Decimal?, Int
/// ```
/// Figures leave nil out; of no values at all a count is 0 and every other figure nil.
public struct TypedColumn<Object: ManagedObject, Result>: Sendable {
    /// The engine's form.
    public let selection: FetchRequest.Selection
    /// The typed form of what a row holds.
    let read: @Sendable (ManagedValue) -> Result

    private init(_ selection: FetchRequest.Selection, read: @escaping @Sendable (ManagedValue) -> Result) {
        self.selection = selection
        self.read = read
    }
}

extension TypedColumn where Result: ManagedAttribute {
    private init(_ function: FetchRequest.Selection.Function?, _ path: String) {
        let alias = function.map { "\($0.name) of \(path)" }
        self.init(FetchRequest.Selection(function, of: path, alias: alias)) { value in
            Result(managedValue: value) ?? Result.fallback
        }
    }

    /// The value itself. A stored value that the type does not know reads as the type's fallback, as in an object.
    public static func select<Value>(_ key: KeyPath<TypedObject<Object>, TypedKey<Value, Result>>) -> TypedColumn {
        TypedColumn(nil, Object.path(key))
    }

    /// All values together, exact for whole and decimal numbers.
    public static func sum<Value, Some>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>
    ) -> TypedColumn where Value: Numeric, Result == Decimal? {
        TypedColumn(.sum, Object.path(key))
    }

    /// The arithmetic mean, exact for decimal numbers.
    public static func average<Value, Some>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>
    ) -> TypedColumn where Value: Numeric, Result == Decimal? {
        TypedColumn(.average, Object.path(key))
    }

    /// The standard deviation of the values as a whole population.
    public static func stdDev<Value, Some>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>
    ) -> TypedColumn where Value: Numeric, Result == Decimal? {
        TypedColumn(.standardDeviation, Object.path(key))
    }

    /// The smallest value.
    public static func min<Value, Some>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>
    ) -> TypedColumn where Result == Value? {
        TypedColumn(.minimum, Object.path(key))
    }

    /// The largest value.
    public static func max<Value, Some>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>
    ) -> TypedColumn where Result == Value? {
        TypedColumn(.maximum, Object.path(key))
    }

    /// The value in the middle, or the mean of the two in the middle.
    public static func median<Value, Some>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>
    ) -> TypedColumn where Result == Value? {
        TypedColumn(.median, Object.path(key))
    }
}

extension TypedColumn where Result == Int {
    /// How many values there are, nil left out.
    public static func count<Value, Some>(_ key: KeyPath<TypedObject<Object>, TypedKey<Value, Some>>) -> TypedColumn {
        TypedColumn(.count, Object.path(key))
    }

    /// How many objects there are.
    public static var count: TypedColumn { TypedColumn(.count, "self") }
}

extension TypedColumn {
    /// The id of the object that a to-one leads to.
    public static func select<Destination>(
        _ key: KeyPath<TypedObject<Object>, TypedLink<Destination>>
    ) -> TypedColumn where Result == ObjectID<Destination>? {
        TypedColumn(FetchRequest.Selection(TypedObject<Object>()[keyPath: key].place.expression.keyPathName)) { value in
            if case .object(let id) = value { ObjectID(id) } else { nil }
        }
    }
}
