/// **Value.** Where an object stands between its context and its store.
///
///     (new)    --insert--> inserted --save--> clean --write--> updated --save--> clean
///     inserted --delete--> gone;  clean, updated --delete--> deleted --save--> gone
///     deleted  --rollback--> clean;  updated --rollback, refresh--> clean
///     any      --reset--> gone;      gone --undo of its deletion--> inserted
///
/// One that is gone has left its context: it is registered no more (`ManagedObject.isMember`), can be read, and drops what
/// is set.
///
/// A fault is a clean object without a row; it is no state of its own (`ManagedObject.isFault`).
@usableFromInline
struct ObjectState: OptionSet, Sendable {
    @usableFromInline let rawValue: UInt32

    @inlinable init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Never saved.
    static let inserted = ObjectState(rawValue: 1)
    /// Has a draft, or to-many changes.
    static let updated = ObjectState(rawValue: 2)
    /// Goes with the next save.
    static let deleted = ObjectState(rawValue: 4)
    /// Is in the context's list of changed objects.
    static let tracked = ObjectState(rawValue: 8)
    /// Its row was looked for and is gone.
    static let inaccessible = ObjectState(rawValue: 16)
    /// Its id was asked for while it was temporary.
    static let hasKnownTemporaryID = ObjectState(rawValue: 32)
    /// `awakeFromFetch` has run.
    static let awoken = ObjectState(rawValue: 64)
    /// Delete rules have been applied to it.
    static let propagated = ObjectState(rawValue: 128)
    /// Was deleted by a delete rule, not by a call.
    static let cascaded = ObjectState(rawValue: 4_096)
    /// Was written since a save last looked: its `willSave` is called once more. Primitive setters leave it out.
    @inlinable static var written: ObjectState { ObjectState(rawValue: 8_192) }
    /// Others have changed the row that its changes or its deletion started from.
    static let outdated = ObjectState(rawValue: 256)
    /// Reached by the sweep that runs: it stays.
    static let reached = ObjectState(rawValue: 512)
    /// Its context was reset while it was registered there.
    static let invalidated = ObjectState(rawValue: 2_048)
    /// The first of the objects that one call registered.
    static let beginsCohort = ObjectState(rawValue: 1_024)
}
