/// **Confined.** A notice to observers of saves, before and after each save.
public enum SaveNotice {
    /// The changes are about to be checked and written: `willSave` of their objects has run.
    case willSave(ObjectChanges)
    /// The changes are in the store. They contain exactly the objects whose values or relationships have changed there.
    case didSave(ObjectChanges)
}

@available(*, unavailable)
extension SaveNotice: Sendable {}
