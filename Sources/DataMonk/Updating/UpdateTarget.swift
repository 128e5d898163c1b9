/// **Value.** The setup of a context and its stack, which determines how the main context follows commits.
///
/// Every update commits directly into the store, durable when `commit()` returns. The target determines the contexts that
/// follow.
public enum UpdateTarget: Sendable, Hashable {
    /// Three tiers: the main context merges commits on its own turn of the main actor, as with
    /// `.rootContext(autoMerge: true)`.
    case mainContext
    /// Two tiers. With `autoMerge`, the main context merges commits on its own turn; without, it keeps its state until it
    /// is reset or refreshed, except for the commits of its own drafts.
    case rootContext(autoMerge: Bool)
    /// No tiers: each screen has a main context of its own, and resets it when `observeCommit` reports a commit.
    case persistentStore
}

extension UpdateTarget {
    /// Indicates whether a main context merges commits by itself.
    var merges: Bool { self == .mainContext || self == .rootContext(autoMerge: true) }
}
