public import DataMonkCore

// Ids whose class is not known when the program is compiled: those of a commit, and those that were written down as URIs.
extension Reader {
    /// The object with an id.
    ///
    ///     guard let id = stack.objectID(forURI: uri) else { … }
    ///     let monk = try update.use(ObjectID(id, as: Person.self))    // a Person
    ///     let object = try update.use(id)                             // a ManagedObject
    ///
    /// - Throws: ``FetchError`` with the code `objectNotFound` if there is none.
    public func use(_ id: AnyObjectID) throws -> ManagedObject { try graph.existingObject(with: id) }

    /// The objects with some ids, in the order of the ids.
    ///
    /// - Throws: ``FetchError`` with the code `objectNotFound` for the first id without an object.
    public func use(_ ids: [AnyObjectID]) throws -> [ManagedObject] {
        let objects = try graph.objects(with: ids)
        if objects.count == ids.count { return objects }
        return try ids.map { try use($0) }
    }

    /// The object with an id, as an object of a class.
    ///
    /// - Throws: ``FetchError`` with the code `objectNotFound` if there is none, `wrongClass` if it is of another class.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ id: AnyObjectID) throws -> Object {
        try cast(graph.existingObject(with: id))
    }

    /// The objects with some ids, in the order of the ids; ids without an object are left out.
    ///
    ///     for await commit in World.commits {
    ///         let people = try await World.read { try $0.fetch(Person.self, commit.inserted).map(\.name) }
    ///     }
    ///
    /// - Throws: ``FetchError`` with the code `wrongClass` if an object is of another class.
    /// - Complexity: one SELECT for all ids that are not registered; one for each table where they are of several entities.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ ids: [AnyObjectID]) throws -> [Object] {
        try graph.objects(with: ids).map(cast)
    }
}

extension MainContext {
    /// The object with an id whose class is not known. See ``Reader/use(_:)-(AnyObjectID)``.
    public func use(_ id: AnyObjectID) throws -> ManagedObject { try reader.use(id) }

    /// The objects with some ids whose classes are not known.
    public func use(_ ids: [AnyObjectID]) throws -> [ManagedObject] { try reader.use(ids) }

    /// The object with an id, as an object of a class.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ id: AnyObjectID) throws -> Object {
        try reader.fetch(type, id)
    }

    /// The objects with some ids, as objects of a class; ids without an object are left out.
    public func fetch<Object: ManagedObject>(_ type: Object.Type, _ ids: [AnyObjectID]) throws -> [Object] {
        try reader.fetch(type, ids)
    }
}

extension Draft {
    /// The draft's object with an id whose class is not known.
    public func use(_ id: AnyObjectID) throws -> ManagedObject { try editor.use(id) }

    /// The draft's objects with some ids whose classes are not known.
    public func use(_ ids: [AnyObjectID]) throws -> [ManagedObject] { try editor.use(ids) }
}
