/// **Value.** What changed in a context, by id: ``ObjectChanges`` for those who are elsewhere.
///
///     for await notice in World.objectChanges {
///         print(notice.inserted.count, "came,", notice.deleted.count, "went")
///     }
public struct ObjectChangeNotice: Hashable, Sendable {
    /// Objects that have come, those that another context inserted and this one has not registered included.
    public var inserted: [AnyObjectID]
    /// Objects with other values or relationships.
    public var updated: [AnyObjectID]
    /// Objects that have gone.
    public var deleted: [AnyObjectID]
    /// Objects whose values are to be read again.
    public var refreshed: [AnyObjectID]
    /// Objects that the context has forgotten.
    public var invalidated: [AnyObjectID]
    /// Whether more may have changed than is named; see ``ObjectChanges/isEverything``. True as well of the notice
    /// after some that were lost, because nobody took them in time.
    public var isEverything: Bool

    /// A notice; one of your own can be merged with ``ManagedObjectContext/mergeChanges(from:)``.
    public init(
        inserted: [AnyObjectID] = [], updated: [AnyObjectID] = [], deleted: [AnyObjectID] = [],
        refreshed: [AnyObjectID] = [], invalidated: [AnyObjectID] = [], isEverything: Bool = false
    ) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        self.refreshed = refreshed
        self.invalidated = invalidated
        self.isEverything = isEverything
    }
}
