/// Requests of a child to its parents; see `ContextFamily`.
extension ManagedObjectContext {
    /// The topmost parent: the context that reads from the stores and saves into them.
    var root: ManagedObjectContext { stores.context }

    /// Returns the parents' knowledge of a row without reading: that of the nearest parent that has read the object.
    func inheritedRow(of key: ObjectKey) -> RowCache<Row>.Answer {
        for context in backing.ancestors {
            guard let object = context.identities.find(key) else { continue }
            if object.isDeleted { return .deleted }
            if let row = context.rowForChildren(of: object) { return .row(row) }
        }
        return .unknown
    }

    /// Returns an object's current values except transient ones, which stay with their object; `nil` for a fault.
    func rowForChildren(of object: ManagedObject) -> Row? {
        let layout = object.home.layout
        if let draft = object.draft {
            return layout.sealForStores(draft, version: draft.base?.version ?? 0, in: &arena)
        }
        guard let row = object.storedRow, !layout.transientSlots.isEmpty else { return object.storedRow }
        let copy = DraftRow(copying: row.pointer, of: layout, base: nil)
        return layout.sealForStores(copy, version: row.version, in: &arena)
    }

    /// Returns the current key of an object, whose former key may come from another context of the family.
    func presentKey(_ key: ObjectKey) -> ObjectKey {
        backing.ancestors.reduce(identities.currentKey(key)) { $1.identities.currentKey($0) }
    }

    // MARK: To-manys

    /// Returns the objects at the other end of a to-many as they are beneath this context: the members in the nearest
    /// parent with a loaded relation, or else those in the store, with the changes of the parents before it.
    func underlyingDestinations(
        of relationship: Entity.Relationship, from object: ManagedObject
    ) throws -> [ManagedObject] {
        var layers: [ToManyRelation] = []
        var held: [ObjectKey]?
        for context in backing.ancestors where held == nil {
            guard let owner = context.identities.find(object.key) else { continue }
            if let relation = owner.toManys.first(where: { $0.relationship.slot == relationship.slot }) {
                if relation.isLoaded { held = relation.elements.map(\.key) } else { layers.append(relation) }
            } else if owner.isInserted {
                held = []
            }
        }
        var destinations: [ManagedObject]
        if let held {
            try faults.loadRows(of: held)
            destinations = held.map(self.object)
        } else {
            destinations = try faults.readDestinations(of: relationship, from: object)
        }
        for relation in layers.reversed() { lay(relation, over: &destinations) }
        return withoutDeletedByParents(destinations)
    }

    /// Returns `true` if a parent knows more of a to-many than the store.
    func inheritsToMany(_ relationship: Entity.Relationship, of object: ManagedObject) -> Bool {
        backing.ancestors.contains { context in
            guard let owner = context.identities.find(object.key) else { return false }
            return owner.isInserted || owner.toManys.contains { $0.relationship.slot == relationship.slot }
        }
    }

    func withoutDeletedByParents(_ destinations: [ManagedObject]) -> [ManagedObject] {
        let deleted = Set(
            backing.ancestors.flatMap { $0.work.changed.lazy.filter { $0.state.contains(.deleted) }.map(\.key) })
        return deleted.isEmpty ? destinations : destinations.filter { !deleted.contains($0.key) }
    }

    /// Applies the changes of a parent's relation that is not loaded to its members.
    private func lay(_ relation: ToManyRelation, over destinations: inout [ManagedObject]) {
        if !relation.hasChanges { return }
        let removed = Set(relation.removed.map(\.key))
        destinations.removeAll { removed.contains($0.key) }
        let present = Set(destinations)
        let additions = relation.relationship.isOrdered ? relation.order : Array(relation.added)
        for addition in additions.map({ object(for: $0.key) }) where !present.contains(addition) {
            destinations.append(addition)
        }
    }
}
