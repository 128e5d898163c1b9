/// **Confined.** The changes that one undo reverts: those of some events, oldest first.
struct UndoStep {
    var events: [[ObjectDelta]] = []
    var actionName = ""

    init() {}

    init(_ event: [ObjectDelta], actionName: String) {
        events = [event]
        self.actionName = actionName
    }
}

@available(*, unavailable)
extension UndoStep: Sendable {}
