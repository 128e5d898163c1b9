/// **Confined.** The changes that one undo reverts: those of some events, oldest first.
struct UndoStep {
    var events: [[ObjectDelta]] = []
    var actionName = ""

    init() {}

    init(_ event: [ObjectDelta], actionName: String) {
        events = [event]
        self.actionName = actionName
    }

    /// Adds the changes of a save after the last event. Objects deleted with it, and those that referred to objects that
    /// it has deleted, are restored with those of that event: references between them are restored when both exist.
    mutating func amend(_ event: [ObjectDelta]) {
        let last = events.last ?? []
        let known = Set(last.map { ObjectIdentifier($0.object) })
        let deleted = Set(last.lazy.filter { $0.after == .deleted }.map { ObjectIdentifier($0.object) })
        func joins(_ delta: ObjectDelta) -> Bool {
            if known.contains(ObjectIdentifier(delta.object)) { return false }
            return delta.after == .deleted
                || delta.toOnes.contains { $0.destination.map { deleted.contains(ObjectIdentifier($0)) } ?? false }
        }
        guard !events.isEmpty, event.contains(where: joins) else { return events.append(event) }
        events[events.count - 1] += event.filter(joins)
        let rest = event.filter { !joins($0) }
        if !rest.isEmpty { events.append(rest) }
    }
}

@available(*, unavailable)
extension UndoStep: Sendable {}
