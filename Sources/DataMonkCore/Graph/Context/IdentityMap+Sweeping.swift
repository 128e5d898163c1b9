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
///
/// A sweep in parts looks at some consecutive objects at a time. References between objects of different parts count like
/// any other: a member stays while its owner is registered, and two objects of different parts that retain each other
/// stay until a sweep looks at all objects together.
extension IdentityMap {
    /// Removes the objects that are no longer referenced.
    ///
    /// - Returns: The removed objects, and perhaps others. The caller releases them when no call of the context is running any
    ///   more, since releasing an object may run its class's `deinit`.
    func sweep() -> ContiguousArray<ManagedObject> {
        partialSweep = PartialSweep()
        forgetGone()
        mark(Part(places: objects.indices, longestRelation: .max))
        return removeUnreached()
    }

    /// Removes the objects that are no longer referenced, among the next ones of a sweep in parts.
    ///
    /// - Returns: The removed objects, to be released as those of a whole sweep, and `true` with the last part: few
    ///   objects that were not looked at since can be ready to leave now.
    func sweepPart() -> (removed: ContiguousArray<ManagedObject>, isLast: Bool) {
        if partialSweep.count == 0 {
            if let former = partialSweep.formerCount, objects.count >= former {
                // Each object that has left let its class register another: there would be no end.
                partialSweep = PartialSweep()
                return ([], true)
            }
            partialSweep.begin(with: objects.count)
        }
        let part = nextPart()
        mark(part)
        let (removed, released) = removeUnreached(in: part)
        partialSweep.next = part.places.upperBound - removed.count
        partialSweep.end -= removed.count
        partialSweep.released += removed.count + released
        if partialSweep.next < min(partialSweep.end, objects.count) { return (removed, false) }
        let isLast = partialSweep.released <= max(objects.count / 4, Part.size)
        partialSweep = PartialSweep(formerCount: isLast ? nil : partialSweep.count)
        return (removed, isLast)
    }

    /// Returns the next objects of a sweep in parts: no more than those with a certain number of references.
    private func nextPart() -> Part {
        let start = min(partialSweep.next, objects.count)
        var part = Part(places: start..<start, longestRelation: Part.longestRelation)
        var end = start
        var references = 0
        while end < min(start + Part.size, partialSweep.end, objects.count), references < Part.mostReferences {
            for relation in objects[end].toManys where part.includes(relation) { references += relation.heldCount }
            end += 1
        }
        part.places = start..<end
        return part
    }

    /// Marks the objects that stay.
    private func mark(_ part: Part) {
        discountToManys(in: part)
        let reached = markHeld(in: part)
        recountToManys(in: part)
        markMembers(of: reached, in: part)
    }

    private func discountToManys(in part: Part) {
        for object in objects[part.places] where object.hasCleanToManys {
            for relation in object.toManys where part.includes(relation) { relation.forgetTypedCollection() }
        }
        forEachMember(in: part) { $0.release() }
    }

    private func recountToManys(in part: Part) {
        forEachMember(in: part) { _ = $0.retain() }
    }

    /// Calls a block for each reference from a clean object's to-many to a registered object, both in the part.
    private func forEachMember(in part: Part, _ body: (Unmanaged<ManagedObject>) -> Void) {
        for object in objects[part.places] where object.hasCleanToManys {
            for relation in object.toManys where part.includes(relation) {
                relation.forEachHeldObject { member in
                    // Unmanaged, because its count is changed by hand. The map's reference, which unregistered members do
                    // not have, keeps it above zero.
                    if part.contains(member) { body(Unmanaged.passUnretained(member)) }
                }
            }
        }
    }

