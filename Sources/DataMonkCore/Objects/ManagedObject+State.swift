/// An object that can tell its own type: what lets `objectID` carry the class.
public protocol IdentifiedObject {}

extension ManagedObject: IdentifiedObject {}

extension IdentifiedObject where Self: ManagedObject {
    /// The object's identity, with its class; free to cross isolation.
    ///
    /// Temporary until the object's first save.
    public nonisolated var objectID: ObjectID<Self> { ObjectID(anyObjectID) }
}

extension ManagedObject {
    /// The object's identity, without its class.
    public final nonisolated var anyObjectID: AnyObjectID {
        if key.isTemporary {
            // One that went for another one with the same unique values leads there.
            if registration < 0, let survivor = home.context?.identities.find(key) { return survivor.anyObjectID }
            state.insert(.hasKnownTemporaryID)
        }
        return AnyObjectID(key: key, directory: home.directory)
    }

    /// The object's entity.
    public final nonisolated var entity: Entity { home.layout.entity }

    /// The context the object belongs to; `nil` when that is gone, and when the object has left it: its deletion was saved,
    /// or the context was reset.
    public final nonisolated var managedObjectContext: ManagedObjectContext? { isMember ? home.context : nil }

    /// Whether the object's values have not been read yet.
    public final nonisolated var isFault: Bool { row == nil }

    /// Whether the object was never saved.
    public final nonisolated var isInserted: Bool { state.contains(.inserted) }

    /// Whether the object goes with the next save, or its row is gone already.
    public final nonisolated var isDeleted: Bool { state.contains(.deleted) || state.contains(.inaccessible) }

    /// Whether the object was saved before and has unsaved changes.
    public final nonisolated var isUpdated: Bool {
        state.contains(.updated) && !state.contains(.inserted) && !state.contains(.deleted)
    }

    /// Whether the object has anything to save.
    public final nonisolated var hasChanges: Bool {
        // One that was deleted before its first save is nothing to anybody.
        !state.isDisjoint(with: [.inserted, .updated, .deleted]) && !state.isSuperset(of: [.inserted, .deleted])
    }
}
