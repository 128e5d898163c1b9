import Foundation

/// **Value.** Fetched results by id at one moment, free to cross isolation.
///
///     var snapshot = controller.snapshot
///     for await changes in controller.changes {
///         if !snapshot.apply(changes) { snapshot = controller.snapshot }
///     }
public struct FetchedResultsSnapshot: Hashable, Sendable {
    /// **Value.** A section and the ids of its objects.
    public struct Section: Hashable, Sendable {
        /// The section's name.
        public let name: String
        /// The ids of its objects, in order.
        ///
        /// An object that came in before its first save keeps the temporary id here until the results are fetched
        /// again, so that it stays the same to whoever compares snapshots. Its context finds it by either id; other
        /// contexts want the one that the object itself tells.
        public internal(set) var objectIDs: [AnyObjectID]
    }

    /// The number of the results: each change of them has the next one.
    public internal(set) var version: Int
    /// The sections in order; one without a name if the results have no sections.
    public internal(set) var sections: [Section]

    /// The ids of all objects, in order.
    public var objectIDs: [AnyObjectID] { sections.flatMap(\.objectIDs) }

    /// Makes this the snapshot after a change. A change that it knows already does nothing.
    ///
    /// - Returns: false if changes before this one are missing or a new fetch is needed; the snapshot stays as it is
    ///   then, and a new one is to be taken.
    public mutating func apply(_ changes: FetchedResultsChanges) -> Bool {
        if changes.version <= version { return true }
        guard changes.version == version + 1, !changes.requiresFetch else { return false }
        var next = sections
        guard remove(changes, from: &next), insert(changes, into: &next) else { return false }
        version = changes.version
        sections = next
        return true
    }

    // Both answer false for a place that there is not: changes of other results.

    private func remove(_ changes: FetchedResultsChanges, from next: inout [Section]) -> Bool {
        let left = changes.objects.filter(\.leavesItsPlace).compactMap(\.indexPath).sorted()
        for path in left.reversed() {
            guard path.count == 2, next.indices.contains(path[0]), next[path[0]].objectIDs.indices.contains(path[1])
            else { return false }
            next[path[0]].objectIDs.remove(at: path[1])
        }
        for change in changes.sections.reversed() where change.kind == .delete {
            guard next.indices.contains(change.index) else { return false }
            next.remove(at: change.index)
        }
        return true
    }

    private func insert(_ changes: FetchedResultsChanges, into next: inout [Section]) -> Bool {
        for change in changes.sections where change.kind == .insert {
            guard change.index <= next.count else { return false }
            next.insert(Section(name: change.name, objectIDs: []), at: change.index)
        }
        let taken = changes.objects.filter(\.takesNewPlace).compactMap { change in
            change.newIndexPath.map { (path: $0, id: change.objectID) }
        }
        for (path, id) in taken.sorted(by: { $0.path < $1.path }) {
            guard path.count == 2, next.indices.contains(path[0]), path[1] <= next[path[0]].objectIDs.count
            else { return false }
            next[path[0]].objectIDs.insert(id, at: path[1])
        }
        return true
    }
}

extension FetchedResultsChanges.ObjectChange {
    fileprivate var leavesItsPlace: Bool {
        switch kind {
        case .delete, .move: true
        case .insert, .update: false
        }
    }

    fileprivate var takesNewPlace: Bool {
        switch kind {
        case .insert, .move: true
        case .delete, .update: false
        }
    }
}
