/// Finding out which clean objects nobody holds.
///
/// A reference count tells that somebody holds an object, but not who: loaded to-manys hold their members too, and two
/// objects may hold each other that way. So the sweep takes the references of clean objects' to-manys off the counts,
/// looks who is still held by more than the map, puts the references back, and follows the to-manys of those who stay:
///
///     map --> department --employees--> monk      nobody else holds the department: both go
///     map --> department --employees--> monk      somebody holds the department: both stay
///
/// An object stays if (a) it has anything to save, (b) somebody besides the map and clean to-manys holds it, or (c) it
/// is in a to-many of one that stays. Taking off and putting back is no more than counting: nothing of anybody else's
/// runs between the two, and the map's own reference keeps every count above zero.
extension IdentityMap {
    /// Takes the objects out that nobody holds.
    ///
    /// - Returns: what was registered, if anything goes. Whoever calls lets go of it when nothing of the context is at work any
    ///   more: releasing an object may run its class's `deinit`.
    func sweep() -> ContiguousArray<ManagedObject> {
        discountToManys()
        let reached = markHeld()
        recountToManys()
        markMembers(of: reached)
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

    /// Each reference of a clean object's to-manys to a registered object.
    private func forEachMember(_ body: (Unmanaged<ManagedObject>) -> Void) {
        for object in objects where object.hasCleanToManys {
            for relation in object.toManys {
                relation.forEachHeldObject { member in
                    // Unmanaged: its count is taken down and up again by hand. The map's reference keeps it above zero,
                    // which unregistered members do not have.
                    if member.registration >= 0 { body(Unmanaged.passUnretained(member)) }
                }
            }
        }
    }

    /// Marks those who stay by themselves; returns those of them that have to-manys.
    private func markHeld() -> [ManagedObject] {
        var owners: [ManagedObject] = []
        for index in objects.indices where isHeld(at: index) {
            objects[index].state.insert(.reached)
            if objects[index].hasToManys { owners.append(objects[index]) }
        }
        return owners
    }

    /// Whether the object at a place has unsaved changes, or a holder besides the map.
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

    /// Everything is held: whoever fetches more and more, and keeps it, is swept now and then and pays for no new table.
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
            // A cohort whose first object goes begins with the next one that stays.
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
    /// Whether the object may leave its context once nobody holds it.
    fileprivate final nonisolated var isSweepable: Bool {
        draft == nil && state.isDisjoint(with: [.inserted, .updated, .deleted, .tracked])
    }

    fileprivate final nonisolated var hasCleanToManys: Bool { hasToManys && isSweepable }
}

extension ToManyRelation {
    /// Each object that the relation of a clean object holds, as often as it holds it.
    fileprivate func forEachHeldObject(_ body: (ManagedObject) -> Void) {
        for member in members { body(member) }
        for member in order { body(member) }
    }
}
