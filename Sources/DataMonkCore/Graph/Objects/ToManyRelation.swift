/// **Confined.** One to-many relationship of one object: the objects at the other end and the unsaved changes.
///
/// States: *fault* (not loaded: the contents of `members` do not count) and *loaded*. In both states, changes are kept as
/// differences from the store, so adding an object to a fault reads nothing:
///
///     fault --load(rows)--> loaded;  loaded --unload--> fault
///
/// Invariants:
/// 1. Loaded: `members` = (members in the store) + `added` - `removed`.
/// 2. `added` and `removed` are disjoint.
/// 3. For an ordered relationship, `order` holds each member once. While not loaded, it holds those of `added`, in the
///    order of their addition, and after a reorder others as well: the requested order.
@usableFromInline
final class ToManyRelation {
    let relationship: Entity.Relationship
    @exclusivity(unchecked)  // Confined; each access is one load or store.
    private(set) var isLoaded: Bool
    // Unchecked exclusivity of the collections: an assignment may release a member that has left the context, whose `deinit`
    // may call the context, which reads what was assigned.
    /// The members as the store has returned them, until they are needed as a set, which code that only walks over them does
    /// not. `nil` afterwards.
    @exclusivity(unchecked) private var listed: [ManagedObject]?
    @exclusivity(unchecked) private var memberSet: Set<ManagedObject> = []
    @usableFromInline private(set) var members: Set<ManagedObject> {
        get {
            collectMembers()
            return memberSet
        }
        _modify {
            collectMembers()
            yield &memberSet
        }
    }
    var order: [ManagedObject] { sequence?.elements ?? [] }
    /// The members in order, for an ordered relationship.
    private let sequence: OrderedMembers?
    @exclusivity(unchecked) private(set) var added: Set<ManagedObject> = []
    @exclusivity(unchecked) private(set) var removed: Set<ManagedObject> = []
    /// Indicates whether the order differs from the store's by more than additions at the end and removals.
    private(set) var isReordered = false
    /// Indicates whether others have made some of the same changes. If so, the members cannot be computed by reverting
    /// the changes.
    private var repeatsOthers = false
    /// The last returned collection, unless it was empty; `nil` after a change.
    @usableFromInline
    @exclusivity(unchecked)  // As above.
    var typed: AnyTypedCollection?

    /// - Parameter isLoaded: `true` for a new object, whose relationships are empty in every store.
    init(_ relationship: Entity.Relationship, isLoaded: Bool) {
        self.relationship = relationship
        self.isLoaded = isLoaded
        sequence = relationship.isOrdered ? OrderedMembers() : nil
    }

    var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

    /// The unsaved added members, in order if the relationship is ordered.
    var addedInOrder: [ManagedObject] { relationship.isOrdered ? order.filter(added.contains) : Array(added) }

    /// The members, in order if the relationship is ordered.
    ///
    /// An array of its own: a sweep counts the references of the relation's arrays, and the caller may keep this one.
    @usableFromInline var elements: [ManagedObject] { currentElements.map(\.self) }

    /// The members as `elements` has them, for a walk that ends before the next call.
    @usableFromInline var currentElements: [ManagedObject] {
        relationship.isOrdered ? order : listed ?? Array(memberSet)
    }

    private func collectMembers() {
        guard let listed else { return }
        memberSet = Set(listed)
        self.listed = nil
    }

    /// The number of references that `forEachHeldObject` visits.
    var heldCount: Int { (listed?.count ?? 0) + memberSet.count + (sequence?.held.count ?? 0) }

    /// Calls a block with each object that the relation retains, once for each reference.
    func forEachHeldObject(_ body: (ManagedObject) -> Void) {
        for member in listed ?? [] { body(member) }
        for member in memberSet { body(member) }
        for member in sequence?.held ?? [] { body(member) }
    }

