/// **Value.** The changes of a context by object id: ``ObjectChanges`` in a Sendable form.
///
///     for await notice in World.objectChanges {
///         print(notice.inserted.count, "came,", notice.deleted.count, "went")
///     }
public struct ObjectChangeNotice: Hashable, Sendable {
    /// Objects that were added, including those that another context inserted and this one has not registered.
    public var inserted: [AnyObjectID]
    /// Objects with changed values or relationships.
    public var updated: [AnyObjectID]
    /// Objects that were removed, including those that another context deleted and this one has not registered; see
    /// ``ObjectChanges/notice``.
    public var deleted: [AnyObjectID]
    /// Objects whose values must be read again.
    public var refreshed: [AnyObjectID]
    /// Objects that the context has forgotten.
    public var invalidated: [AnyObjectID]
    /// Indicates whether more may have changed than is listed; see ``ObjectChanges/isEverything``. Also `true` in the
    /// notice that follows dropped ones.
    public var isEverything: Bool

    /// Creates a notice, which can be merged with ``ManagedObjectContext/mergeChanges(from:)``.
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
