/// **Confined.** What observers of saves are told, before and after each.
public enum SaveNotice {
    /// The changes are about to be checked and written: `willSave` of their objects has run.
    case willSave(ObjectChanges)
    /// The changes are in the store. Named are exactly the objects whose values or relationships are others in it now.
    case didSave(ObjectChanges)
}

@available(*, unavailable)
extension SaveNotice: Sendable {}
