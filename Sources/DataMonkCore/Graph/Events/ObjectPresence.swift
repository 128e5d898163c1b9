/// **Value.** The presence of an object in its context, from a user's view.
enum ObjectPresence {
    /// Not inserted yet.
    case unborn
    /// Inserted or registered, and not deleted.
    case present
    /// Deleted: by the next save, by an earlier save, or before its first save.
    case deleted
}

extension ManagedObject {
    var presence: ObjectPresence { state.contains(.deleted) || registration < 0 ? .deleted : .present }
}
