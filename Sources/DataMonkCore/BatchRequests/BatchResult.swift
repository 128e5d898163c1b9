/// **Value.** What a batch request has done.
public struct BatchResult: Sendable, Hashable {
    /// **Value.** What is to be known of a batch request's work.
    public enum ResultType: Sendable, Hashable {
        /// How many objects there were.
        case count
        /// Which objects there were, as well.
        case objectIDs
    }

    /// How many objects of the request's entity were inserted, updated or deleted; what delete rules took along counts too.
    public let count: Int
    /// Which they are, if the request asked for them.
    public let objectIDs: [AnyObjectID]?
}
