public import DataMonkCore

// For ids whose class is not known at compile time: those of a commit, and those that were stored as URIs.
extension Reader {
    /// Returns the object with an id.
    ///
    ///     guard let id = stack.objectID(forURI: uri) else { … }
    ///     let monk = try update.use(ObjectID(id, as: Person.self))    // a Person
    ///     let object = try update.use(id)                             // a ManagedObject
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectNotFound` if there is none.
    public func use(_ id: AnyObjectID) throws -> ManagedObject { try graph.existingObject(with: id) }

    /// Returns the objects with the given ids, in the order of the ids.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectNotFound` for the first id without an object.
    public func use(_ ids: [AnyObjectID]) throws -> [ManagedObject] {
        let objects = try graph.objects(with: ids)
        if objects.count == ids.count { return objects }
        return try ids.map { try use($0) }
    }

    /// Returns the object with an id as an object of a class.
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `objectNotFound` if there is none, `wrongClass` if it is not of
    ///   that class.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ id: AnyObjectID) throws -> Object {
        try cast(graph.existingObject(with: id))
    }

    /// Returns the objects with the given ids, in the order of the ids. Ids without an object are omitted.
    ///
    ///     for await commit in World.commits {
    ///         let people = try await World.read { try $0.fetch(Person.self, commit.inserted).map(\.name) }
    ///     }
    ///
    /// - Throws: ``/DataMonkCore/FetchError`` with the code `wrongClass` if an object is not of that class.
    /// - Complexity: One SELECT for all ids that are not registered, or one per table if they are of several entities.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ ids: [AnyObjectID]) throws -> [Object] {
        try graph.objects(with: ids).map(cast)
    }
}
