import DataMonkCore

/// **Confined.** Tells the objects of a context that a row has changed, whatever did that: its values, the other end of a
/// relationship, a delete rule, or code of a class. Each row is a user event of the context.
final class RowChanges {
    private let context: ManagedObjectContext
    private var observation: ContextObservation?
    private var objects: [ManagedObject] = []

    init(of context: ManagedObjectContext) {
        self.context = context
        observation = context.observeChanges { [weak self] changes in
            // Not those that others have committed, and that a hook has merged.
            self?.objects += changes.objectsOfEvent
        }
    }

    /// Ends the event. Returns the objects that have changed since the last call, each once.
    func take() -> [ManagedObject] {
        context.processPendingChanges()
        defer { objects = [] }
        var seen: Set<ManagedObject> = []
        // Code of a class may have ended events of its own.
        return objects.filter { seen.insert($0).inserted }
    }
}

@available(*, unavailable)
extension RowChanges: Sendable {}
