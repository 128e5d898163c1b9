/// **Shared.** A save on its way into the stores. Immutable; a class, so that the queue passes it by reference.
final class CommitMember: Sendable {
    let origin: ContextID
    let changes: ChangeSet

    init(origin: ContextID, changes: ChangeSet) {
        self.origin = origin
        self.changes = changes
    }
}

/// **Value.** The result of a save that did not fail.
package enum CommitResult: Sendable {
    case committed(CommitReceipt)
    /// Nothing was written, because others have changed these objects since they were read.
    case conflicting([StoredVersion])
}

/// **Shared.** The result of a commit for the context that made it. Immutable; a class, for the same reason.
package final class CommitReceipt: Sendable {
    let generation: Generation
    /// The changes as written, with permanent keys only.
    let changes: ChangeSet

    init(generation: Generation, changes: ChangeSet) {
        self.generation = generation
        self.changes = changes
    }
}
