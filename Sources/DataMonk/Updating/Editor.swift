public import DataMonkCore

/// **Confined.** Creates, changes and deletes objects of one context: the common part of an ``Update`` and a ``Draft``.
public class Editor: Reader {
    /// Creates an object with its default values.
    ///
    /// - Throws: ``/DataMonkCore/ModelError`` if the class has no entity in the stack's model, or an abstract one.
    public func create<Object: ManagedObject>(_ type: Object.Type) throws -> Object {
        try graph.insert(type)
    }

    /// Returns the first object that meets the condition, or creates one that does.
    ///
    /// The condition may contain only `==` and `&&`; a new object gets its values.
    ///
    ///     let knight = try update.fetchOrCreate(Person.self, %"name" == "Knight" && %"age" == 18)
    ///
    /// Two concurrent updates may both find nothing and create an object each. To prevent that, make the attributes
    /// unique in the model, or use the order `.serial`.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` for any other operator, before the fetch. If no object is found, also for a value
    ///   that a new one cannot have, such as that of a derived attribute; no object is created then.
    public func fetchOrCreate<Object: ManagedObject>(_ type: Object.Type, _ query: Query) throws -> Object {
        let equalities = try query.condition.equalities()
        if let found = try first(type, query) { return found }
        let entity = try graph.entity(for: type)
        for equality in equalities { try requireSettable(equality, of: entity) }
        let object = try create(type)
        do {
            for equality in equalities { try set(equality, of: object) }
        } catch {
            // A value that depends on the new object does not fit, or a read has failed.
            // Reason for try?: an object that has left the context meanwhile leaves nothing behind.
            try? delete(object)
            throw error
        }
        return object
    }

    /// Throws an error unless a new object can have the value, as far as that is known before there is one.
    private func requireSettable(_ equality: Condition.Equality, of entity: Entity) throws {
        let key = equality.keyPath
        switch (entity.propertiesByName[key], equality.value) {
        case (nil, _):
            throw FetchError(
                .unsupportedCondition,
                """
                \(key) of a new object cannot be set, because it is not a property of the object itself. Fetch the \
                object first; if there is none, create it and set the properties yourself.
                """, keyPath: key)
        case (.attribute(let attribute)?, _) where attribute.isDerived:
            throw FetchError(
                .derivedAttribute,
                """
                \(key) of a new object cannot be set, because the store derives it from other values. Fetch the object \
                first; if there is none, create it and set those values yourself.
                """, entityName: entity.name, keyPath: key)
        case (.attribute(let attribute)?, .value(let value)) where !attribute.accepts(value):
            throw FetchError(
                .typeMismatch,
                """
                \(entity.name).\(key) holds \(attribute.type), and the condition's value, \(value.kind), does not fit, so \
                no new object can meet the condition. Compare with a value that fits.
                """, entityName: entity.name, keyPath: key)
        case (.relationship?, .value(.object(let id))):
            _ = try graph.existingObject(with: id)
        default: return
        }
    }

    private func set(_ equality: Condition.Equality, of object: ManagedObject) throws {
        switch equality.value {
        case .value(let value): try object.setValue(value, forKey: equality.keyPath)
        case .keyPath(let keyPath): try object.setValue(object.value(forKey: keyPath), forKey: equality.keyPath)
        default: return
        }
    }

    // MARK: Incrementing

    /// Adds an amount to a number of an object: the commit adds it to what the store holds by then, whoever else has changed
    /// that since it was read.
    ///
    ///     try update.increment(\.balance, by: 1, of: id)
    ///     try update.commit()
    ///
    /// The object shows the sum at once, and what was stored after the commit. Of an object with no other changes the commit
    /// meets no conflict; beside other changes the merge policy decides about those, and the amount goes onto the stored
    /// value. An attribute that this update has set is set once more. One without a value begins at its default.
    ///
    /// - Throws: as ``/DataMonkCore/ManagedObject/incrementValue(forKey:by:)``; ``/DataMonkCore/FetchError`` with the code
    ///   `objectNotFound` if there is no such object.
    /// - Complexity: the object is read if the context does not know it. The commit reads its row once more.
    public func increment<Object: ManagedObject, Number: ManagedAttribute & Numeric>(
        _ key: KeyPath<Object, Number>, by amount: Number, of id: ObjectID<Object>
    ) throws {
        try increment(key as AnyKeyPath, by: amount.managedValue, of: use(id))
    }

