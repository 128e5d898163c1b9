/// **Value.** One thing that results are sorted by.
///
/// Nil comes first in ascending order, last in descending order.
public struct SortTerm: Sendable, Hashable {
    /// **Value.** How text is ordered.
    public enum Comparator: Sendable, Hashable {
        /// By Unicode scalars; the only order that an index serves.
        case standard
        /// Without regard to case.
        case caseInsensitive
        /// As a person of the machine's locale sorts names: numbers inside text by value, without regard to case.
        case localizedStandard
    }

    /// The value to sort by: a path over attributes and to-one relationships, or the name of a selection.
    public var keyPath: String
    /// Whether the smallest comes first.
    public var ascending: Bool
    /// How text is ordered.
    public var comparator: Comparator

    /// Describes what to sort by.
    public init(_ keyPath: String, ascending: Bool = true, comparator: Comparator = .standard) {
        self.keyPath = keyPath
        self.ascending = ascending
        self.comparator = comparator
    }
}
