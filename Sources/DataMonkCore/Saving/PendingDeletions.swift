/// **Confined.** The objects of a context that were deleted since delete rules were last applied, in the order of their
/// deletion.
///
/// Rules are applied in waves, so that the objects of a wave are read together. The objects that a cascade deletes make up
/// the next wave.
///
/// An object that waits here may need no rule any more: its deletion was taken back, or its rules have been applied. And an
/// object whose rules have to be applied again, such as after a conflict, need not wait here: a save collects all of them.
struct PendingDeletions {
    private var objects: ContiguousArray<ManagedObject> = []

    var isEmpty: Bool { objects.isEmpty }

    /// Adds an object that has just been marked as deleted.
    mutating func add(_ object: ManagedObject) { objects.append(object) }

    /// Collects every object whose rules are to be applied.
    ///
    /// - Parameter changed: the objects of the context with unsaved changes.
    mutating func collect(from changed: ContiguousArray<ManagedObject>) {
        objects = ContiguousArray(changed.lazy.filter(\.awaitsDeleteRules))
    }

    /// The objects whose rules are to be applied now, each once. They stay here until that has been done.
    mutating func nextWave() -> ContiguousArray<ManagedObject> {
        var seen: Set<ObjectIdentifier> = []
        // One that was deleted, taken back and deleted again was added twice.
        objects.removeAll { !$0.awaitsDeleteRules || !seen.insert(ObjectIdentifier($0)).inserted }
        return objects
    }

    mutating func removeAll() { objects = [] }
}

@available(*, unavailable)
extension PendingDeletions: Sendable {}

extension ManagedObject {
    /// A Boolean value indicating whether the object is deleted and its delete rules are still to be applied.
    final nonisolated var awaitsDeleteRules: Bool {
        state.contains(.deleted) && !state.contains(.propagated)
    }
}
