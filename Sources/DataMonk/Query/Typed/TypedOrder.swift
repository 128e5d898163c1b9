public import DataMonkCore

/// **Value.** What the results of a query are sorted by, written with key paths.
///
/// ```swift
/// try World.fetchAll(Person.self, orderBy: .ascending(\.friend.name) | .descending(\.age))
/// // SELECT … LEFT JOIN ZPERSON t1 ON t1.Z_PK = t0.ZFRIEND ORDER BY t1.ZNAME, t0.ZAGE DESC
/// ```
/// As ``OrderBy``: nil comes first in ascending order.
public struct TypedOrder<Object: ManagedObject>: Sendable {
    /// The engine's form, the most significant term first.
    public let terms: [SortTerm]

    private init(_ terms: [SortTerm]) { self.terms = terms }

    /// The smallest first.
    public static func ascending<Value, Result>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Result>>, comparator: SortTerm.Comparator = .standard
    ) -> TypedOrder {
        TypedOrder([SortTerm(Object.path(key), comparator: comparator)])
    }

    /// The largest first.
    public static func descending<Value, Result>(
        _ key: KeyPath<TypedObject<Object>, TypedKey<Value, Result>>, comparator: SortTerm.Comparator = .standard
    ) -> TypedOrder {
        TypedOrder([SortTerm(Object.path(key), ascending: false, comparator: comparator)])
    }

    /// The rows with the smallest of a column first: `.ascending(.average(\.age))`.
    public static func ascending<Result>(_ column: TypedColumn<Object, Result>) -> TypedOrder {
        TypedOrder([SortTerm(column.selection.alias)])
    }

    /// The rows with the largest of a column first.
    public static func descending<Result>(_ column: TypedColumn<Object, Result>) -> TypedOrder {
        TypedOrder([SortTerm(column.selection.alias, ascending: false)])
    }

    /// The first term decides; where it finds no difference, the second.
    public static func | (left: TypedOrder, right: TypedOrder) -> TypedOrder { TypedOrder(left.terms + right.terms) }

    /// The same by names.
    var untyped: OrderBy { OrderBy(terms) }
}

extension IdentifiedObject where Self: ManagedObject {
    /// The names along a key path.
    static func path<Value, Result>(_ key: KeyPath<TypedObject<Self>, TypedKey<Value, Result>>) -> String {
        TypedObject<Self>()[keyPath: key].expression.keyPathName
    }
}
