/// An object that knows its own type, which allows `objectID` to carry the class.
public protocol IdentifiedObject {}

extension ManagedObject: IdentifiedObject {}

extension IdentifiedObject where Self: ManagedObject {
    /// The object's identity with its class. Sendable.
    ///
    /// Temporary until the object's first save.
    public nonisolated var objectID: ObjectID<Self> { ObjectID(anyObjectID) }
}

extension ManagedObject {
    /// The object's identity, without its class.
    public final nonisolated var anyObjectID: AnyObjectID {
        if key.isTemporary {
            // An object that was replaced by another one with the same unique values has the id of that one.
            if registration < 0, let survivor = home.context?.identities.find(key) { return survivor.anyObjectID }
            state.insert(.hasKnownTemporaryID)
        }
        return AnyObjectID(key: key, directory: home.directory)
    }

    /// The object's entity.
    public final nonisolated var entity: Entity { home.layout.entity }

    /// The context that the object belongs to; `nil` if it has been released, and if the object has left it because its
    /// deletion was saved or the context was reset.
    public final nonisolated var managedObjectContext: ManagedObjectContext? { isMember ? home.context : nil }

    /// Indicates whether the object's values have not been read yet.
    ///
    /// `false` after a plain fetch, which gives the objects the rows that it has read. Core Data keeps those rows aside until
    /// the first access, so that its objects are faults although that access reads nothing. Fetch with
    /// `includesPropertyValues = false` for objects without their values.
    public final nonisolated var isFault: Bool { row == nil }

    /// Indicates whether the object was never saved.
    public final nonisolated var isInserted: Bool { state.contains(.inserted) }

    /// Indicates whether the object will be deleted by the next save, or its row no longer exists.
    public final nonisolated var isDeleted: Bool { state.contains(.deleted) || state.contains(.inaccessible) }

    /// Indicates whether the object was saved before and has unsaved changes.
    public final nonisolated var isUpdated: Bool {
        state.contains(.updated) && !state.contains(.inserted) && !state.contains(.deleted)
    }

    /// Indicates whether the object has anything to save.
    public final nonisolated var hasChanges: Bool {
        // A new object that was deleted is of no interest to anyone.
        !state.isDisjoint(with: [.inserted, .updated, .deleted]) && !state.isSuperset(of: [.inserted, .deleted])
    }
}

extension ManagedObject: FormatArgument {
    /// The object, by its id.
    public final nonisolated var formatArgument: ManagedValue { .object(anyObjectID) }
}
