extension ManagedObject {
    /// Returns the value of an attribute by name. The value of a to-one is its object's id.
    ///
    ///     let age = try person.value(forKey: "age")       // .int(18)
    ///     let city = try person.value(forKey: "address.city")
    ///
    /// The value of a composite attribute is a dictionary of its elements' values. A key path with a point leads to a
    /// single element.
    ///
    /// - Throws: ``FetchError`` with the code `unknownKey` and the nearest correct name; also for a to-many, which has a
    ///   collection instead of a value. The errors of ``fault()`` if the object is a fault whose row cannot be read.
    ///   ``StoreError`` for data whose external file is missing or cannot be read.
    public final nonisolated func value(forKey key: String) throws -> ManagedValue {
        switch try property(named: key) {
        case .attribute(let attribute):
            let row = try row ?? readableRow(attribute.slot)
            // The throwing form of the access; the plain form reports the error instead.
            if attribute.type == .binary || attribute.type == .transformable,
                RowFormat.isReference(in: row, at: attribute.slot)
            {
                return .data(try ExternalReference(RowFormat.bytes(in: row, at: attribute.slot)).data())
            }
            try attribute.composite.requireSoundValue(in: row, of: self)
            return attribute.part(of: attribute.composite.value(in: row))
        case .relationship(let relationship):
            if relationship.isToMany { throw FetchError.noSingleValue(key, of: entity) }
            let row = try row ?? readableRow(relationship.slot)
            guard let destination = ObjectKey(slot: RowFormat.word(in: row, at: relationship.slot)) else {
                return .null
            }
            return .object(try requireContext().object(for: destination).anyObjectID)
        }
    }

    /// Sets an attribute by name, or a to-one by the id of its object.
    ///
    /// - Throws: ``FetchError`` for an unknown key, a value of another type, a value that does not fit the attribute, or
    ///   a derived attribute, which the store computes; with the code `objectIsDeleted` or `objectIsInvalidated` if the
    ///   object has left its context; with the code `valueTooLarge` if the object's values would add up to 2 GiB. The
    ///   errors of ``fault()`` if the object is a fault whose row cannot be read.
    public final nonisolated func setValue(_ value: ManagedValue, forKey key: String) throws {
        try requireMembership()
        switch try property(named: key) {
        case .attribute(let attribute):
            if attribute.isDerived { throw FetchError.derivedAttribute(attribute) }
            guard attribute.accepts(value) else { throw FetchError.wrongValue(value, for: attribute, of: entity) }
            try requireRow()
            let draft = writableDraft
            let taken = draft.takes {
                var editor = RowEditor(draft)
                attribute.composite.write(attribute.whole(with: value, of: UnsafeRawPointer(draft.row)), to: &editor)
            }
            row = UnsafeRawPointer(draft.row)
            state.insert(.written)
            if !taken { throw FetchError.valueTooLarge(attribute.name, of: entity, id: anyObjectID) }
        case .relationship(let relationship):
            if relationship.isToMany { throw FetchError.noSingleValue(key, of: entity) }
            try setToOne(relationship, to: value)
        }
    }

    /// Reads the object's values now, unless they have been read before. This is the throwing form of the read that the
    /// first access to a property performs.
    ///
    ///     try monk.fault()
    ///     print(monk.name)                                // no round trip, and no surprise
    ///
    /// - Throws: ``StoreError`` if the store fails; ``FetchError`` with the code `objectNotFound` if the row no longer
    ///   exists, regardless of `shouldDeleteInaccessibleFaults`, or with the code `contextIsGone`.
    /// - Complexity: No round trip if the object is not a fault or its row is in the row cache; otherwise one SELECT,
    ///   which also fulfills the faults that were registered together with the object.
    public final nonisolated func fault() throws {
        if row == nil {
            let context = try requireContext()
            _ = try context.faults.fulfillOrThrow(self)
        }
        if row == nil || state.contains(.inaccessible) { throw FetchError.objectNotFound(anyObjectID) }
    }

