/// **Confined.** The changes that a user event, and merges during it, made to a context's objects, as reported to
/// observers.
///
///     let observation = context.observeChanges { changes in
///         for object in changes.inserted { … }
///     }
///
/// An object is in at most one of `inserted`, `updated` and `deleted`, depending on its state before and after. An object
/// that was inserted and deleted in the same event is not listed, nor is one whose values were set to their former
/// values.
public struct ObjectChanges {
    /// Objects that were added: inserted here, restored by undoing their deletion, or inserted elsewhere and registered
    /// here.
    public internal(set) var inserted: [ManagedObject] = []
    /// Objects with changed values, or with relationships to other objects or in another order.
    public internal(set) var updated: [ManagedObject] = []
    /// Objects that were removed: deleted here or elsewhere, or removed by undoing their insertion.
    public internal(set) var deleted: [ManagedObject] = []
    /// Objects that must be read again, because their values may have changed.
    public internal(set) var refreshed: [ManagedObject] = []
    /// Objects that the context has forgotten.
    public internal(set) var invalidated: [ManagedObject] = []
    /// Indicates whether more may have changed than is listed: the context was reset, another process wrote, or commits
    /// arrived faster than they were merged. Code that shows the results of a fetch should fetch again.
    public internal(set) var isEverything = false

    /// Objects that another context inserted and this one has not registered.
    var insertedElsewhere: ContiguousArray<ObjectKey> = []
    /// Objects that another context changed and that were not registered here at that time. Only for lists, in which they
    /// may now belong; other observers ignore them.
    var updatedElsewhere: ContiguousArray<ObjectKey> = []
    /// Objects that another context deleted and that were not registered here.
    var deletedElsewhere: ContiguousArray<ObjectKey> = []
    /// Objects that the event has changed and restored, or added and removed, and new objects of others that have changed or
    /// gone since they were inserted. Only for lists, which may have been fetched in between.
    var untold: [ManagedObject] = []
    /// Objects that another context deleted, and that are not to be listed: their insertion was never listed, or the context
    /// itself may have deleted them. Only for lists, which may have been fetched in between.
    var untoldElsewhere: ContiguousArray<ObjectKey> = []
    /// The rows of refreshed objects before that, as far as they are known.
    var formerRows: [ObjectIdentifier: Row] = [:]
    /// The objects that the event itself has changed. `nil` if nothing came from elsewhere: these are all listed ones then.
    var ownObjects: [ManagedObject]?
    let directory: ObjectDirectory

    /// The listed objects that the event itself has changed, without those that changed elsewhere alone.
    package var objectsOfEvent: [ManagedObject] { ownObjects ?? inserted + updated + deleted }

    /// Indicates whether nothing changed.
    public var isEmpty: Bool { count == 0 && !isEverything }

    /// The number of listed objects, including those that only ``notice`` names.
    public var count: Int {
        let registered = inserted.count + updated.count + deleted.count + refreshed.count + invalidated.count
        return registered + insertedElsewhere.count + deletedElsewhere.count
    }

    /// Indicates whether there is nothing to report, even to lists.
    var isEmptyToLists: Bool { isEmpty && updatedElsewhere.isEmpty && untold.isEmpty && untoldElsewhere.isEmpty }

    /// The changes by object id, in Sendable form.
    ///
    /// Its `inserted` and `deleted` also contain objects that another context inserted or deleted and this one has not
    /// registered. In a child context only `inserted` does, because a save of its parent repeats the deletions that the child
    /// itself has made.
    public var notice: ObjectChangeNotice {
        ObjectChangeNotice(
            inserted: inserted.map(\.anyObjectID) + ids(insertedElsewhere), updated: updated.map(\.anyObjectID),
            deleted: deleted.map(\.anyObjectID) + ids(deletedElsewhere), refreshed: refreshed.map(\.anyObjectID),
            invalidated: invalidated.map(\.anyObjectID), isEverything: isEverything)
    }

    private func ids(_ keys: ContiguousArray<ObjectKey>) -> [AnyObjectID] {
        keys.map { AnyObjectID(key: $0, directory: directory) }
    }

    /// Lists objects that others inserted since the last notice as inserted, whatever has happened to them since. Those that
    /// are deleted by now are not listed.
    ///
    /// - Parameter areNew: `true` if no earlier notice can have listed the objects. Otherwise, what the event
    ///   itself has done to them stays listed.
    mutating func addInsertions(of objects: [ManagedObject], areNew: Bool) {
        let own = areNew ? [] : Set(ownObjects ?? [])
        let objects = objects.filter { !own.contains($0) }
        let arrived = Set(objects)
        untold += (updated + refreshed).filter(arrived.contains)
        updated.removeAll(where: arrived.contains)
        refreshed.removeAll(where: arrived.contains)
        if areNew {
            untold += deleted.filter(arrived.contains)
            deleted.removeAll(where: arrived.contains)
        }
        inserted += objects.filter { !$0.isDeleted }
    }
}

@available(*, unavailable)
extension ObjectChanges: Sendable {}
