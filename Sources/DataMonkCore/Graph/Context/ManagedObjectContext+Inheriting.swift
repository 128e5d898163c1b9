/// Requests of a child to its parents; see `ContextFamily`.
extension ManagedObjectContext {
    /// The topmost parent: the context that reads from the stores and saves into them.
    var root: ManagedObjectContext { stores.context }

    /// The parent into which a save goes; `nil` for the stores. A read-only parent takes no changes, so its children save
    /// into the stores, as roots do.
    var parentToSaveInto: ManagedObjectContext? {
        guard let parent, !parent.isReadOnly else { return nil }
        return parent
    }

    /// Moves the whole family to the newest generation.
    func advance(with parent: ManagedObjectContext) throws {
        try parent.advance()
        // Objects that are deleted by the parent's delete rules no longer exist for a child either.
        parent.graph.propagateDeletions()
    }

    /// Returns the parents' knowledge of a row without reading: that of the nearest parent that has read the object.
    func inheritedRow(of key: ObjectKey) -> RowCache<Row>.Answer {
        var ancestor = parent
        while let context = ancestor {
            if let object = context.identities.find(key) {
                if object.isDeleted { return .deleted }
                if let row = context.rowForChildren(of: object) { return .row(row) }
            }
            ancestor = context.parent
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

    /// Returns the current key of an object, whose temporary key may come from another context of the family.
    func presentKey(_ key: ObjectKey) -> ObjectKey {
        if !key.isTemporary { return key }
        var context: ManagedObjectContext? = self
        while let current = context {
            let present = current.identities.currentKey(key)
            if present != key { return present }
            context = current.parent
        }
        return key
    }

    // MARK: To-manys

    /// Returns the objects at the other end of a to-many as they are beneath this context: the members in the nearest
    /// parent with a loaded relation, or else those in the store, with the changes of the parents before it.
    func underlyingDestinations(
        of relationship: Entity.Relationship, from object: ManagedObject
    ) throws -> [ManagedObject] {
        var layers: [ToManyRelation] = []
        var held: [ObjectKey]?
        var ancestor = parent
        while held == nil, let context = ancestor {
            ancestor = context.parent
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
        var ancestor = parent
        while let context = ancestor {
            if let owner = context.identities.find(object.key),
                owner.isInserted || owner.toManys.contains(where: { $0.relationship.slot == relationship.slot })
            {
                return true
            }
            ancestor = context.parent
        }
        return false
    }

    func withoutDeletedByParents(_ destinations: [ManagedObject]) -> [ManagedObject] {
        let deleted = keysDeletedByParents()
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

    private func keysDeletedByParents() -> Set<ObjectKey> {
        var keys: Set<ObjectKey> = []
        var ancestor = parent
        while let context = ancestor {
            for object in context.work.changed where object.state.contains(.deleted) { keys.insert(object.key) }
            ancestor = context.parent
        }
        return keys
    }

    // MARK: Reverting to the parent's state

    /// Gives a clean object that has been read the values that the parent has now.
    func adoptInherited(_ committed: Row, as object: ManagedObject) {
        switch inheritedRow(of: object.key) {
        case .row(let row): adopt(row, as: object)
        case .unknown: adopt(committed, as: object)
        // It has since been deleted in the parent, which is not passed on before it is saved.
        case .deleted: break
        }
    }

    /// Gives an object whose changes were discarded the values that the parent has now.
    func dropToInherited(_ object: ManagedObject) {
        for relation in object.toManys { relation.unload() }
        switch inheritedRow(of: object.key) {
        case .row(let row): adopt(row, as: object)
        // No parent has read it. Its former values may be older than the family's generation.
        case .unknown, .deleted: turnIntoFault(object)
        }
    }
}