    private nonisolated func readableRow(_ slot: Int) throws -> UnsafeRawPointer {
        try partialRow(holding: slot) ?? requireContext().faults.fulfillLazilyOrThrow(self)
    }

    /// Reads the row of a fault that is about to be changed, because the change depends on the current values.
    private nonisolated func requireRow() throws {
        if row == nil { _ = try requireContext().faults.fulfillOrThrow(self) }
    }

    nonisolated func requireContext() throws -> ManagedObjectContext {
        guard let context = home.context else { throw FetchError.contextIsGone(entity) }
        return context
    }

    /// Returns the objects of a to-many by name, in order if the relationship is ordered, or the results of a fetched
    /// property.
    ///
    ///     for friend in try person.objects(forKey: "friends") { print(try friend.value(forKey: "name")) }
    ///
    /// - Throws: ``FetchError`` for an unknown key, and for one that does not lead to a collection; ``StoreError`` if the
    ///   collection cannot be read.
    public final nonisolated func objects(forKey key: String) throws -> [ManagedObject] {
        if let fetched = entity.fetchedProperties.first(where: { $0.name == key }) {
            return try fetchedObjects(fetched)
        }
        let relationship = try toMany(named: key)
        return try requireContext().faults.toManyLazilyOrThrow(relationship, of: self).elements
    }

    /// Sets the objects of a to-many by name, and their inverses. If an object occurs twice, its first position counts.
    ///
    /// - Throws: ``FetchError`` for an unknown key, for one that does not lead to a collection, for an object of another
    ///   entity, and with the code `objectIsDeleted` or `objectIsInvalidated` for an object that has left the context;
    ///   ``StoreError`` if the current members cannot be read.
    public final nonisolated func setObjects(_ objects: [ManagedObject], forKey key: String) throws {
        let relationship = try toMany(named: key)
        try requireMembership()
        for object in objects { try object.requireMembership() }
        for object in objects where !object.entity.isKind(of: relationship.destination) {
            throw FetchError.wrongDestination(object.entity, of: relationship)
        }
        _ = try livingContext.faults.loadedToMany(relationship, of: self)
        livingContext.graph.setToMany(relationship, of: self, to: objects)
    }

    private nonisolated func toMany(named key: String) throws -> Entity.Relationship {
        guard let relationship = try property(named: key).relationship, relationship.isToMany else {
            throw FetchError.noCollection(key, of: entity)
        }
        return relationship
    }

    private nonisolated func setToOne(_ relationship: Entity.Relationship, to value: ManagedValue) throws {
        try requireRow()
        switch value {
        case .null: livingContext.graph.setToOne(relationship, of: self, to: nil)
        case .object(let id):
            let destination = try livingContext.existingObject(with: id)
            guard destination.entity.isKind(of: relationship.destination) else {
                throw FetchError.wrongDestination(destination.entity, of: relationship)
            }
            livingContext.graph.setToOne(relationship, of: self, to: destination)
        default: throw FetchError.notAnObject(value, for: relationship)
        }
    }

    final nonisolated func property(named key: String) throws -> Entity.Property {
        checkOwner()
        if let property = entity.propertiesByName[key] { return property }
        // An element of a composite attribute: `address.city`.
        if let point = key.firstIndex(of: "."), let composite = entity.attribute(named: String(key[..<point])),
            let element = composite.element(named: key[key.index(after: point)...])
        {
            return .attribute(element)
        }
        throw FetchError.noProperty(key, of: entity)
    }
}

extension Entity.Attribute {
    /// The attribute that has the slot: for an element its composite attribute, otherwise the attribute itself.
    fileprivate var composite: Entity.Attribute {
        position == nil ? self : entity.properties[slot].attribute ?? self
    }

    /// Returns the value to write for the whole attribute: for an element, the composite's value with this element
    /// replaced.
    fileprivate func whole(with value: ManagedValue, of row: UnsafeRawPointer) -> ManagedValue {
        guard position != nil else { return value }
        var values: [String: ManagedValue] = [:]
        if case .dictionary(let old) = composite.value(in: row) { values = old }
        values[name] = value.isNull ? nil : value
        return .dictionary(values)
    }
}
