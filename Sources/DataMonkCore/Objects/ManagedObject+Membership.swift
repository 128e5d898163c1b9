/// Objects that have left their context: those whose deletion was saved, or was made before they ever were, and those that
/// were held over a reset. Nothing of them would be saved, so they cannot be changed.
extension ManagedObject {
    /// Whether the object belongs to its context.
    @usableFromInline
    final nonisolated var isMember: Bool { registration >= 0 }

    /// Throws if the object has left its context.
    package final nonisolated func requireMembership() throws(FetchError) {
        if !isMember { throw departureError }
    }

    /// Why an object that has left its context cannot be changed.
    final nonisolated var departureError: FetchError {
        if state.contains(.invalidated) { return .objectIsInvalidated(anyObjectID) }
        return .objectIsDeleted(anyObjectID)
    }

    /// Whether a property can be set. If not, the write is noted as dropped: setters cannot throw.
    @usableFromInline
    final nonisolated func canSet(_ slot: Int) -> Bool {
        if isMember { return true }
        dropWrite(of: slot, because: self)
        return false
    }

    /// Whether a relationship can be made to lead to an object; if not, the write is noted as dropped.
    final nonisolated func canSet(_ slot: Int, to destination: ManagedObject?) -> Bool {
        guard canSet(slot) else { return false }
        guard let destination, !destination.isMember else { return true }
        dropWrite(of: slot, because: destination)
        return false
    }

    /// Whether a relationship can be made to lead to some objects; if not, the write is noted as dropped.
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
        context.noteDroppedWrite(of: self, slot: slot, error)
    }
}

extension ManagedObjectContext {
    /// Takes an object out of the context that was never saved and is gone.
    func removeFromContext(_ object: ManagedObject) {
        // It keeps its draft, and with it its values: the next write has to announce itself.
        object.draft?.isWatched = true
        identities.unregister(object)
    }
}

extension FetchError {
    /// The object's deletion was saved, or it was deleted before it was ever saved.
    static func objectIsDeleted(_ id: AnyObjectID) -> FetchError {
        FetchError(
            .objectIsDeleted,
            """
            This \(id.entityName) was deleted and has left its context: it cannot be changed. Undo the deletion, or create \
            another object.
            """, entityName: id.entityName, objectID: id)
    }

    /// The object's context was reset.
    static func objectIsInvalidated(_ id: AnyObjectID) -> FetchError {
        FetchError(
            .objectIsInvalidated,
            """
            The context of this \(id.entityName) was reset, and the object has left it: it cannot be changed. Fetch it \
            again, or take it with `use(object.objectID)`.
            """, entityName: id.entityName, objectID: id)
    }
}
