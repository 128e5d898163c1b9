/// **Value.** A conflict of one object: it was changed here and, since it was read, by others; or another object has its
/// unique values; or the other end of one of its relationships does not exist.
///
/// | conflict | `constraint` | `relationship` | `isDeletion` |
/// |---|---|---|---|
/// | others have changed the object, or deleted it | empty | nil | either |
/// | another object has its unique values | their names | nil | false |
/// | it was set to objects that others have deleted | empty | its name | false |
/// | a one-to-one of it was changed, and others have linked the other side | empty | its name | false |
/// | it is deleted, and others have come to refer to it | empty | its name | true |
///
/// Snapshots contain attributes and to-ones (as ids), by name. To-manys have no conflicts.
public struct MergeConflict: Sendable {
    /// The object.
    public let objectID: AnyObjectID
    /// The properties whose values another object has; empty for a version conflict.
    public let constraint: [String]
    /// The relationship whose destination does not exist, or whose one-to-one inverse disagrees; for a deleted object, the
    /// one whose delete rule has not reached all objects that refer to it. `nil` for other conflicts.
    public let relationship: String?
    /// The objects at the other end of `relationship`: those that are gone, those that a delete rule has not reached, or those
    /// that do not lead back.
    public let otherObjectIDs: [AnyObjectID]
    /// The object in the store: the same object for a version conflict, and the object that has the values for a conflict
    /// of unique values. Its id is temporary if it is new in the same save.
    public let storedObjectID: AnyObjectID
    /// Indicates whether the object is to be deleted.
    public let isDeletion: Bool
    /// The version that the changes started from; 0 for a new object.
    public let baseVersion: Int64
    /// The version in the store; `nil` if the object was deleted there, and for a new one.
    public let storedVersion: Int64?
    /// The unsaved values that differ from the values that they started from; for a new object, the values that were set.
    /// Of an increment, the sum over the value that it started from.
    public let changedValues: [String: ManagedValue]
    /// The values that the changes started from; empty for a new object.
    public let objectSnapshot: [String: ManagedValue]
    /// The values that the coordinator knew when the conflict was detected: the newest ones, for a commit of another
    /// context. `nil` if it knew none.
    public let cachedSnapshot: [String: ManagedValue]?
    /// The values in the store, if the coordinator did not know them because another process wrote them. `nil` if it did,
    /// and if the object was deleted.
    public let persistedSnapshot: [String: ManagedValue]?
    /// The values in the store, whatever their source; empty if the object was deleted there.
    public let storedValues: [String: ManagedValue]
}
