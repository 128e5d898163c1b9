extension ManagedObject {
    /// The value of an attribute by name; a to-one's value is its object's id.
    ///
    ///     let age = try person.value(forKey: "age")       // .int(18)
    ///
    /// - Throws: ``FetchError`` with the code `unknownKey` and the nearest right name; for a to-many, which has a
    ///   collection and no value. ``StoreError`` for data whose file of its own is missing or cannot be read.
    public final nonisolated func value(forKey key: String) throws -> ManagedValue {
        switch try property(named: key) {
        case .attribute(let attribute):
            let row = row ?? fulfill()
            // The form of the access that throws what the plain one reports.
            if attribute.type == .binary, RowFormat.isReference(row, attribute.slot) {
                return .data(try ExternalReference(RowFormat.bytes(row, attribute.slot)).data())
            }
            return attribute.value(in: row)
        case .relationship(let relationship):
            if relationship.isToMany { throw FetchError.noSingleValue(key, entity) }
            return toOneKey(relationship.slot).map { .object(livingContext.object(for: $0).anyObjectID) } ?? .null
        }
    }

    /// Sets an attribute by name, or a to-one by its object's id.
    ///
    /// - Throws: ``FetchError`` for an unknown key, a value of another type, one that does not fit the attribute, or a
    ///   derived attribute, which the store computes.
    public final nonisolated func setValue(_ value: ManagedValue, forKey key: String) throws {
        switch try property(named: key) {
        case .attribute(let attribute):
            if attribute.isDerived { throw FetchError.derivedAttribute(attribute) }
            guard attribute.accepts(value) else { throw FetchError.wrongValue(value, attribute, entity) }
            let draft = self.draft ?? beginDraft()
            var editor = RowEditor(draft)
            attribute.write(value, to: &editor)
            row = UnsafeRawPointer(draft.row)
        case .relationship(let relationship):
            if relationship.isToMany { throw FetchError.noSingleValue(key, entity) }
            try setToOne(relationship, value)
        }
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

    private nonisolated func property(named key: String) throws -> Entity.Property {
        if let property = entity.propertiesByName[key] { return property }
        throw FetchError.noProperty(key, entity)
    }
}
