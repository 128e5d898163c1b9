extension ManagedObject {
    /// The value of an attribute by name; a to-one's value is its object's id.
    ///
    ///     let age = try person.value(forKey: "age")       // .int(18)
    ///
    /// - Throws: ``FetchError`` with the code `unknownKey` and the nearest right name; for a to-many, which has a
    ///   collection and no value.
    public final nonisolated func value(forKey key: String) throws -> ManagedValue {
        switch try property(named: key) {
        case .attribute(let attribute):
            return attribute.value(in: row ?? fulfill())
        case .relationship(let relationship):
            if relationship.isToMany { throw FetchError.noSingleValue(key, entity) }
            return toOneKey(relationship.slot).map { .object(livingContext.object(for: $0).anyObjectID) } ?? .null
        }
    }

    /// Sets an attribute by name, or a to-one by its object's id.
    ///
    /// - Throws: ``FetchError`` for an unknown key, a value of another type, or one that does not fit the attribute.
    public final nonisolated func setValue(_ value: ManagedValue, forKey key: String) throws {
        switch try property(named: key) {
        case .attribute(let attribute):
            guard attribute.accepts(value) else { throw FetchError.wrongValue(value, attribute, entity) }
            let draft = self.draft ?? beginDraft()
            var editor = RowEditor(draft)
            attribute.write(value, to: &editor)
            row = UnsafeRawPointer(draft.row)
            state.insert(.written)
        case .relationship(let relationship):
            if relationship.isToMany { throw FetchError.noSingleValue(key, entity) }
            try setToOne(relationship, value)
        }
    }

    /// The objects of a to-many by name, in their order if it keeps one.
    ///
    ///     for friend in try person.objects(forKey: "friends") { print(try friend.value(forKey: "name")) }
    ///
    /// - Throws: ``FetchError`` for an unknown key, and for one that leads to no collection.
    public final nonisolated func objects(forKey key: String) throws -> [ManagedObject] {
        livingContext.toMany(try toMany(named: key), of: self).elements
    }

    /// Sets the objects of a to-many by name, and its inverses. Of an object that occurs twice the first place counts.
    ///
    /// - Throws: ``FetchError`` for an unknown key, one that leads to no collection, and an object of another entity.
    public final nonisolated func setObjects(_ objects: [ManagedObject], forKey key: String) throws {
        let relationship = try toMany(named: key)
        for object in objects where !object.entity.isKind(of: relationship.destination) {
            throw FetchError.wrongDestination(object.entity, relationship)
        }
        livingContext.setToMany(relationship, of: self, to: objects)
    }

    private nonisolated func toMany(named key: String) throws -> Entity.Relationship {
        guard let relationship = try property(named: key).relationship, relationship.isToMany else {
            throw FetchError.noCollection(key, entity)
        }
        return relationship
    }

    private nonisolated func setToOne(_ relationship: Entity.Relationship, _ value: ManagedValue) throws {
        switch value {
        case .null: livingContext.setToOne(relationship, of: self, to: nil)
        case .object(let id):
            let destination = try livingContext.existingObject(with: id)
            guard destination.entity.isKind(of: relationship.destination) else {
                throw FetchError.wrongDestination(destination.entity, relationship)
            }
            livingContext.setToOne(relationship, of: self, to: destination)
        default: throw FetchError.notAnObject(value, relationship)
        }
    }

    final nonisolated func property(named key: String) throws -> Entity.Property {
        if let property = entity.propertiesByName[key] { return property }
        throw FetchError.noProperty(key, entity)
    }
}