    /// Sets the members in the store; changes made to the fault are applied to them.
    func load(_ stored: [ManagedObject]) {
        isLoaded = true
        typed = nil
        if sequence == nil, added.isEmpty, removed.isEmpty {
            (listed, memberSet) = (stored, [])
            return
        }
        let storedMembers = Set(stored)
        if !added.isEmpty || !removed.isEmpty { settleChanges(over: storedMembers) }
        members = storedMembers.subtracting(removed).union(added)
        sequence?.replace(by: merged(order.filter(members.contains), with: stored.filter(members.contains)))
    }

    /// Removes changes that others have made as well. In a one-to-many, however, each member refers to its owner; if it
    /// does so by an unsaved change, that remains a change, whatever others do next.
    private func settleChanges(over stored: Set<ManagedObject>) {
        added = added.filter { !stored.contains($0) || hasOwnChange($0) }
        removed = removed.filter { stored.contains($0) || hasOwnChange($0) }
        repeatsOthers = !added.isDisjoint(with: stored) || !removed.isSubset(of: stored)
    }

    private func hasOwnChange(_ member: ManagedObject) -> Bool {
        guard let inverse = relationship.inverse, !inverse.isToMany, let draft = member.draft, let base = draft.base
        else { return false }
        return RowFormat.word(in: draft.row, at: inverse.slot) != RowFormat.word(in: base.pointer, at: inverse.slot)
    }

    /// Applies a requested order to the stored one. New members come after the others; after a reorder, so do members
    /// that it did not include.
    private func merged(_ wished: [ManagedObject], with stored: [ManagedObject]) -> [ManagedObject] {
        let (first, second) = isReordered ? (wished, stored) : (stored, wished)
        let known = Set(first)
        return first + second.filter { !known.contains($0) }
    }

    /// Discards the members and keeps the changes.
    func unload() {
        isLoaded = false
        typed = nil
        (listed, memberSet) = (nil, [])
        if !isReordered { sequence?.replace(by: order.filter(added.contains)) }
    }

    /// Discards the members and the requested order, and keeps the additions and removals.
    func unloadInStoredOrder() {
        isReordered = false
        unload()
    }

    /// Updates the state of one member whose row was changed without the relation: whether it is a member now, and
    /// whether it is one in the store. The members are read again.
    func settle(_ object: ManagedObject, isMember: Bool, isStored: Bool) {
        added.remove(object)
        removed.remove(object)
        if isMember, !isStored { added.insert(object) }
        if !isMember, isStored { removed.insert(object) }
        if !isMember { sequence?.remove(object) }
        if let sequence, added.contains(object), !sequence.contains(object) { sequence.append(object) }
        unload()
    }

    /// Adds an object on this side only. Returns `false` if nothing changed.
    ///
    /// - Parameter isStored: Whether the object was a member when the change started, if the caller knows. A loaded
    ///   relation may have the member from others, who may remove it again, so the addition is a change all the same.
    @discardableResult
    func insert(_ object: ManagedObject, isStored: Bool? = nil) -> Bool {
        if isLoaded {
            guard members.insert(object).inserted else {
                if isStored == false { repeatsOthers = true }
                return isStored == false && added.insert(object).inserted
            }
        } else if added.contains(object) || (isStored == true && !removed.contains(object)) {
            return false
        }
        sequence?.append(object)
        typed = nil
        let wasRemoved = removed.remove(object) != nil
        // Only the caller can know the stored members of a fault; otherwise adding an object again is a change as well.
        if !wasRemoved || !(isLoaded || isStored == true) { added.insert(object) }
        if wasRemoved, relationship.isOrdered { isReordered = true }
        return true
    }

    /// Removes an object on this side only. Returns `false` if nothing changed.
    ///
    /// - Parameter isStored: Whether the object was a member when the change started, if the caller knows; see `insert`.
    ///   An object that was never saved is not a stored member.
    @discardableResult
    func remove(_ object: ManagedObject, isStored: Bool? = nil) -> Bool {
        if isLoaded {
            guard members.remove(object) != nil else {
                if isStored == true { repeatsOthers = true }
                return isStored == true && removed.insert(object).inserted
            }
        } else if removed.contains(object) || (isStored == false && !added.contains(object)) {
            return false
        }
        sequence?.remove(object)
        typed = nil
        if added.remove(object) == nil || !(isLoaded || isStored == false || object.isInserted) {
            removed.insert(object)
        }
        return true
    }

