/// **Confined.** The objects that events have changed. Of those that were only read again, the row from before is kept: most
/// of them have the values that they had.
struct ChangedObjects {
    /// The row before the first event that names the object; `nil` if it has changed, whatever its row says.
    private var formerRows: [ManagedObject: Row?] = [:]

    /// Returns the objects with those of a later event.
    func adding(_ changes: ObjectChanges) -> ChangedObjects {
        var result = self
        let refreshed = Set(changes.refreshed.map(ObjectIdentifier.init))
        for object in changes.changedForLists {
            let isRefreshedAgain = refreshed.contains(ObjectIdentifier(object)) && result.formerRows[object] != nil
            if !isRefreshedAgain { result.formerRows[object] = .some(changes.formerRows[ObjectIdentifier(object)]) }
        }
        return result
    }

    /// The objects that differ from what they were before the first event.
    var identifiers: Set<ObjectIdentifier> {
        Set(formerRows.lazy.filter { $0.value.map($0.key.differs) ?? true }.map { ObjectIdentifier($0.key) })
    }
}

@available(*, unavailable)
extension ChangedObjects: Sendable {}

extension ManagedObject {
    /// Returns `true` if the object has other values than a row, or cannot be compared with it.
    fileprivate func differs(from former: Row) -> Bool {
        guard let row, draft == nil else { return true }
        return !home.layout.changedSlots(of: row, from: former.pointer).isEmpty
    }
}
