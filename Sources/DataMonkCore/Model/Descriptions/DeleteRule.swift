/// **Value.** The effect of deleting an object on the destinations of a relationship. The raw values are Core Data's.
public enum DeleteRule: Int, Sendable, Hashable, CaseIterable {
    /// Leaves the destinations unchanged. The application must remove their references.
    case noAction = 0
    /// Removes the object from the inverse of its destinations, which becomes `nil` or loses one object.
    case nullify = 1
    /// Deletes the destinations too.
    case cascade = 2
    /// Prevents the deletion while the object has destinations.
    case deny = 3
}
