import DataMonkCore
import DequeModule

/// **Confined.** Delivers the engine's change notices to the observers of a main context, in slices, one a turn.
///
///     idle --notice--> the first slice is delivered at once; the others wait --turn--> the next one … --> idle
///
/// Invariant: while slices wait, a turn is scheduled.
struct ChangeFeed {
    /// The observers, and the token that keeps the engine notifying this context; present while there are observers.
    var observers = ObserverList<ObjectChanges>()
    var engine: ContextObservation?
    private var waiting: Deque<ObjectChanges> = []

    /// Adds a notice.
    ///
    /// - Returns: `true` if the next slice should be delivered now, because no turn is scheduled that would deliver it.
    mutating func take(_ changes: ObjectChanges) -> Bool {
        // Everything may have changed, so the details no longer matter; the objects of a context that was reset no longer
        // exist.
        let isScheduled = !waiting.isEmpty
        if changes.isEverything { waiting.removeAll() }
        waiting.append(contentsOf: changes.slices)
        return !isScheduled
    }

    /// Returns the slice to deliver now; `isLast` is `false` if more slices wait for the next turn.
    mutating func next() -> (slice: ObjectChanges, isLast: Bool)? {
        guard let slice = waiting.popFirst() else { return nil }
        return (slice, waiting.isEmpty)
    }
}

@available(*, unavailable)
extension ChangeFeed: Sendable {}
