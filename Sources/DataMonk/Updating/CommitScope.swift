/// **Value.** The commits that an observer of a context is told of.
public enum CommitScope: Sendable, Hashable {
    /// All commits to the stack's stores, including those of other processes.
    case stack
    /// Commits of the updates and drafts that this context began, as in CoreDataMonk.
    case context
}
