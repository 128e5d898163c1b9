public import DataMonkCore

/// **Value.** The sort order of a query's results, written with key paths.
///
/// ```swift
/// try World.fetchAll(Person.self, orderBy: .ascending(\.friend.name) | .descending(\.age))
/// // SELECT … LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZFRIEND ORDER BY t1.ZNAME, t0.ZAGE DESC
/// ```
/// Sorts as ``OrderBy`` does: `nil` comes first in ascending order.
public struct TypedOrder<Object: ManagedObject>: Sendable {
    /// The sort terms, most significant first.
    public let terms: [SortTerm]

    private init(_ terms: [SortTerm]) { self.terms = terms }

    /// Sorts the smallest value first.
    public static func ascending<Value, Result>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Result>>, comparator: SortTerm.Comparator = .standard
    ) -> TypedOrder {
        TypedOrder([SortTerm(Object.path(key), comparator: comparator)])
    }

    /// Sorts the largest value first.
    public static func descending<Value, Result>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Result>>, comparator: SortTerm.Comparator = .standard
    ) -> TypedOrder {
        TypedOrder([SortTerm(Object.path(key), ascending: false, comparator: comparator)])
    }

    /// Sorts the smallest value first, by a property of the class: `.ascending(\Person.name)`.
    ///
    /// A path over relationships has no class before it: `.ascending(\.friend.name)`.
    @_disfavoredOverload
    public static func ascending<Value: ManagedAttribute>(
        _ key: KeyPath<Object, Value>, comparator: SortTerm.Comparator = .standard
    ) -> TypedOrder {
        TypedOrder([SortTerm(Object.name(of: key), comparator: comparator)])
    }

    /// Sorts the largest value first, by a property of the class: `.descending(\Person.age)`.
    @_disfavoredOverload
    public static func descending<Value: ManagedAttribute>(
        _ key: KeyPath<Object, Value>, comparator: SortTerm.Comparator = .standard
    ) -> TypedOrder {
        TypedOrder([SortTerm(Object.name(of: key), ascending: false, comparator: comparator)])
    }

    /// Sorts the row with the smallest value of a column first: `.ascending(.average(\.age))`.
    public static func ascending<Result>(_ column: TypedColumn<Object, Result>) -> TypedOrder {
        TypedOrder([SortTerm(column.selection.alias)])
    }

    /// Sorts the row with the largest value of a column first.
    public static func descending<Result>(_ column: TypedColumn<Object, Result>) -> TypedOrder {
        TypedOrder([SortTerm(column.selection.alias, ascending: false)])
    }

    /// Sorts by the left order, and by the right one where the left finds no difference.
    public static func | (left: TypedOrder, right: TypedOrder) -> TypedOrder { TypedOrder(left.terms + right.terms) }

    /// The same order in its untyped form.
    var untyped: OrderBy { OrderBy(terms) }
}

extension IdentifiedObject where Self: ManagedObject {
    /// Returns the name of the property at a key path of one step.
    static func name(of key: PartialKeyPath<Self>) -> String {
        TypedPlace.fetched.value(at: key, of: Self.self).keyPathName
    }

    /// Returns the names along a key path.
    @usableFromInline
    static func path<Value, Result>(_ key: KeyPath<TypedObject<Self>, TypedKey<Value, Result>>) -> String {
        TypedObject<Self>()[keyPath: key].expression.keyPathName
    }
}
