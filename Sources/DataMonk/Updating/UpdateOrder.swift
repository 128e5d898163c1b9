/// **Value.** Whether updates of one context may run at the same time.
public enum UpdateOrder: Sendable, Hashable {
    /// Updates run side by side; the merge policy settles what two of them changed.
    case `default`
    /// One update at a time, in the order of the calls; an update is over when its body returns, awaits included.
    case serial
}
