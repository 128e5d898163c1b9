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
    /// The objects whose rules could not be read when an event ended, and the cause.
    private var unread: (objects: ContiguousArray<ManagedObject>, cause: any Error)?

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
        if objects.isEmpty { unread = nil }
        return objects
    }

    mutating func removeAll() {
        objects = []
        unread = nil
    }

    /// Records that the rules could not be read, and that the event of the deletions ends all the same.
    mutating func noteFailure(_ cause: any Error) { unread = (objects, cause) }

    /// The read that has failed, if there are still deleted objects whose rules could not be read when their event ended.
    var failure: FailedAccess? {
        guard let unread, let object = unread.objects.first(where: \.awaitsDeleteRules) else { return nil }
        return FailedAccess(.read, of: object.anyObjectID, propertyName: nil, cause: unread.cause)
    }
}

@available(*, unavailable)
extension PendingDeletions: Sendable {}

extension ManagedObject {
    /// Indicates whether the object is deleted and its delete rules have yet to be applied.
    final nonisolated var awaitsDeleteRules: Bool {
        state.contains(.deleted) && !state.contains(.propagated)
    }
}
