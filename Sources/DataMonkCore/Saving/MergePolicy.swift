/// **Value.** Which side wins when a save finds that the store's row is not the one its changes started from.
public enum MergePolicy: Hashable, Sendable {
    /// The save throws ``SaveError`` with every conflict; nothing was written.
    case error
    /// Property by property, the store wins where both changed.
    case mergeByPropertyStoreTrump
    /// Property by property, the unsaved change wins where both changed.
    case mergeByPropertyObjectTrump
    /// The whole object is written as it is in memory.
    case overwrite
    /// The unsaved changes of the object are dropped, and the save goes on.
    case rollback
}
