import Foundation

/// **Value.** The ids of fetched results at one time, which can be sent to other isolation domains.
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
        /// The ids of the section's objects, in order.
        ///
        /// An object that appeared before its first save keeps its temporary id here until the results are fetched again,
        /// so that it stays the same object when snapshots are compared. Its context finds it by either id; other contexts
        /// need the id that the object itself returns.
        public internal(set) var objectIDs: [AnyObjectID]
    }

    /// The version of the results, which increases by one with each change.
    public internal(set) var version: Int
    /// The sections in order; a single one without a name if the results have no sections.
    public internal(set) var sections: [Section]

    /// The ids of all objects, in order.
    public var objectIDs: [AnyObjectID] { sections.flatMap(\.objectIDs) }

    /// Updates the snapshot to the state after a change. A change that it already contains has no effect.
    ///
    /// - Returns: `false` if earlier changes are missing or a new fetch is needed. The snapshot then stays as it is and
    ///   must be replaced by a new one.
    public mutating func apply(_ changes: FetchedResultsChanges) -> Bool {
        if changes.version <= version { return true }
        guard changes.version == version + 1, !changes.requiresFetch else { return false }
        var next = sections
        guard remove(changes, from: &next), insert(changes, into: &next) else { return false }
        version = changes.version
        sections = next
        return true
    }

    // Both return `false` for a position that does not exist, which means that the changes are of other results.

    private func remove(_ changes: FetchedResultsChanges, from next: inout [Section]) -> Bool {
        let left = Set(changes.objects.filter(\.leavesItsPlace).compactMap(\.indexPath)).sorted()
        guard left.allSatisfy({ $0.count == 2 }) else { return false }
        for (section, paths) in Dictionary(grouping: left, by: { $0[0] }) {
            guard next.indices.contains(section),
                paths.allSatisfy({ next[section].objectIDs.indices.contains($0[1]) })
            else { return false }
            next[section].objectIDs.remove(atAscending: paths.map { $0[1] })
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
        let sorted = taken.sorted { $0.path < $1.path }
        guard sorted.allSatisfy({ $0.path.count == 2 }) else { return false }
        for (section, entries) in Dictionary(grouping: sorted, by: { $0.path[0] }) {
            let isInserted =
                next.indices.contains(section)
                && next[section].objectIDs.insert(atAscending: entries.map { ($0.path[1], $0.id) })
            if !isInserted { return false }
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
