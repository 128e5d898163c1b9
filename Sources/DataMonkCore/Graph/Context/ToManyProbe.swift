/// **Confined.** A way to find the relationship that a key path leads to: the engine follows the path, and the property
/// reports it.
enum ToManyProbe {
    /// No request: to-manys return their members.
    case none
    /// The next to-many that is accessed reports itself, and returns nothing.
    case isSet
    /// The relationship that was accessed.
    case asked(Entity.Relationship)
}

@available(*, unavailable)
extension ToManyProbe: Sendable {}
