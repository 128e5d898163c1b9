public import Foundation

/// **Value.** The changes that one event made to fetched results: the difference between two snapshots.
///
///     let observation = controller.observeChanges { changes in
///         for change in changes.sections { … }             // sections first
///         for change in changes.objects { … }
///     }
///
/// Index paths of deletions, and the old index paths of moves, refer to the results before the event. Index paths of
/// insertions, and the new index paths of moves, refer to the results after it. Objects whose position changed only because
/// of others are not listed.
///
/// ``FetchedResultsSnapshot/apply(_:)`` applies the changes in these steps:
///
/// 1. Remove the deleted and moved objects, from the back.
/// 2. Remove the deleted sections, from the back.
/// 3. Insert the new sections.
/// 4. Insert the new and moved objects, from the front.
public struct FetchedResultsChanges: Hashable, Sendable {
    /// The version of the results after the change, which is one more than before it. A gap in the versions means that a
    /// difference was not reported, such as that of `performFetch`.
    public let version: Int
    /// The deleted sections, by their old indexes, followed by the inserted sections, by their new indexes.
    public internal(set) var sections: [SectionChange] = []
    /// The deletions, insertions, moves and updates, in this order. Each object occurs once.
    public internal(set) var objects: [ObjectChange] = []
    /// A Boolean value indicating whether the results as a whole are invalid and need a new fetch.
    ///
    /// This happens if the context was reset, or if the results could not be determined, in which case the error was
    /// reported to the stack's error handler. No individual changes are listed. `performFetch` restores the results.
    public internal(set) var requiresFetch = false

    /// The objects that were results before and are, and whose values have changed: those whose cells a diffable data source
    /// reconfigures. None has to be reloaded, since an id stands for the same object always.
    public var reconfigured: [AnyObjectID] {
        objects.filter { $0.indexPath != nil && $0.newIndexPath != nil }.map(\.objectID)
    }
}

extension FetchedResultsChanges {
    /// **Value.** The insertion or deletion of a section.
    public struct SectionChange: Hashable, Sendable {
        /// **Value.** The kind of a section's change.
        public enum Kind: Hashable, Sendable {
            /// The section is new.
            case insert
            /// The section is removed because it is empty.
            case delete
        }

        /// The kind of change.
        public let kind: Kind
        /// The section's index: before the change for a deletion, after it for an insertion.
        public let index: Int
        /// The section's name.
        public let name: String
        /// The number of objects in the section after the change: 0 for a deletion.
        public let count: Int
    }

    /// **Value.** A change of an object in the results.
    public struct ObjectChange: Hashable, Sendable {
        /// **Value.** The kind of an object's change.
        public enum Kind: Hashable, Sendable {
            /// The object was at this index path and is no longer a result.
            case delete(IndexPath)
            /// The object is now a result, at this index path.
            case insert(IndexPath)
            /// A sort value or the section of the object has changed, and perhaps other values. The object was at the first
            /// index path and is now at the second, which may be equal to it.
            case move(IndexPath, IndexPath)
            /// Other values of the object have changed. The object was at the first index path and is now at the second,
            /// which differs if objects before it were inserted or deleted.
            case update(IndexPath, IndexPath)
        }

        /// The object's id, as snapshots name it.
        public let objectID: AnyObjectID
        /// The kind of change.
        public let kind: Kind

        /// The index path before the change, or `nil` if the object was not a result.
        public var indexPath: IndexPath? {
            switch kind {
            case .delete(let old), .move(let old, _), .update(let old, _): old
            case .insert: nil
            }
        }

        /// The index path after the change, or `nil` if the object is no longer a result.
        public var newIndexPath: IndexPath? {
            switch kind {
            case .insert(let new), .move(_, let new), .update(_, let new): new
            case .delete: nil
            }
        }
    }
}
