/// **Value.** One criterion by which results are sorted.
///
/// `nil` comes first in ascending order and last in descending order.
public struct SortTerm: Sendable, Hashable {
    /// **Value.** The order of text.
    public enum Comparator: Sendable, Hashable {
        /// By Unicode scalars; the only order that an index provides.
        case standard
        /// Ignoring case.
        case caseInsensitive
        /// As a user in the machine's locale sorts names: numbers inside text by value, and ignoring case.
        case localizedStandard
    }

    /// The value to sort by: a path over attributes and to-one relationships, or the name of a selection. Grouped rows can
    /// also be sorted by an aggregate of each group's objects, `"@count"` or `"@sum.age"`.
    public var keyPath: String
    /// A Boolean value indicating whether the smallest value comes first.
    public var ascending: Bool
    /// The order of text.
    public var comparator: Comparator

    /// Creates a sort term.
    public init(_ keyPath: String, ascending: Bool = true, comparator: Comparator = .standard) {
        self.keyPath = keyPath
        self.ascending = ascending
        self.comparator = comparator
    }
}
