public import DataMonkCore

/// **Value.** A group of rows in the condition on groups of a typed query: what `$0` is in `having`.
///
///     try World.query(
///         Person.self, .select(\.location), .average(\.age), groupBy: .key(\.location),
///         having: { $0[.average(\.age)] > 18 })
///
/// Its values are the query's columns; another column throws a `FetchError` before the store is asked.
public struct TypedGroup<Object: ManagedObject>: Sendable {
    init() {}

    /// A column of the query.
    public subscript<Value: ManagedAttribute>(_ column: TypedColumn<Object, Value>) -> TypedKey<Value, Value> {
        TypedKey(.keyPath(column.selection.alias))
    }

    /// A column of the query that may be nil.
    public subscript<Value: ManagedAttribute>(_ column: TypedColumn<Object, Value?>) -> TypedKey<Value, Value?> {
        TypedKey(.keyPath(column.selection.alias))
    }
}
