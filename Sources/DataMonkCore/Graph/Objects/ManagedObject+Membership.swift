/// Objects that have left their context: those whose deletion was saved, new objects that were deleted, and those that
/// were still held when the context was reset. They cannot be changed, since no change of them would be saved.
extension ManagedObject {
    /// Indicates whether the object belongs to its context.
    @usableFromInline
    final nonisolated var isMember: Bool { registration >= 0 }

    /// Throws if the object has left its context.
    package final nonisolated func requireMembership() throws(FetchError) {
        if !isMember { throw departureError }
    }

    /// The reason why an object that has left its context cannot be changed.
    final nonisolated var departureError: FetchError {
        if state.contains(.invalidated) { return .objectIsInvalidated(anyObjectID) }
        return .objectIsDeleted(anyObjectID)
    }

    /// Returns `true` if a property can be set. Otherwise the write is recorded as dropped, since setters cannot throw.
    @usableFromInline
    final nonisolated func canSet(_ slot: Int) -> Bool {
        if isMember { return true }
        dropWrite(of: slot, because: self)
        return false
    }

    /// Returns `true` if a relationship can be set to an object. Otherwise the write is recorded as dropped.
    final nonisolated func canSet(_ slot: Int, to destination: ManagedObject?) -> Bool {
        guard canSet(slot) else { return false }
        guard let destination, !destination.isMember else { return true }
        dropWrite(of: slot, because: destination)
        return false
    }

    /// Returns `true` if a relationship can be set to the given objects. Otherwise the write is recorded as dropped.
    final nonisolated func canSet(_ slot: Int, to destinations: some Sequence<ManagedObject>) -> Bool {
        guard canSet(slot) else { return false }
        guard let departed = destinations.first(where: { !$0.isMember }) else { return true }
        dropWrite(of: slot, because: departed)
        return false
    }

    @inline(never)
    private final nonisolated func dropWrite(of slot: Int, because departed: ManagedObject) {
        let error = departed.departureError
        guard let context = home.context else { return home.coordinator.report(error) }
        context.faults.noteDroppedWrite(of: self, slot: slot, error)
    }
}

extension ManagedObjectContext {
    /// Removes an object from the context that was never saved and no longer exists.
    func removeFromContext(_ object: ManagedObject) {
        // It keeps its draft and thus its values, so the next write must be detected.
        object.draft?.isWatched = true
        identities.unregister(object)
    }
}

extension FetchError {
    /// Creates an error for an object whose deletion was saved, or which was deleted before it was ever saved.
    static func objectIsDeleted(_ id: AnyObjectID) -> FetchError {
        FetchError(
            .objectIsDeleted,
            """
            This \(id.entityName) was deleted and removed from its context, so it cannot be changed. Undo the \
            deletion, or create another object.
            """, entityName: id.entityName, objectID: id)
    }

    /// Creates an error for an object whose context was reset.
    static func objectIsInvalidated(_ id: AnyObjectID) -> FetchError {
        FetchError(
            .objectIsInvalidated,
            """
            This \(id.entityName) cannot be changed, because its context was reset. Fetch it again, or get it with \
            `use(object.objectID)`.
            """, entityName: id.entityName, objectID: id)
    }
}
