/// **Value.** The commits that an observer of a context is told of.
public enum CommitScope: Sendable, Hashable {
    /// Those of all contexts of the stack, and those that other processes make to its stores.
    case stack
    /// Those of the updates and drafts that the context itself has begun, as in CoreDataMonk.
    case context
}
