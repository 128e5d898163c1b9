public import Foundation

/// **Value.** What one event made of fetched results: the difference between two snapshots.
///
///     let observation = controller.observeChanges { changes in
///         for change in changes.sections { … }             // sections first
///         for change in changes.objects { … }
///     }
///
/// Index paths of deletions, and those that moves start from, are of the results before the event; index paths of
/// insertions, and those that moves lead to, are of the results after it. Objects that have only made room for others
/// are not named. To follow step by step: take the deleted objects and those that move out, from the back; the deleted
/// sections, from the back; put in the new sections; put in the new objects and those that moved, from the front.
/// ``FetchedResultsSnapshot/apply(_:)`` does just that.
public struct FetchedResultsChanges: Hashable, Sendable {
    /// The number of the results after the change: one more than before it. A missing number is a difference that was not
    /// told, as those of `performFetch` are not.
    public let version: Int
    /// Sections that went, by their places before, then sections that came, by their places after.
    public internal(set) var sections: [SectionChange] = []
    /// Deletions, insertions, moves and updates, in this order; each object once.
    public internal(set) var objects: [ObjectChange] = []
    /// Whether the results are gone as a whole, and nothing is named one by one: the context was reset, or what the
    /// results should be could not be found out, which the stack's error handler has heard. `performFetch` brings them
    /// back.
    public internal(set) var requiresFetch = false

    init(version: Int) { self.version = version }
}

extension FetchedResultsChanges {
    /// **Value.** A section that came or went.
    public struct SectionChange: Hashable, Sendable {
        /// **Value.** Whether a section came or went.
        public enum Kind: Hashable, Sendable {
            /// The section is new.
            case insert
            /// The section is gone, as it holds nothing any more.
            case delete
        }

        /// Whether it came or went.
        public let kind: Kind
        /// Its place: before the change if it went, after the change if it came.
        public let index: Int
        /// The section's name.
        public let name: String
        /// How many objects it holds after the change: none if it went.
        public let count: Int
    }

    /// **Value.** What became of an object's place.
    public struct ObjectChange: Hashable, Sendable {
        /// **Value.** What became of an object's place.
        public enum Kind: Hashable, Sendable {
            /// It was at this place, and is no result any more.
            case delete(IndexPath)
            /// It is a result now, at this place.
            case insert(IndexPath)
            /// A value it is sorted by has changed, or its section, and perhaps others of its values: it was at the
            /// first place and is at the second, which can have the same indexes.
            case move(IndexPath, IndexPath)
            /// Other values have changed: it was at the first place and is at the second, which differ if objects before
            /// it came or went.
            case update(IndexPath, IndexPath)
        }

        /// The object's id, as snapshots name it.
        public let objectID: AnyObjectID
        /// What became of its place.
        public let kind: Kind

        /// Its place before the change; nil if it was none of the results.
        public var indexPath: IndexPath? {
            switch kind {
            case .delete(let old), .move(let old, _), .update(let old, _): old
            case .insert: nil
            }
        }

        /// Its place after the change; nil if it is none of the results.
        public var newIndexPath: IndexPath? {
            switch kind {
            case .insert(let new), .move(_, let new), .update(_, let new): new
            case .delete: nil
            }
        }
    }
}
