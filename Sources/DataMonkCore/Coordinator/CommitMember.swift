/// **Shared.** One save on its way into the stores. Immutable; a class, so that the queue passes it on by reference.
final class CommitMember: Sendable {
    let origin: ContextID
    let changes: ChangeSet

    init(origin: ContextID, changes: ChangeSet) {
        self.origin = origin
        self.changes = changes
    }
}

/// **Value.** What became of a save that did not fail.
package enum CommitResult: Sendable {
    case committed(CommitReceipt)
    /// Nothing was written: others changed these objects since they were read.
    case conflicting([StoredVersion])
}

/// **Shared.** What a context learns of its own commit. Immutable; a class, for the same reason.
package final class CommitReceipt: Sendable {
    let generation: Generation
    /// The changes as written: permanent keys everywhere.
    let changes: ChangeSet

    init(generation: Generation, changes: ChangeSet) {
        self.generation = generation
        self.changes = changes
    }
}
