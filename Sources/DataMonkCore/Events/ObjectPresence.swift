/// **Value.** Whether an object is one of its context's, as a user sees it.
enum ObjectPresence {
    /// Not inserted yet.
    case unborn
    /// Inserted or known, and not deleted.
    case present
    /// Deleted: with the next save, by a save that was, or before its first save.
    case deleted
}

extension ManagedObject {
    var presence: ObjectPresence { state.contains(.deleted) || registration < 0 ? .deleted : .present }
}