    /// Adds an amount to an optional number of an object.
    public func increment<Object: ManagedObject, Number: ManagedAttribute & Numeric>(
        _ key: KeyPath<Object, Number?>, by amount: Number, of id: ObjectID<Object>
    ) throws {
        try increment(key as AnyKeyPath, by: amount.managedValue, of: use(id))
    }

    /// Adds an amount to a number of an object of this context.
    public func increment<Object: ManagedObject, Number: ManagedAttribute & Numeric>(
        _ key: KeyPath<Object, Number>, by amount: Number, of object: Object
    ) throws {
        try increment(key as AnyKeyPath, by: amount.managedValue, of: object)
    }

    /// Adds an amount to an optional number of an object of this context.
    public func increment<Object: ManagedObject, Number: ManagedAttribute & Numeric>(
        _ key: KeyPath<Object, Number?>, by amount: Number, of object: Object
    ) throws {
        try increment(key as AnyKeyPath, by: amount.managedValue, of: object)
    }

    private func increment<Object: ManagedObject>(
        _ key: AnyKeyPath, by amount: ManagedValue, of object: Object
    ) throws {
        let name = KeyNames.name(of: key, in: Object.self) ?? KeyNames.unnamed(key)
        try object.incrementValue(forKey: name, by: amount)
    }

    // MARK: Deleting

    /// Deletes an object with the next commit; its relationships' delete rules apply.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectIsDeleted` or `objectIsInvalidated` if the object has
    ///   left the context: its deletion was committed, or the context was reset.
    public func delete(_ object: ManagedObject) throws {
        try graph.deleteOrThrow([object])
    }

    /// Deletes the given objects with the next commit; none of them if it throws.
    ///
    /// - Throws: The same errors as ``delete(_:)-(ManagedObject)``.
    public func delete(_ objects: [ManagedObject]) throws {
        try graph.deleteOrThrow(objects)
    }

    /// Deletes the object with an id with the next commit. Does nothing if it no longer exists.
    public func delete<Object: ManagedObject>(_ id: ObjectID<Object>) throws {
        try delete([id])
    }

    /// Deletes the objects with the given ids with the next commit. Ids without an object are ignored.
    public func delete<Object: ManagedObject>(_ ids: [ObjectID<Object>]) throws {
        for object in try graph.objects(withKeys: ids.map { try graph.key(of: $0.erased) }) { graph.delete(object) }
    }

    /// Deletes the object with an id with the next commit. Does nothing if it no longer exists.
    public func delete(_ id: AnyObjectID) throws { try delete([id]) }

    /// Deletes the objects with the given ids with the next commit. Ids without an object are ignored.
    public func delete(_ ids: [AnyObjectID]) throws {
        for object in try graph.objects(with: ids) { graph.delete(object) }
    }

    /// Deletes the objects that meet a condition with the next commit.
    ///
    /// - Returns: The number of objects.
    @discardableResult
    public func deleteAll<Object: ManagedObject>(_ type: Object.Type, _ query: Query? = nil) throws -> Int {
        let objects = try fetchAll(type, query)
        for object in objects { graph.delete(object) }
        return objects.count
    }

    // MARK: Taking back

    /// Takes back every change since the last commit, and forgets failed reads.
    public func rollback() {
        graph.rollback()
    }

    /// Allows the next commit although properties could not be read or set: values computed from an empty value are
    /// committed. See ``/DataMonkCore/ManagedObjectContext/disregardFailedReads()``.
    public func disregardFailedReads() {
        graph.disregardFailedReads()
    }

    /// Indicates whether there are changes to commit.
    public var hasChanges: Bool { graph.hasChanges }
}
