extension ManagedObjectContext {
    /// Inserts a new object with its default values.
    ///
    /// - Throws: ``ModelError`` if the class has no entity in this model, or an abstract one.
    public func insert<Object: ManagedObject>(_ type: Object.Type) throws -> Object {
        let entity = try entity(for: type)
        let object = try insert(entity)
        // The most common case first: a comparison of pointers takes a tenth of the time of a cast.
        if Swift.type(of: object) == type { return unsafeDowncast(object, to: Object.self) }
        guard let object = object as? Object else { throw FetchError.wrongClass(type, of: entity) }
        return object
    }

    /// Inserts a new object of an entity, with its default values.
    ///
    /// - Throws: ``ModelError`` if the entity is abstract.
    public func insert(_ entity: Entity) throws -> ManagedObject {
        requireWritable("insert", entity)
        if entity.isAbstract { throw ModelError.abstractEntity(entity) }
        let object = makeObject(for: newTemporaryKey(entity: entity.index))
        // The object before this one has usually received its values by now.
        work.changed.last?.draft?.returnUnusedSpace(to: &arena)
        let draft = DraftRow(of: object.home.layout, in: &arena)
        object.adopt(draft)
        object.state = [.inserted, .awoken, .written]
        work.track(object)
        didInsert(object)
        object.awakeFromInsert()
        return object
    }

    /// Deletes an object: immediately if it was never saved, otherwise with the next save, which applies the delete rules
    /// of its relationships. Does nothing if the object is already deleted. An object that is still held after a reset is
    /// not deleted, and the next save throws.
    ///
    /// - Complexity: Reads nothing. The end of the user event, or the save, reads the objects that the delete rules need:
    ///   one query for each relationship of all objects deleted since, and the same again for each level of a cascade.
    public func delete(_ object: ManagedObject) {
        requireWritable("delete", object.entity)
        requireOwn(object)
        if !object.isMember {
            if object.state.contains(.invalidated) { faults.noteDroppedWrite(of: object, object.departureError) }
            return
        }
        object.prepareForDeletion()
        object.state.remove(.cascaded)
        if object.state.contains(.deleted) { return }
        willChange(object)
        object.state.insert([.deleted, .written])
        work.track(object)
        graph.pendingDeletions.add(object)
    }

    /// Deletes objects as `delete` does, for calls that throw: deletes none of the objects if one has left the context.
    ///
    /// - Throws: ``FetchError`` with the code `objectIsDeleted` or `objectIsInvalidated`.
    package func deleteOrThrow(_ objects: [ManagedObject]) throws {
        // A new object that was deleted is already in the requested state.
        for object in objects where !object.isInserted { try object.requireMembership() }
        for object in objects { delete(object) }
    }

    /// Returns the entity with a name.
    ///
    ///     let page = try context.insert(context.entity(named: "Page"))
    ///
    /// - Throws: ``FetchError`` with the nearest name.
    public func entity(named name: String) throws -> Entity {
        if let entity = directory.model.entitiesByName[name] { return entity }
        throw FetchError.unknownEntity(name, in: directory.model)
    }

    /// Returns the entity of a class.
    ///
    /// - Throws: ``ModelError`` naming the class.
    package func entity(for type: ManagedObject.Type) throws -> Entity {
        if let lastEntity, lastEntity.type == ObjectIdentifier(type) { return lastEntity.entity }
        guard let entity = directory.model.entity(for: type) else {
            throw ModelError.unknownClass(type, in: directory.model)
        }
        lastEntity = (ObjectIdentifier(type), entity)
        return entity
    }

    func requireWritable(_ verb: StaticString, _ entity: @autoclosure () -> Entity) {
        requireOwner()
        guard isReadOnly else { return }
        stopProgram(
            """
            A MainContext is read-only, so it cannot \(verb) this \(entity().name). Start an update \
            (`try await World.update { update in … }`) or a draft (`World.draft()`), and get the object there with \
            `use(object.objectID)`.
            """)
    }

    func requireOwn(_ object: ManagedObject) {
        if object.home.context === self { return }
        stopProgram(
            "This \(object.entity.name) belongs to another context. Get it in this one with `use(object.objectID)`.")
    }
}