    /// Reorders the members. `newOrder` contains each of them once.
    func reorder(_ newOrder: [ManagedObject]) {
        guard relationship.isOrdered, newOrder != order else { return }
        sequence?.replace(by: newOrder)
        isReordered = true
        typed = nil
    }

    /// Clears the changes after they have been saved.
    func changesWereSaved() {
        added = []
        removed = []
        isReordered = false
        repeatsOthers = false
        // While the save still has the members that were deleted: later, the order would be the last to have them.
        if isLoaded { sequence?.closeHoles() } else { sequence?.replace(by: []) }
    }

    /// Restores changes that had been counted as saved, beneath those made since. A loaded relation already shows them,
    /// unless it is new.
    func takeBack(added earlier: [ManagedObject], removed gone: [ManagedObject], isReordered wasReordered: Bool) {
        let (laterAdded, laterRemoved) = (added, removed)
        let additions = earlier.filter { !laterRemoved.contains($0) }
        added.formUnion(additions)
        removed.subtract(earlier)
        added.subtract(gone)
        removed.formUnion(gone.filter { !laterAdded.contains($0) })
        if isLoaded {
            for object in additions where members.insert(object).inserted { sequence?.append(object) }
        } else {
            sequence?.replace(by: additions + order.filter(added.contains))
        }
        // Objects that were removed and added again may have another position.
        let returned = !laterAdded.isDisjoint(with: gone)
        isReordered = isReordered || wasReordered || (relationship.isOrdered && returned)
        typed = nil
    }

    /// Discards the changes. The relation is read again if that does not yield the members in the store.
    func rollBack() {
        if isReordered || repeatsOthers || (relationship.isOrdered && !removed.isEmpty) {
            changesWereSaved()
            unload()
            sequence?.replace(by: [])
            return
        }
        if isLoaded {
            members.subtract(added)
            members.formUnion(removed)
        }
        sequence?.replace(by: order.filter { !added.contains($0) })
        changesWereSaved()
        typed = nil
    }

    // MARK: As the property's type

    /// Releases the last returned collection; it is created again on demand.
    func forgetTypedCollection() { typed = nil }

    /// Returns the members as a set of their class. Members of another class are omitted; they occur only if the model
    /// and the class disagree.
    @inlinable
    func typedSet<Object: ManagedObject>() -> Set<Object> {
        if let typed = typed as? TypedCollection<Set<Object>> { return typed.collection }
        let elements = currentElements
        if elements.isEmpty { return [] }
        var set = Set<Object>(minimumCapacity: elements.count)
        for case let member as Object in elements { set.insert(member) }
        typed = TypedCollection(set)
        return set
    }

    /// Returns the members as an array of their class, in order.
    @inlinable
    func typedArray<Object: ManagedObject>() -> [Object] {
        if let typed = typed as? TypedCollection<[Object]> { return typed.collection }
        let elements = currentElements
        if elements.isEmpty { return [] }
        let array = elements.compactMap { $0 as? Object }
        typed = TypedCollection(array)
        return array
    }

    /// Returns the additions and removals that make the relation hold exactly `wanted`. Members of another class are
    /// removed.
    @inlinable
    func difference<Object: ManagedObject>(
        to wanted: Set<Object>
    ) -> (additions: Set<ManagedObject>, departures: [ManagedObject]) {
        var additions: Set<ManagedObject> = []
        for object in wanted where !members.contains(object) { additions.insert(object) }
        // None is removed if the remaining members are all there are.
        if members.count + additions.count == wanted.count { return (additions, []) }
        let departures = members.filter { member in
            guard let member = member as? Object else { return true }
            return !wanted.contains(member)
        }
        return (additions, Array(departures))
    }
}

@available(*, unavailable)
extension ToManyRelation: Sendable {}
