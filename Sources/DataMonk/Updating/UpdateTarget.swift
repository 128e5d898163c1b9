/// **Value.** Which way a context's updates take to the store, and so how the main context learns of them.
///
/// Every update commits straight into the store, durable when `commit()` returns; the target says who follows.
public enum UpdateTarget: Sendable, Hashable {
    /// Three tiers: the main context sees at its next call what updates commit.
    case mainContext
    /// Two tiers: with `autoMerge` the main context takes commits over on its own turn; without, it keeps its state until
    /// it is reset or refreshed.
    case rootContext(autoMerge: Bool)
    /// No tiers: each screen has a main context of its own, which it resets when `observeCommit` tells it to.
    case persistentStore
}
