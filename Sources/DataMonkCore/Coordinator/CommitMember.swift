/// **Value.** One save on its way into the stores.
struct CommitMember: Sendable {
    let origin: ContextID
    let changes: ChangeSet
}

/// **Value.** What became of a save that did not fail.
package enum CommitResult: Sendable {
    case committed(CommitReceipt)
    /// Nothing was written: others changed these objects since they were read.
    case conflicting([StoredVersion])
}

/// **Value.** What a context learns of its own commit.
package struct CommitReceipt: Sendable {
    let generation: Generation
    /// The changes as written: permanent keys everywhere.
    let changes: ChangeSet
}
