/// **Confined.** The objects of one context, one for each key.
///
/// The table finds and does not retain; `objects` retains, in order of registration. When everything goes, objects are
/// released in that order, which is the order of their memory: releasing in hash order takes half as long again.
///
/// Invariants, checked by `checkInvariants()`:
/// 1. `objects[i].registration == i`.
/// 2. The table maps the key of each object in `objects` to it; it holds nothing else, except
/// 3. temporary keys of objects that have been saved since, if their temporary id was asked for.
package struct IdentityMap {
    @usableFromInline var table = KeyTable()
    @usableFromInline package private(set) var objects: ContiguousArray<ManagedObject> = []
    /// Temporary keys of saved objects (invariant 3).
    private(set) var aliases: Set<ObjectKey> = []

    package init() {}

    package var count: Int { objects.count }

    /// The registered object of `key`.
    @inlinable
    package func find(_ key: ObjectKey) -> ManagedObject? {
        let address = table.find(key.rawValue)
        if address == 0 { return nil }
        // The address was put in by `register`, and the object is retained by `objects` until it is taken out.
        return Unmanaged<ManagedObject>.fromOpaque(UnsafeRawPointer(bitPattern: address).unsafelyUnwrapped)
            .takeUnretainedValue()
    }

    @inlinable
    package mutating func register(_ object: ManagedObject) {
        object.registration = Int32(truncatingIfNeeded: objects.count)
        table.set(object.key.rawValue, UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
        objects.append(object)
    }

    package mutating func unregister(_ object: ManagedObject) {
        let index = Int(object.registration)
        guard index >= 0 else { return }
        table.remove(object.key.rawValue)
        if !aliases.isEmpty { removeAliases(of: object) }
        object.registration = -1
        let last = objects.removeLast()
        if last !== object {
            objects[index] = last
            last.registration = Int32(truncatingIfNeeded: index)
        }
    }

    private mutating func removeAliases(of object: ManagedObject) {
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        for alias in aliases where table.find(alias.rawValue) == address {
            table.remove(alias.rawValue)
            aliases.remove(alias)
        }
    }

    /// Gives a registered object its permanent key. If somebody may know the temporary one, that goes on finding it.
    package mutating func rename(_ object: ManagedObject, to key: ObjectKey) {
        if key == object.key { return }
        let address = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
        if object.state.contains(.hasKnownTemporaryID) {
            aliases.insert(object.key)
        } else {
            table.remove(object.key.rawValue)
        }
        object.key = key
        table.set(key.rawValue, address)
    }

    /// Lets a temporary key of an object that went find the one that stands for it.
    mutating func addAlias(_ key: ObjectKey, of object: ManagedObject) {
        aliases.insert(key)
        table.set(key.rawValue, UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque()))
    }

    /// Forgets every object, in order of registration.
    package mutating func removeAll() {
        for object in objects { object.registration = -1 }
        objects = []
        aliases = []
        table.deallocate()
        table = KeyTable()
    }

    package func deallocate() { table.deallocate() }
}

@available(*, unavailable)
extension IdentityMap: Sendable {}
