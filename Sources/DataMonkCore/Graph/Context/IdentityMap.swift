/// **Confined.** The objects of one context, one per key.
///
/// The table is for lookup and does not retain; `objects` retains the objects in the order of registration, except where the
/// last ones have filled the gaps of others. When all objects are removed, they are released in that order, which is mostly
/// their order in memory: releasing in hash order takes one and a half times as long.
///
/// Invariants, checked by `checkInvariants()`:
/// 1. `objects[i].registration == i`.
/// 2. The table maps the key of each object in `objects` to it, and contains nothing else.
/// 3. `permanentKeys` maps temporary keys, and `successors` permanent ones, that no registered object has any longer.
/// 4. Objects are marked as reached only while a sweep runs.
///
/// A class, so that a lookup does not copy it: a struct in the context would be retained field by field for each lookup.
package final class IdentityMap {
    // Unchecked exclusivity, here and below: confined, and no access to a field calls back into the map.
    @usableFromInline
    @exclusivity(unchecked) var table = KeyTable()
    @exclusivity(unchecked) package internal(set) var objects: ContiguousArray<ManagedObject> = []
    /// The keys that have replaced temporary keys that may be known outside.
    @exclusivity(unchecked) private(set) var permanentKeys: [ObjectKey: ObjectKey] = [:]
    /// The keys of the remaining objects, by the permanent keys of new objects that were removed as their duplicates. Apart,
    /// since it is nearly always empty, and asked for permanent keys.
    @exclusivity(unchecked) private(set) var successors: [ObjectKey: ObjectKey] = [:]
    /// The keys of registered objects that others have deleted. Most are held by nobody soon, long before the next sweep.
    @exclusivity(unchecked) private(set) var goneKeys: [ObjectKey] = []
    /// The number of such keys from which on it is worthwhile to look whether the objects are still held.
    @exclusivity(unchecked) private var goneThreshold = IdentityMap.minimumGoneThreshold
    private static let minimumGoneThreshold = 256
    @exclusivity(unchecked) var partialSweep = PartialSweep()

    package init() {}

    deinit { table.deallocate() }

    package var count: Int { objects.count }

    /// Returns the registered object for `key`.
    @inlinable
    package func find(_ key: ObjectKey) -> ManagedObject? {
        let address = table.find(key.rawValue)
        if address == 0 { return key.isTemporary ? findSaved(key) : nil }
        // `register` has added the address, and `objects` retains the object until it is removed.
        return Unmanaged<ManagedObject>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
            .takeUnretainedValue()
    }

    package func register(_ object: ManagedObject) {
        object.registration = Int32(truncatingIfNeeded: objects.count)
        table.set(object.key.rawValue, to: UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
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

    // MARK: Sweeping

    /// Moves a registered object to another place.
    func put(_ object: ManagedObject, at place: Int) {
        objects[place] = object
        object.registration = Int32(truncatingIfNeeded: place)
    }

    /// Makes removed objects leave the table, and frees memory of table and array that was needed for many more objects.
    func forgetKeys(of removed: ContiguousArray<ManagedObject>) {
        for object in removed { table.remove(object.key.rawValue) }
        table.shrink()
        guard objects.capacity > 1_024, objects.count < objects.capacity / 4 else { return }
        var smaller: ContiguousArray<ManagedObject> = []
        smaller.reserveCapacity(objects.count)
        smaller += objects
        objects = smaller
    }

    // MARK: Objects that others have deleted

    /// Notes that others have deleted a registered object.
    func noteGone(_ key: ObjectKey) { goneKeys.append(key) }

    /// Indicates whether enough objects are gone since the last look.
    @inline(__always)
    var areManyGone: Bool { goneKeys.count >= goneThreshold }

    /// Removes the gone objects that are referenced by nothing but the map.
    ///
    /// - Returns: The removed objects, to be released as those of a sweep.
    func removeGone() -> ContiguousArray<ManagedObject> {
        var removed: ContiguousArray<ManagedObject> = []
        goneKeys.removeAll { key in
            guard let index = place(of: key) else { return true }
            if isHeld(at: index) { return false }
            let object = objects[index]
            unregister(object)
            removed.append(object)
            return true
        }
        goneThreshold = max(Self.minimumGoneThreshold, goneKeys.count * 2)
        return removed
    }

    /// Forgets the keys of gone objects: a sweep looks at all objects.
    func forgetGone() {
        (goneKeys, goneThreshold) = ([], Self.minimumGoneThreshold)
    }

    /// Returns the place of an object. Not inlined, so that the object is not retained afterwards.
    @inline(never)
    private func place(of key: ObjectKey) -> Int? { find(key).map { Int($0.registration) } }

    /// Gives a registered object its permanent key. If the temporary key may be known outside, it still finds the object.
    package func rename(_ object: ManagedObject, to key: ObjectKey) {
        if key == object.key { return }
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        table.remove(object.key.rawValue)
        if object.state.contains(.hasKnownTemporaryID) { permanentKeys[object.key] = key }
        object.key = key
        table.set(key.rawValue, to: address)
    }

    /// Makes the key of a removed new object lead to the object that replaces it.
    func addAlias(_ key: ObjectKey, to successor: ObjectKey) {
        if key.isTemporary { permanentKeys[key] = successor } else { successors[key] = successor }
    }

    /// Returns the current key of the object that has or had `key`, or that has replaced it.
    func currentKey(_ key: ObjectKey) -> ObjectKey {
        var key = key
        while let next = key.isTemporary ? permanentKeys[key] : successors[key] { key = next }
        return key
    }

    @usableFromInline
    func findSaved(_ temporaryKey: ObjectKey) -> ManagedObject? {
        let current = currentKey(temporaryKey)
        return current == temporaryKey ? nil : find(current)
    }

    /// Removes all objects.
    ///
    /// - Returns: The removed objects, to be released as those of a sweep.
    package func removeAll() -> ContiguousArray<ManagedObject> {
        for object in objects { object.registration = -1 }
        let removed = objects
        objects = []
        (permanentKeys, successors) = ([:], [:])
        forgetGone()
        partialSweep = PartialSweep()
        table.deallocate()
        table = KeyTable()
        return removed
    }
}

@available(*, unavailable)
extension IdentityMap: Sendable {}
