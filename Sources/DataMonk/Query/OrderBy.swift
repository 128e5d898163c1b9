public import DataMonkCore

/// **Value.** The sort order of a query's results.
///
/// ```swift
/// try World.fetchAll(Person.self, orderBy: .Ascending("name") | .Descending("age"))
/// // SELECT … ORDER BY t0.ZNAME, t0.ZAGE DESC
/// ```
/// A key may be a path over to-one relationships. In a query with columns it may be the name of a column. `nil` sorts first
/// in ascending order and last in descending order.
public struct OrderBy: Sendable, Hashable {
    /// The sort terms, most significant first.
    public var terms: [SortTerm]

    /// Creates an order from sort terms, most significant first.
    public init(_ terms: [SortTerm]) { self.terms = terms }

    /// Sorts by the left order, and by the right one where the left finds no difference.
    public static func | (left: OrderBy, right: OrderBy) -> OrderBy { OrderBy(left.terms + right.terms) }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
extension OrderBy {
    /// Sorts the smallest value first. `ORDER BY ZNAME`
    public static func Ascending(_ keyPath: String, comparator: SortTerm.Comparator = .standard) -> OrderBy {
        OrderBy([SortTerm(keyPath, comparator: comparator)])
    }

    /// Sorts the largest value first. `ORDER BY ZNAME DESC`
    public static func Descending(_ keyPath: String, comparator: SortTerm.Comparator = .standard) -> OrderBy {
        OrderBy([SortTerm(keyPath, ascending: false, comparator: comparator)])
    }

    /// Sorts by an existing sort term.
    public static func Sort(_ term: SortTerm) -> OrderBy { OrderBy([term]) }
}
