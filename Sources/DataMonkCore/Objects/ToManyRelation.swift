/// **Confined.** One to-many relationship of one object: the objects at the other end and what changed of them.
///
/// States: *fault* (not loaded: `members` holds nothing that counts) and *loaded*. Changes are kept as differences from
/// the store in both, so adding to a fault reads nothing:
///
///     fault --load(rows)--> loaded;  loaded --unload--> fault
///
/// Invariants:
/// 1. loaded: `members` = (what the store holds) + `added` - `removed`.
/// 2. `added` and `removed` are disjoint.
/// 3. `order`, for an ordered relationship, holds each member once; while it is not loaded those of `added`, in the order
///    of their addition, and after a reorder others as well: the order that was wished for.
@usableFromInline
final class ToManyRelation {
    let relationship: Entity.Relationship
    private(set) var isLoaded: Bool
    @usableFromInline private(set) var members: Set<ManagedObject> = []
    var order: [ManagedObject] { sequence?.elements ?? [] }
    /// Of an ordered relationship.
    private let sequence: OrderedMembers?
    private(set) var added: Set<ManagedObject> = []
    private(set) var removed: Set<ManagedObject> = []
    /// Whether the order differs from the store's by more than additions at the end and removals.
    private(set) var isReordered = false
    /// Whether others have made some of the changes as well: without them the members are not known.
    private var repeatsOthers = false
    /// The collection last handed out, as its own type; nil after a change.
    @usableFromInline var typed: Any?

    /// - Parameter isLoaded: true for a new object, whose relationships are empty in every store.
    init(_ relationship: Entity.Relationship, isLoaded: Bool) {
        self.relationship = relationship
        self.isLoaded = isLoaded
        sequence = relationship.isOrdered ? OrderedMembers() : nil
    }

    var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || isReordered }

    /// The members that were added and not saved, in the order kept, or any.
    var addedInOrder: [ManagedObject] { relationship.isOrdered ? order.filter(added.contains) : Array(added) }

    /// The members in order: the order kept, or any.
    @usableFromInline var elements: [ManagedObject] { relationship.isOrdered ? order : Array(members) }

    /// Takes the store's members; changes made to the fault are laid over them.
    func load(_ stored: [ManagedObject]) {
        isLoaded = true
        typed = nil
        let storedMembers = Set(stored)
        if !added.isEmpty || !removed.isEmpty { settleChanges(over: storedMembers) }
        members = storedMembers.subtracting(removed).union(added)
        sequence?.replace(by: merged(order.filter(members.contains), stored.filter(members.contains)))
    }

    /// What others have done as well is no change any more; but the members of a one-to-many say themselves to whom they
    /// belong, and where one says so by an unsaved change, that stays one, whatever the others do next.
    private func settleChanges(over stored: Set<ManagedObject>) {
        added = added.filter { !stored.contains($0) || hasOwnChange($0) }
        removed = removed.filter { stored.contains($0) || hasOwnChange($0) }
        repeatsOthers = !added.isDisjoint(with: stored) || !removed.isSubset(of: stored)
    }

    private func hasOwnChange(_ member: ManagedObject) -> Bool {
        guard let inverse = relationship.inverse, !inverse.isToMany, let draft = member.draft, let base = draft.base
        else { return false }
        return RowFormat.word(draft.row, inverse.slot) != RowFormat.word(base.pointer, inverse.slot)
    }

    /// A wished order over the stored one: new members stand behind the others, and a reorder puts those that it did not
    /// know of last.
    private func merged(_ wished: [ManagedObject], _ stored: [ManagedObject]) -> [ManagedObject] {
        let (first, second) = isReordered ? (wished, stored) : (stored, wished)
        let known = Set(first)
        return first + second.filter { !known.contains($0) }
    }

    /// Forgets the members and keeps the changes.
    func unload() {
        isLoaded = false
        typed = nil
        members = []
        if !isReordered { sequence?.replace(by: order.filter(added.contains)) }
    }

    /// Forgets the members and the order that was wished for, and keeps who came and who left.
    func unloadInStoredOrder() {
        isReordered = false
        unload()
    }

    /// Says what has become of one member, where its row was changed under the relation: whether it is one now, and
    /// whether it is one in the store. The relation is read anew.
    func settle(_ object: ManagedObject, isMember: Bool, isStored: Bool) {
        added.remove(object)
        removed.remove(object)
        if isMember, !isStored { added.insert(object) }
        if !isMember, isStored { removed.insert(object) }
        if !isMember { sequence?.remove(object) }
        if let sequence, added.contains(object), !sequence.contains(object) { sequence.append(object) }
        unload()
    }

    /// Adds an object on this side only. Returns false if nothing changed.
    ///
    /// - Parameter isStored: whether the change started from it being a member, where the caller knows. A loaded relation
    ///   may have it from others, who may take it away again: the change is one all the same.
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
        // What the store holds of a fault is known to the caller at most: else putting back is a change as well.
        if !wasRemoved || !(isLoaded || isStored == true) { added.insert(object) }
        if wasRemoved, relationship.isOrdered { isReordered = true }
        return true
    }

    /// Removes an object on this side only. Returns false if nothing changed.
    ///
    /// - Parameter isStored: whether the change started from it being a member, where the caller knows; see `insert`. What
    ///   was never saved is none.
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

    /// Puts the members into a new order. `newOrder` holds each of them once.
    func reorder(_ newOrder: [ManagedObject]) {
        guard relationship.isOrdered, newOrder != order else { return }
        sequence?.replace(by: newOrder)
        isReordered = true
        typed = nil
    }

    /// The changes are in the store now.
    func changesWereSaved() {
        added = []
        removed = []
        isReordered = false
        repeatsOthers = false
        if !isLoaded { sequence?.replace(by: []) }
    }

    /// Puts changes that were counted as saved under those made since. A loaded relation shows them already, unless it is
    /// new.
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
        // What was removed and added again may stand elsewhere.
        let returned = !laterAdded.isDisjoint(with: gone)
        isReordered = isReordered || wasReordered || (relationship.isOrdered && returned)
        typed = nil
    }

    /// Takes the changes back. It is read again where that does not give what the store holds.
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

    /// Lets go of the collection handed out last; it is made again when it is asked for.
    func forgetTypedCollection() { typed = nil }

    /// The members as a set of their class. A member of another class, which only a model that disagrees with the class
    /// can bring about, is left out.
    @inlinable
    func typedSet<Object: ManagedObject>() -> Set<Object> {
        if let typed = typed as? Set<Object> { return typed }
        var set = Set<Object>(minimumCapacity: members.count)
        for case let member as Object in members { set.insert(member) }
        typed = set
        return set
    }

    /// The members as an array of their class, in order.
    @inlinable
    func typedArray<Object: ManagedObject>() -> [Object] {
        if let typed = typed as? [Object] { return typed }
        let array = elements.compactMap { $0 as? Object }
        typed = array
        return array
    }

    /// What has to come and to go for the relation to hold exactly `wanted`. A member of another class goes.
    @inlinable
    func difference<Object: ManagedObject>(
        to wanted: Set<Object>
    ) -> (additions: Set<ManagedObject>, departures: [ManagedObject]) {
        var additions: Set<ManagedObject> = []
        for object in wanted where !members.contains(object) { additions.insert(object) }
        // None goes if those that stay are all there are.
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
