/// **Value.** Which side wins when a save finds that the store's row is not the one its changes started from, or that
/// another object has its unique values.
///
///     context.mergePolicy = .mergeByPropertyObjectTrump
///     context.mergePolicy = .custom { conflict in
///         guard conflict.constraint.isEmpty else { return .policy(.error) }
///         var values = conflict.changedValues
///         values["note"] = nil                                // the store's note stays
///         return .values(values)
///     }
///
/// Where two objects have the same unique values, one of them stays, whose relationships the other one's go over to:
///
/// | policy | a new object | a saved object |
/// |---|---|---|
/// | store trump | goes; the stored one stays as it is | keeps its old unique values, and its other changes |
/// | rollback | goes; the stored one stays as it is | loses its changes |
/// | object trump | goes; the stored one takes the values it was given | stays; the other one is deleted |
/// | overwrite | goes; the stored one takes all its values | stays; the other one is deleted |
///
/// So the stored object keeps its id. The id of a new object that went leads to the one that stays, and what its
/// relationships hold goes over: not what belongs to it by the delete rule cascade, where the stored one stays as it is;
/// that goes with it. Among new objects of one save the first stands for the stored one.
///
/// What others have deleted stays deleted: the error policy throws, under every other one the object's unsaved changes go.
///
/// No commit leaves a relationship without its other end, whoever has deleted or set it in between:
///
/// | policy | our reference to what others have deleted | our deletion of what others refer to by now |
/// |---|---|---|
/// | error | the save throws | the save throws |
/// | object trump, overwrite | nulled; required: 1570 | the rule again: newcomers go, are nulled (1570), or deny (1600) |
/// | store trump | what is stored, null for a new object; required: 1570 | the object stays, and what went with it |
/// | rollback | a new object goes, a stored one loses its changes | the object stays, and what went with it |
///
/// So it is where others have linked the other side of a one-to-one that was changed: under object trump and overwrite
/// both sides become what was set here, under the others as in the table.
///
/// Where a delete rule applies again, newcomers take part in the save as the others do: hooks, validation, observers, the
/// undo step, history. What went along by a cascade and was moved to another owner meanwhile stays. Relationships that are
/// left alone by the rule noAction, and to-ones without an inverse, may lead to what was deleted.
public enum MergePolicy: Hashable, Sendable {
    /// The save throws ``SaveError`` with every conflict; nothing was written.
    case error
    /// Property by property, the store wins where both changed.
    case mergeByPropertyStoreTrump
    /// Property by property, the unsaved change wins where both changed.
    case mergeByPropertyObjectTrump
    /// The whole object is written as it is in memory.
    case overwrite
    /// The unsaved changes of the object are dropped, and the save goes on.
    case rollback
    /// Each conflict as somebody decides; see ``custom(_:)``.
    case decided(by: MergeDecider)

    /// Each conflict as the closure decides. What it throws, the save throws; every conflict is decided before any change
    /// is touched. Called on the thread that saves.
    public static func custom(_ decide: @escaping @Sendable (MergeConflict) throws -> MergeResolution) -> MergePolicy {
        .decided(by: MergeDecider(decide))
    }
}

/// **Shared.** A closure that decides about conflicts; equal to itself alone.
public final class MergeDecider: Sendable {
    let decide: @Sendable (MergeConflict) throws -> MergeResolution

    /// Decides by a closure.
    public init(_ decide: @escaping @Sendable (MergeConflict) throws -> MergeResolution) { self.decide = decide }
}

extension MergeDecider: Hashable {
    /// Whether both are the same.
    public static func == (left: MergeDecider, right: MergeDecider) -> Bool { left === right }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// **Value.** What a merge policy of your own makes of a conflict.
public enum MergeResolution: Sendable {
    /// What another policy makes of it; under `.error` the save throws.
    case policy(MergePolicy)
    /// The stored object with these values put over it, by name; what is left out stays as it is stored. An object that is
    /// deleted here stays. To-ones are ids; an object that is deleted in the store stays deleted.
    case values([String: ManagedValue])
}
