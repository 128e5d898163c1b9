/// **Value.** What happens to the destinations of a relationship when its object is deleted. Raw values are Core Data's.
public enum DeleteRule: Int, Sendable, Hashable, CaseIterable {
    /// Nothing: the destinations keep their reference, and somebody else sees to it.
    case noAction = 0
    /// The destinations forget the object: their inverse becomes nil, or loses it.
    case nullify = 1
    /// The destinations are deleted too.
    case cascade = 2
    /// The object cannot be deleted while it has destinations.
    case deny = 3
}
