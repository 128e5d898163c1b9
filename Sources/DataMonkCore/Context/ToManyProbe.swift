/// **Confined.** How the engine learns which relationship a key path leads to: it follows the path, and the property says.
enum ToManyProbe {
    /// Nobody wants to know: to-manys answer with their members.
    case none
    /// The next to-many that is asked for says which it is, and answers with nothing.
    case isSet
    /// The one that was asked for.
    case asked(Entity.Relationship)
}

@available(*, unavailable)
extension ToManyProbe: Sendable {}
