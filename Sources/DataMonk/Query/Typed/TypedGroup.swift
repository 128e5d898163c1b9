public import DataMonkCore

/// **Value.** A group of rows in a typed query's condition on groups: the `$0` of `having`.
///
///     try World.query(
///         Person.self, .select(\.location), .average(\.age), groupBy: .key(\.location),
///         having: { $0[.average(\.age)] > 18 })
///
/// Its values are the columns of the query. Any other column throws a `FetchError` before the query runs.
public struct TypedGroup<Object: ManagedObject>: Sendable {
    init() {}

    /// A column of the query.
    public subscript<Value: ManagedAttribute>(_ column: TypedColumn<Object, Value>) -> TypedKey<Value, Value> {
        TypedKey(.keyPath(column.selection.alias))
    }

    /// A column of the query whose value may be `nil`.
    public subscript<Value: ManagedAttribute>(_ column: TypedColumn<Object, Value?>) -> TypedKey<Value, Value?> {
        TypedKey(.keyPath(column.selection.alias))
    }
}
