/// **Confined.** What a user event, and what arrived during it, made of a context's objects: what observers of changes
/// are told.
///
///     let observation = context.observeChanges { changes in
///         for object in changes.inserted { … }
///     }
///
/// An object stands in one of `inserted`, `updated` and `deleted` at most, by what it was before and is after: one that
/// was inserted and deleted in the same event is not mentioned, nor one whose values were set to what they were.
public struct ObjectChanges {
    /// Objects that have come: inserted, taken back from their deletion by undo, or inserted elsewhere and registered
    /// here.
    public internal(set) var inserted: [ManagedObject] = []
    /// Objects with other values, or with relationships to other objects or in another order.
    public internal(set) var updated: [ManagedObject] = []
    /// Objects that have gone: deleted here or elsewhere, or taken back from their insertion by undo.
    public internal(set) var deleted: [ManagedObject] = []
    /// Objects that are to be read again: their values may be others.
    public internal(set) var refreshed: [ManagedObject] = []
    /// Objects that the context has forgotten.
    public internal(set) var invalidated: [ManagedObject] = []
    /// Whether more may have changed than is named: the context was reset, another process wrote, or commits came faster
    /// than they were merged. Whoever shows the result of a fetch fetches again.
    public internal(set) var isEverything = false

    /// Objects that another context inserted and this one has not registered.
    var insertedElsewhere: ContiguousArray<ObjectKey> = []
    /// Objects that another context changed and this one had not registered when it heard of it. For lists alone, in
    /// which they may have a place now: to other observers they are nothing.
    var updatedElsewhere: ContiguousArray<ObjectKey> = []
    /// Objects that the event has changed and put back, or brought and taken away. For lists alone, which may have been
    /// fetched in between.
    var untold: [ManagedObject] = []
    let directory: ObjectDirectory

    init(directory: ObjectDirectory) { self.directory = directory }

    /// Whether nothing changed.
    public var isEmpty: Bool { count == 0 && !isEverything }

    /// How many objects are named.
    public var count: Int {
        inserted.count + updated.count + deleted.count + refreshed.count + invalidated.count + insertedElsewhere.count
    }

    /// The same as ids, free to cross isolation.
    ///
    /// Its `inserted` names objects too that another context inserted and this one has not registered.
    public var notice: ObjectChangeNotice {
        ObjectChangeNotice(
            inserted: inserted.map(\.anyObjectID)
                + insertedElsewhere.map { AnyObjectID(key: $0, directory: directory) },
            updated: updated.map(\.anyObjectID), deleted: deleted.map(\.anyObjectID),
            refreshed: refreshed.map(\.anyObjectID), invalidated: invalidated.map(\.anyObjectID),
            isEverything: isEverything)
    }
}

@available(*, unavailable)
extension ObjectChanges: Sendable {}
