/// **Confined.** The changes that one undo reverts: those of some events, oldest first.
final class UndoStep {
    var events: [[ObjectDelta]] = []
    var actionName = ""
    /// The read that has failed, if other steps had to be joined to this one for that: to revert it reverts more than was
    /// asked for.
    var joinedAfter: FailedAccess?

    init() {}

    init(_ event: [ObjectDelta], actionName: String) {
        events = [event]
        self.actionName = actionName
    }

    /// Indicates whether the step cannot be reverted without what delete rules have changed that were applied after it:
    /// it has changed the same objects, or its own deletions have waited for these rules.
    func depends(onRules changes: [ObjectDelta]) -> Bool {
        let objects = Set(changes.map { ObjectIdentifier($0.object) })
        return events.joined().contains { delta in
            delta.before == .present && delta.after == .deleted || objects.contains(ObjectIdentifier(delta.object))
        }
    }
}

@available(*, unavailable)
extension UndoStep: Sendable {}
