public import DataMonkCore

/// **Value.** What the results of a query are sorted by.
///
/// ```swift
/// try World.fetchAll(Person.self, orderBy: .Ascending("name") | .Descending("age"))
/// // SELECT … ORDER BY t0.ZNAME, t0.ZAGE DESC
/// ```
/// A key may be a path over to-one relationships; in a query with columns it may be a column's name. Nil comes first in
/// ascending, last in descending order.
public struct OrderBy: Sendable, Hashable {
    /// The engine's form, the most significant term first.
    public var terms: [SortTerm]

    /// Sorts by some terms, the most significant first.
    public init(_ terms: [SortTerm]) { self.terms = terms }

    /// The first term decides; where it finds no difference, the second.
    public static func | (left: OrderBy, right: OrderBy) -> OrderBy { OrderBy(left.terms + right.terms) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension OrderBy {
    /// The smallest first. `ORDER BY ZNAME`
    public static func Ascending(_ keyPath: String, comparator: SortTerm.Comparator = .standard) -> OrderBy {
        OrderBy([SortTerm(keyPath, comparator: comparator)])
    }

    /// The largest first. `ORDER BY ZNAME DESC`
    public static func Descending(_ keyPath: String, comparator: SortTerm.Comparator = .standard) -> OrderBy {
        OrderBy([SortTerm(keyPath, ascending: false, comparator: comparator)])
    }

    /// A term that was made elsewhere.
    public static func Sort(_ term: SortTerm) -> OrderBy { OrderBy([term]) }
}
