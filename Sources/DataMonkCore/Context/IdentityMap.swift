/// **Confined.** The objects of one context, one for each key.
///
/// The table finds and does not retain; `objects` retains, in order of registration. When everything goes, objects are
/// released in that order, which is the order of their memory: releasing in hash order takes half as long again.
///
/// Invariants, checked by `checkInvariants()`:
/// 1. `objects[i].registration == i`.
/// 2. The table maps the key of each object in `objects` to it, and holds nothing else.
/// 3. `permanentKeys` maps temporary keys, which no registered object has any more, to permanent ones.
/// 4. No object is marked as reached but while a sweep runs.
///
/// A class, so that a look-up does not copy it: a struct in the context would be retained field by field for each one.
package final class IdentityMap {
    // Unchecked exclusivity, here and below: confined, and no access to a field reaches back to the map.
    @usableFromInline
    @exclusivity(unchecked) var table = KeyTable()
    @exclusivity(unchecked) package internal(set) var objects: ContiguousArray<ManagedObject> = []
    /// What became of the temporary keys that somebody may know.
    @exclusivity(unchecked) private(set) var permanentKeys: [ObjectKey: ObjectKey] = [:]

    package init() {}

    deinit { table.deallocate() }

    package var count: Int { objects.count }

    /// The registered object of `key`.
    @inlinable
    package func find(_ key: ObjectKey) -> ManagedObject? {
        let address = table.find(key.rawValue)
        if address == 0 { return key.isTemporary ? findSaved(key) : nil }
        // The address was put in by `register`, and the object is retained by `objects` until it is taken out.
        return Unmanaged<ManagedObject>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
            .takeUnretainedValue()
    }

    package func register(_ object: ManagedObject) {
        object.registration = Int32(truncatingIfNeeded: objects.count)
        table.set(object.key.rawValue, UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
        objects.append(object)
    }

    package func unregister(_ object: ManagedObject) {
        let index = Int(object.registration)
        guard index >= 0 else { return }
        table.remove(object.key.rawValue)
        object.registration = -1
        let last = objects.removeLast()
        if last !== object {
            objects[index] = last
            last.registration = Int32(truncatingIfNeeded: index)
            if object.state.contains(.beginsCohort) { last.state.insert(.beginsCohort) }
        }
    }

    /// Gives a registered object its permanent key. If somebody may know the temporary one, that goes on finding it.
    package func rename(_ object: ManagedObject, to key: ObjectKey) {
        if key == object.key { return }
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        table.remove(object.key.rawValue)
        if object.state.contains(.hasKnownTemporaryID) { permanentKeys[object.key] = key }
        object.key = key
        table.set(key.rawValue, address)
    }

    /// Lets a temporary key of an object that went find the one that stands for it.
    func addAlias(_ key: ObjectKey, of object: ManagedObject) {
        if key.isTemporary { permanentKeys[key] = object.key }
    }

    /// The key that the object of `key` has now.
    func currentKey(_ key: ObjectKey) -> ObjectKey {
        key.isTemporary ? permanentKeys[key] ?? key : key
    }

    @usableFromInline
    func findSaved(_ temporaryKey: ObjectKey) -> ManagedObject? {
        permanentKeys[temporaryKey].flatMap(find)
    }

    /// Forgets every object, in order of registration.
    package func removeAll() {
        for object in objects { object.registration = -1 }
        objects = []
        permanentKeys = [:]
        table.deallocate()
        table = KeyTable()
    }
}

@available(*, unavailable)
extension IdentityMap: Sendable {}
