/// **Value.** The rule by which a save resolves conflicts: when the store's row is not the one that the changes started
/// from, or when another object has the same unique values.
///
///     context.mergePolicy = .mergeByPropertyObjectTrump
///     context.mergePolicy = .custom { conflict in
///         guard conflict.constraint.isEmpty else { return .policy(.error) }
///         var values = conflict.changedValues
///         values["note"] = nil                                // the store's note stays
///         return .values(values)
///     }
///
/// If two objects have the same unique values, one of them remains, and gets the relationships of the other:
///
/// | policy | a new object | a saved object |
/// |---|---|---|
/// | store trump | is removed; the stored one is unchanged | keeps its old unique values, and its other changes |
/// | rollback | is removed; the stored one is unchanged | loses its changes |
/// | object trump | is removed; the stored one takes the values it was given | remains; the other one is deleted |
/// | overwrite | is removed; the stored one takes all its values | remains; the other one is deleted |
///
/// Thus a stored object keeps its id. The id of a removed new object leads to the remaining one, which also gets the
/// objects of its relationships. Where the stored object is unchanged, that excludes objects owned by the delete rule
/// cascade; they are removed with their owner. Among new objects of one save, the first one takes the role of the stored
/// one.
///
/// Objects that others have deleted stay deleted: the policy `error` throws, and every other policy discards the object's
/// unsaved changes.
///
/// No commit leaves a relationship to an object that does not exist, whoever has deleted or set it in the meantime:
///
/// | policy | our reference to objects that others have deleted | our deletion of objects that others now refer to |
/// |---|---|---|
/// | error | the save throws | the save throws |
/// | object trump, overwrite | nullified; required: 1570 | rule again: newcomers deleted, nullified (1570) or denying (1600) |
/// | store trump | the stored value, null in a new object; required: 1570 | the object stays, as do those deleted with it |
/// | rollback | a new object is removed, a stored one loses its changes | the object stays, as do those deleted with it |
///
/// So it is where others have linked the other side of a one-to-one that was changed: under object trump and overwrite
/// both sides become what was set here, under the others as in the table.
///
/// Where a delete rule applies again, newcomers take part in the save as the others do: hooks, validation, observers, the
/// undo step, history. What went along by a cascade and was moved to another owner meanwhile stays. Relationships that are
/// left alone by the rule noAction, and to-ones without an inverse, may lead to what was deleted.
public enum MergePolicy: Hashable, Sendable {
    /// The save throws ``SaveError`` with all conflicts; nothing is written.
    case error
    /// Property by property, the store wins if both have changed.
    case mergeByPropertyStoreTrump
    /// Property by property, the unsaved change wins if both have changed.
    case mergeByPropertyObjectTrump
    /// The whole object is written with its values in memory.
    case overwrite
    /// The unsaved changes of the object are discarded, and the save continues.
    case rollback
    /// Each conflict is decided by a closure; see ``custom(_:)``.
    case decided(by: MergeDecider)

    /// Returns a policy that decides each conflict with a closure. Errors of the closure are thrown by the save. Every
    /// conflict is decided before any change is made. Called on the thread that saves.
    public static func custom(_ decide: @escaping @Sendable (MergeConflict) throws -> MergeResolution) -> MergePolicy {
        .decided(by: MergeDecider(decide))
    }
}

/// **Shared.** A closure that decides conflicts; equal only to itself.
public final class MergeDecider: Sendable {
    let decide: @Sendable (MergeConflict) throws -> MergeResolution

    /// Creates a decider from a closure.
    public init(_ decide: @escaping @Sendable (MergeConflict) throws -> MergeResolution) { self.decide = decide }
}

extension MergeDecider: Hashable {
    /// Returns `true` if both are the same instance.
    public static func == (left: MergeDecider, right: MergeDecider) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// **Value.** The decision of a custom merge policy about a conflict.
public enum MergeResolution: Sendable {
    /// The decision of another policy; with `.error`, the save throws.
    case policy(MergePolicy)
    /// The stored object with these values set by name; other properties keep their stored values. To-ones are ids. An
    /// object that is deleted here stays; an object that is deleted in the store stays deleted.
    ///
    /// The sum of an increment that is passed on as it is in ``MergeConflict/changedValues`` stays an increment: the amount
    /// goes onto the stored value. Without it the increment is discarded, as other changes are.
    case values([String: ManagedValue])
}
