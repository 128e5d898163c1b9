import DataMonkCore
import DequeModule

/// **Confined.** What observers of a main context are told: the engine's notices, cut into slices, one a turn.
///
///     idle --notice--> the first slice is told at once; the others wait --turn--> the next one … --> idle
///
/// Invariant: while slices wait, a turn is scheduled.
struct ChangeFeed {
    /// Who is told, and the token that keeps the engine telling this context; there while somebody observes.
    var observers = ObserverList<ObjectChanges>()
    var engine: ContextObservation?
    private var waiting: Deque<ObjectChanges> = []

    /// Takes a notice.
    ///
    /// - Returns: whether to tell the next slice now: no turn is scheduled that would.
    mutating func take(_ changes: ObjectChanges) -> Bool {
        // Everything may have changed: there is no need to tell what, and objects of a context that was reset are no
        // more.
        let isScheduled = !waiting.isEmpty
        if changes.isEverything { waiting.removeAll() }
        waiting.append(contentsOf: changes.slices)
        return !isScheduled
    }

    /// The slice to tell now, and whether others wait for the next turn.
    mutating func next() -> (slice: ObjectChanges, isLast: Bool)? {
        guard let slice = waiting.popFirst() else { return nil }
        return (slice, waiting.isEmpty)
    }
}

@available(*, unavailable)
extension ChangeFeed: Sendable {}
