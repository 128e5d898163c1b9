/// **Confined.** The objects of a context that were deleted since delete rules were last applied, in the order of their
/// deletion.
///
/// Rules are applied in waves, so that the objects of a wave are read together. The objects that a cascade deletes form
/// the next wave.
///
/// An object in this list may no longer need its rules to be applied: its deletion was reverted, or its rules have been
/// applied. Conversely, an object whose rules must be applied again, such as after a conflict, need not be in this list:
/// a save collects all of them.
struct PendingDeletions {
    private var objects: ContiguousArray<ManagedObject> = []

    var isEmpty: Bool { objects.isEmpty }

    /// Adds an object that has just been marked as deleted.
    mutating func add(_ object: ManagedObject) { objects.append(object) }

    /// Collects all objects whose rules have yet to be applied.
    ///
    /// - Parameter changed: The objects of the context with unsaved changes.
    mutating func collect(from changed: ContiguousArray<ManagedObject>) {
        objects = ContiguousArray(changed.lazy.filter(\.awaitsDeleteRules))
    }

    /// Returns the objects whose rules are to be applied now, without duplicates. They stay here until that has been
    /// done.
    mutating func nextWave() -> ContiguousArray<ManagedObject> {
        var seen: Set<ObjectIdentifier> = []
        // An object that was deleted, restored and deleted again was added twice.
        objects.removeAll { !$0.awaitsDeleteRules || !seen.insert(ObjectIdentifier($0)).inserted }
        return objects
    }

    mutating func removeAll() { objects = [] }
}

extension ManagedObject {
    /// Indicates whether the object is deleted and its delete rules have yet to be applied.
    final nonisolated var awaitsDeleteRules: Bool {
        state.contains(.deleted) && !state.contains(.propagated)
    }
}
