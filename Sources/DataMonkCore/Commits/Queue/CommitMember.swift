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
    /// The changes as written, with permanent keys only.
    case committed(CommitNotice.Commit, at: Generation)
    /// Nothing was written, because others have changed these objects since they were read.
    case conflicting([StoredVersion])
}
