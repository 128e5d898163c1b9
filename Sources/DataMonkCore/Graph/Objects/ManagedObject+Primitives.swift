extension ManagedObject {
    /// Returns the value of an attribute by name, as ``value(forKey:)`` does. For custom accessors, which in Core Data
    /// use primitive values.
    ///
    /// - Throws: ``FetchError`` for an unknown key, with the nearest correct name, and for a relationship; otherwise the
    ///   errors of ``value(forKey:)``.
    public final nonisolated func primitiveValue(forKey key: String) throws -> ManagedValue {
        _ = try primitive(key)
        return try value(forKey: key)
    }

    /// Sets an attribute by name without calling hooks for it. In `willSave`, it does not cause another call of that
    /// method.
    ///
    ///     override func willSave() {
    ///         // A plain `changedAt = Date()` would be a change and call willSave again, endlessly.
    ///         try? setPrimitiveValue(.date(Date()), forKey: "changedAt")
    ///     }
    ///
    /// Unlike in Core Data, the change counts as unsaved and is never lost.
    ///
    /// - Throws: ``FetchError`` for an unknown key, a relationship, a value of another type, or a value that does not
    ///   fit; with the code `objectIsDeleted` or `objectIsInvalidated` if the object has left its context.
    public final nonisolated func setPrimitiveValue(_ value: ManagedValue, forKey key: String) throws {
        let attribute = try primitive(key)
        try requireMembership()
        guard attribute.accepts(value) else { throw FetchError.wrongValue(value, for: attribute, of: entity) }
        let draft = writableDraft
        let taken = draft.takes {
            var editor = RowEditor(draft)
            attribute.write(value, to: &editor)
        }
        row = UnsafeRawPointer(draft.row)
        if !taken { throw FetchError.valueTooLarge(attribute.name, of: entity, id: anyObjectID) }
    }

    private nonisolated func primitive(_ key: String) throws -> Entity.Attribute {
        switch try property(named: key) {
        case .attribute(let attribute): return attribute
        case .relationship(let relationship): throw FetchError.noPrimitive(relationship)
        }
    }
}

extension ManagedObject {
    /// Returns `true` if the objects at the other end of a relationship have not been read: the members of a to-many, or
    /// the row of a to-one's destination. Reads nothing.
    ///
    /// - Throws: ``FetchError`` for an unknown key, with the nearest correct name, and for an attribute.
    public final nonisolated func hasFault(forRelationshipNamed key: String) throws -> Bool {
        let relationship = try relationship(named: key)
        // Without a context, nothing can be read any more.
        guard let context = home.context else { return true }
        if relationship.isToMany { return !relation(relationship).isLoaded }
        guard let row else { return true }
        guard let destination = ObjectKey(slot: RowFormat.word(in: row, at: relationship.slot)) else { return false }
        return context.identities.find(destination)?.isFault ?? true
    }

    /// Returns the ids of the objects at the other end of a relationship, including unsaved changes; in order if the
    /// relationship is ordered. For a to-one, the array has one id or none.
    ///
    /// - Throws: ``FetchError`` for an unknown key, with the nearest correct name, for an attribute, and for an object
    ///   whose context has been released; ``StoreError`` if the members cannot be read.
    /// - Complexity: One read if the members have not been read.
    public final nonisolated func objectIDs(forRelationshipNamed key: String) throws -> [AnyObjectID] {
        let relationship = try relationship(named: key)
        guard let context = home.context else { throw FetchError.contextIsGone(entity) }
        if relationship.isToMany {
            return try context.faults.loadedToMany(relationship, of: self).elements.map(\.anyObjectID)
        }
        let row = try row ?? partialRow(holding: relationship.slot) ?? context.faults.fulfillLazilyOrThrow(self)
        guard let key = ObjectKey(slot: RowFormat.word(in: row, at: relationship.slot)) else { return [] }
        return [context.object(for: key).anyObjectID]
    }

    private nonisolated func relationship(named key: String) throws -> Entity.Relationship {
        if let relationship = try property(named: key).relationship { return relationship }
        throw FetchError.noRelationship(key, of: entity)
    }
}
