/// **Value.** The state of an object in relation to its context and its store.
///
///     (new)    --insert--> inserted --save--> clean --write--> updated --save--> clean
///     inserted --delete--> gone;  clean, updated --delete--> deleted --save--> gone
///     deleted  --rollback--> clean;  updated --rollback, refresh--> clean
///     any      --reset--> gone;      gone --undo of its deletion--> inserted
///
/// An object that is gone has left its context: it is no longer registered (`ManagedObject.isMember`); it can be read,
/// and ignores writes.
///
/// A fault is a clean object without a row; it is not a state of its own (`ManagedObject.isFault`).
@usableFromInline
struct ObjectState: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt32

    @inlinable init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Never saved.
    static let inserted = ObjectState(rawValue: 1)
    /// Has a draft, or to-many changes.
    static let updated = ObjectState(rawValue: 2)
    /// Will be deleted by the next save.
    static let deleted = ObjectState(rawValue: 4)
    /// Is in the context's list of changed objects.
    static let tracked = ObjectState(rawValue: 8)
    /// Its row was looked up and no longer exists.
    static let inaccessible = ObjectState(rawValue: 16)
    /// Its id was requested while it was temporary.
    static let hasKnownTemporaryID = ObjectState(rawValue: 32)
    /// `awakeFromFetch` has run.
    static let awoken = ObjectState(rawValue: 64)
    /// Delete rules have been applied to it.
    static let propagated = ObjectState(rawValue: 128)
    /// Was deleted by a delete rule, not by a call.
    static let cascaded = ObjectState(rawValue: 4_096)
    /// Was written since the current save last checked, so its `willSave` is called once more. Not set by primitive
    /// setters.
    @inlinable static var written: ObjectState { ObjectState(rawValue: 8_192) }
    /// Others have changed the row that its changes or its deletion started from.
    static let outdated = ObjectState(rawValue: 256)
    /// Reached by the current sweep, and therefore kept.
    static let reached = ObjectState(rawValue: 512)
    /// Its context was reset while it was registered.
    static let invalidated = ObjectState(rawValue: 2_048)
    /// The first of the objects that a single call registered.
    static let beginsCohort = ObjectState(rawValue: 1_024)
    /// An index of unsaved values has read its values, and has to learn of further changes.
    static let indexed = ObjectState(rawValue: 16_384)
}
