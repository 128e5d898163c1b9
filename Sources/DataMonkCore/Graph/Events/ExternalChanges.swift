/// **Confined.** Changes that came to a context from elsewhere since its last notice, by merging, refreshing and
/// resetting.
struct ExternalChanges {
    enum Kind {
        case updated, deleted, refreshed, invalidated
    }

    private var kinds: [ObjectIdentifier: Kind] = [:]
    /// The rows of refreshed objects before that, if all that could be read of an object was in its row.
    private var formerRows: [ObjectIdentifier: Row] = [:]
    /// The objects in the order of their first mention.
    private var objects: ContiguousArray<ManagedObject> = []
    /// Updated objects that are not in `objects` yet.
    private var updatedObjects: [ContiguousArray<ManagedObject>] = []
    private var insertedKeys: ContiguousArray<ObjectKey> = []
    private var deletedKeys: ContiguousArray<ObjectKey> = []
    private var updatedKeys: ContiguousArray<ObjectKey> = []
    /// Indicates whether more may have changed than is listed here.
    private(set) var isEverything = false

    var isEmpty: Bool {
        objects.isEmpty && updatedObjects.isEmpty && insertedKeys.isEmpty && updatedKeys.isEmpty && deletedKeys.isEmpty
            && !isEverything
    }

    /// Records a registered object. A deletion is not overwritten, and a new value takes precedence over a refresh.
    mutating func note(_ object: ManagedObject, as kind: Kind) {
        switch kinds.updateValue(kind, forKey: ObjectIdentifier(object)) {
        case nil: objects.append(object)
        case .deleted: kinds[ObjectIdentifier(object)] = .deleted
        case .updated where kind == .refreshed: kinds[ObjectIdentifier(object)] = .updated
        default: break
        }
    }

    /// Records an object that is about to lose its values, to be read again.
    mutating func noteRefresh(of object: ManagedObject) {
        // Read again since the last refresh of this event: a list may have shown either state.
        let isReadAgain =
            kinds[ObjectIdentifier(object)] == .refreshed && (object.row != nil || object.hasToManys)
        note(object, as: isReadAgain ? .updated : .refreshed)
        guard let row = object.storedRow, !object.hasToManys, object.home.layout.transientSlots.isEmpty else { return }
        formerRows[ObjectIdentifier(object)] = row
    }

    /// Records the update of many registered objects. Takes no time for each of them until observers are notified.
    mutating func noteUpdated(_ objects: ContiguousArray<ManagedObject>) {
        if !objects.isEmpty { updatedObjects.append(objects) }
    }

    /// Records an object that another context inserted.
    mutating func noteInserted(_ key: ObjectKey) { insertedKeys.append(key) }

    /// Records that others changed an object that is not registered, which may now belong in a list.
    mutating func noteUpdated(_ key: ObjectKey) { updatedKeys.append(key) }

    /// Records the deletion of an object that is not registered. Its insertion may not have been listed yet.
    mutating func noteDeleted(_ key: ObjectKey) { deletedKeys.append(key) }

    mutating func noteEverything() { isEverything = true }

    /// Records an update that may have come before what has been recorded of the object.
    private mutating func noteEarlierUpdate(of object: ManagedObject) {
        switch kinds[ObjectIdentifier(object)] {
        case nil, .refreshed: note(object, as: .updated)
        case .updated, .deleted, .invalidated: break
        }
    }

    /// Adds these changes to those of the user. Objects that the user changed are already included.
    mutating func add(
        to changes: inout ObjectChanges, except known: Set<ObjectIdentifier>, in context: ManagedObjectContext
    ) {
        changes.isEverything = changes.isEverything || isEverything
        if kinds.isEmpty, known.isEmpty, updatedObjects.count == 1 {
            // Each object of a commit is listed once.
            changes.updated.append(contentsOf: updatedObjects[0])
        } else {
            for objects in updatedObjects { for object in objects { noteEarlierUpdate(of: object) } }
        }
        addObjects(to: &changes, except: known)
        addKeys(to: &changes, in: context)
    }

    private func addObjects(to changes: inout ObjectChanges, except known: Set<ObjectIdentifier>) {
        if !known.isEmpty {
            // A deletion by others wins over any change made here.
            changes.inserted.removeAll { isDeletion(of: $0) }
            changes.updated.removeAll { isDeletion(of: $0) }
            changes.deleted.removeAll { isDeletion(of: $0) }
        }
        for object in objects {
            switch kinds[ObjectIdentifier(object)] {
            case .deleted:
                changes.deleted.append(object)
            case .updated where !known.contains(ObjectIdentifier(object)): changes.updated.append(object)
            case .refreshed where !known.contains(ObjectIdentifier(object)):
                changes.refreshed.append(object)
                changes.formerRows[ObjectIdentifier(object)] = formerRows[ObjectIdentifier(object)]
            case .invalidated: changes.invalidated.append(object)
            default: break
            }
        }
    }

    private func isDeletion(of object: ManagedObject) -> Bool { kinds[ObjectIdentifier(object)] == .deleted }

    /// Adds the objects that others have inserted, and those that were not registered when others changed or deleted them.
    private func addKeys(to changes: inout ObjectChanges, in context: ManagedObjectContext) {
        // A child may have inserted or deleted objects itself, and have listed them, before a save of its parent names them.
        let isChild = context.parent != nil
        let deleted = insertedKeys.isEmpty ? [] : Set(deletedKeys)
        var arrived: [ManagedObject] = []
        for key in insertedKeys where !deleted.contains(key) {
            if let object = context.identities.find(key) {
                arrived.append(object)
            } else {
                changes.insertedElsewhere.append(key)
            }
        }
        if !arrived.isEmpty { changes.addInsertions(of: arrived, areNew: !isChild) }
        if deletedKeys.isEmpty, updatedKeys.isEmpty { return }
        let inserted = Set(insertedKeys)
        for key in deletedKeys {
            if isChild || key.isTemporary || inserted.contains(key) {
                changes.untoldElsewhere.append(key)
            } else {
                changes.deletedElsewhere.append(key)
            }
        }
        changes.updatedElsewhere.append(contentsOf: Set(updatedKeys).subtracting(inserted).sorted())
    }
}

@available(*, unavailable)
extension ExternalChanges: Sendable {}
