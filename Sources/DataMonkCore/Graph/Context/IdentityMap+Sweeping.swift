/// Detection of clean objects that are no longer referenced.
///
/// A reference count shows that an object is referenced, but not by whom: loaded to-manys retain their members too, and
/// two objects may retain each other that way. The sweep therefore subtracts the references of clean objects' to-manys
/// from the counts, checks which objects are still referenced by anything other than the map, restores the references,
/// and follows the to-manys of the objects that stay:
///
///     map --> department --employees--> monk      no other reference to the department: both are removed
///     map --> department --employees--> monk      another reference to the department: both stay
///
/// An object stays if (a) it has anything to save, (b) something other than the map and clean to-manys references it, or
/// (c) it is in a to-many of an object that stays. Subtracting and restoring only changes counts: no foreign code runs in
/// between, and the map's own reference keeps every count above zero.
extension IdentityMap {
    /// Removes the objects that are no longer referenced.
    ///
    /// - Returns: The previously registered objects, if any are removed. The caller releases them when no call of the
    ///   context is running any more, since releasing an object may run its class's `deinit`.
    func sweep() -> ContiguousArray<ManagedObject> {
        discountToManys()
        let reached = markHeld()
        recountToManys()
        markMembers(of: reached)
        forgetGone()
        let staying = objects.count { $0.state.contains(.reached) }
        return staying == objects.count ? keepAll() : removeUnreached(staying)
    }

    private func discountToManys() {
        for object in objects where object.hasCleanToManys {
            for relation in object.toManys { relation.forgetTypedCollection() }
        }
        forEachMember { $0.release() }
    }

    private func recountToManys() {
        forEachMember { _ = $0.retain() }
    }

    /// Calls a block for each reference from a clean object's to-many to a registered object.
    private func forEachMember(_ body: (Unmanaged<ManagedObject>) -> Void) {
        for object in objects where object.hasCleanToManys {
            for relation in object.toManys {
                relation.forEachHeldObject { member in
                    // Unmanaged, because its count is changed by hand. The map's reference, which unregistered members do
                    // not have, keeps it above zero.
                    if member.registration >= 0 { body(Unmanaged.passUnretained(member)) }
                }
            }
        }
    }

    /// Marks the objects that stay on their own account, and returns those of them that have to-manys.
    private func markHeld() -> [ManagedObject] {
        var owners: [ManagedObject] = []
        for index in objects.indices where isHeld(at: index) {
            objects[index].state.insert(.reached)
            if objects[index].hasToManys { owners.append(objects[index]) }
        }
        return owners
    }

    /// Returns `true` if the object at an index has unsaved changes, or is referenced by anything other than the map.
    func isHeld(at index: Int) -> Bool {
        if !objects[index].isSweepable { return true }
        return !isKnownUniquelyReferenced(&objects[index])
    }

    private func markMembers(of reached: [ManagedObject]) {
        var owners = reached
        while let owner = owners.popLast() {
            for relation in owner.toManys {
                relation.forEachHeldObject { member in
                    if member.state.contains(.reached) || member.registration < 0 { return }
                    member.state.insert(.reached)
                    if member.hasToManys { owners.append(member) }
                }
            }
        }
    }

    /// Keeps all objects without building a new table, for code that fetches more and more objects and keeps them.
    private func keepAll() -> ContiguousArray<ManagedObject> {
        for object in objects { object.state.remove(.reached) }
        return []
    }

    private func removeUnreached(_ staying: Int) -> ContiguousArray<ManagedObject> {
        let all = objects
        let old = table
        objects = []
        objects.reserveCapacity(staying)
        table = KeyTable(minimumCapacity: staying)
        var beginsCohort = false
        for object in all {
            // If the first object of a cohort is removed, the cohort begins with its next object that stays.
            beginsCohort = beginsCohort || object.state.contains(.beginsCohort)
            guard object.state.contains(.reached) else {
                object.registration = -1
                object.toManys = []
                continue
            }
            object.state.remove(.reached)
            if beginsCohort { object.state.insert(.beginsCohort) }
            beginsCohort = false
            register(object)
        }
        old.deallocate()
        return all
    }
}

extension ManagedObject {
    /// Indicates whether the object may leave its context once it is no longer referenced.
    fileprivate final nonisolated var isSweepable: Bool {
        draft == nil && state.isDisjoint(with: [.inserted, .updated, .deleted, .tracked])
    }

    fileprivate final nonisolated var hasCleanToManys: Bool { hasToManys && isSweepable }
}