    /// Marks the objects that stay on their own account, and returns those of them that have to-manys.
    private func markHeld(in part: Part) -> [ManagedObject] {
        var owners: [ManagedObject] = []
        for index in part.places where isHeld(at: index) {
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

    private func markMembers(of reached: [ManagedObject], in part: Part) {
        var owners = reached
        while let owner = owners.popLast() {
            for relation in owner.toManys where part.includes(relation) {
                relation.forEachHeldObject { member in
                    if member.state.contains(.reached) || !part.contains(member) { return }
                    member.state.insert(.reached)
                    if member.hasToManys { owners.append(member) }
                }
            }
        }
    }

    /// Removes the objects of all that are not marked, in the time that it takes to register the others anew.
    ///
    /// - Returns: The objects that were registered before, if any are removed.
    private func removeUnreached() -> ContiguousArray<ManagedObject> {
        let staying = objects.count { $0.state.contains(.reached) }
        if staying == objects.count {
            // No new table, for code that fetches more and more objects and keeps them.
            for object in objects { object.state.remove(.reached) }
            return []
        }
        let all = objects
        objects = []
        objects.reserveCapacity(staying)
        table.deallocate()
        table = KeyTable(minimumCapacity: staying)
        var beginsCohort = false
        for object in all {
            // If the first object of a cohort is removed, the cohort begins with its next object that stays.
            beginsCohort = beginsCohort || object.state.contains(.beginsCohort)
            guard object.state.contains(.reached) else {
                object.registration = -1
                continue
            }
            object.state.remove(.reached)
            if beginsCohort { object.state.insert(.beginsCohort) }
            beginsCohort = false
            register(object)
        }
        return all
    }

    /// Removes the objects of a part that are not marked.
    ///
    /// - Returns: The removed objects, and the number of references by which they may have kept others.
    private func removeUnreached(in part: Part) -> (removed: ContiguousArray<ManagedObject>, released: Int) {
        var removed: ContiguousArray<ManagedObject> = []
        var released = 0
        var place = part.places.lowerBound
        var beginsCohort = false
        for index in part.places {
            let object = objects[index]
            beginsCohort = beginsCohort || object.state.contains(.beginsCohort)
            guard object.state.contains(.reached) else {
                released += part.keepingReferences(of: object)
                object.registration = -1
                removed.append(object)
                continue
            }
            object.state.remove(.reached)
            if beginsCohort { object.state.insert(.beginsCohort) }
            beginsCohort = false
            if place < index { put(object, at: place) }
            place += 1
        }
        let end = part.places.upperBound
        if beginsCohort, end < objects.count { objects[end].state.insert(.beginsCohort) }
        close(place..<end)
        if !removed.isEmpty { forgetKeys(of: removed) }
        return (removed, released)
    }

    /// Closes a gap with the last objects, in their order: moving all that follow would take longer than the sweep.
    private func close(_ gap: Range<Int>) {
        if gap.isEmpty { return }
        let start = max(gap.upperBound, objects.count - gap.count)
        for index in start..<objects.count { put(objects[index], at: gap.lowerBound + index - start) }
        if start < objects.count {
            objects[gap.lowerBound].state.insert(.beginsCohort)
            if gap.upperBound < start { objects[gap.upperBound].state.insert(.beginsCohort) }
        }
        objects.removeLast(gap.count)
    }

    /// **Value.** The progress of a sweep in parts.
    struct PartialSweep {
        /// The number of objects at the begin of the sweep before, if that is to be repeated.
        fileprivate let formerCount: Int?
        /// The number of objects at its begin; 0 before that.
        private(set) var count = 0
        /// The place at which the next part begins.
        fileprivate(set) var next = 0
        /// The place at which the last part ends: what is registered meanwhile is left to the next sweep.
        fileprivate(set) var end = 0
        /// The number of objects that have been removed, and of the references by which they may have kept others.
        fileprivate(set) var released = 0

        init(formerCount: Int? = nil) { self.formerCount = formerCount }

        fileprivate mutating func begin(with count: Int) { (self.count, end) = (count, count) }
    }

    /// **Value.** The objects that are looked at together.
    private struct Part {
        var places: Range<Int>
        /// The number of references from which on a to-many is not looked into: its members stay while its owner does.
        let longestRelation: Int

        static var size: Int { 1_024 }
        static var mostReferences: Int { 16_384 }
        static var longestRelation: Int { 4_096 }

        func contains(_ object: ManagedObject) -> Bool { places.contains(Int(object.registration)) }

        func includes(_ relation: ToManyRelation) -> Bool { relation.heldCount < longestRelation }

        /// Returns the number of references by which an object may have kept others: those to registered objects outside of the
        /// part, and all of its long to-manys.
        func keepingReferences(of object: ManagedObject) -> Int {
            var count = 0
            for relation in object.toManys {
                if includes(relation) {
                    relation.forEachHeldObject { if $0.registration >= 0, !contains($0) { count += 1 } }
                } else {
                    count += relation.heldCount
                }
            }
            return count
        }
    }
}

extension ManagedObject {
    /// Indicates whether the object may leave its context once it is no longer referenced.
    fileprivate final nonisolated var isSweepable: Bool {
        draft == nil && state.isDisjoint(with: [.inserted, .updated, .deleted, .tracked])
    }

    fileprivate final nonisolated var hasCleanToManys: Bool { hasToManys && isSweepable }
}
