extension ManagedObject {
    /// Returns the objects that a fetched property currently finds. In its condition, the values of the object itself are
    /// inserted:
    ///
    ///     // In the model: "neighbours", Person, "location == $FETCH_SOURCE.location AND self != $FETCH_SOURCE"
    ///     let neighbours = try person.objects(forKey: "neighbours")
    ///
    /// The result is not kept: each call fetches.
    final nonisolated func fetchedObjects(_ property: FetchedPropertyDescription) throws -> [ManagedObject] {
        guard let context = home.context else { throw FetchError.contextIsGone(entity) }
        context.requireOwner()
        context.beginCall()
        defer { context.endCall() }
        do {
            var request = FetchRequest(property.fetchRequest)
            request.resultType = .managedObjects
            if request.shouldRefreshRefetchedObjects { context.endTurn() }
            try context.advance()
            // The values of the object are of the state in which the others are found. `awakeFromFetch` of an object that is read
            // here may fetch, and so move the context.
            var found: [ManagedObject]
            var generation: Generation
            repeat {
                generation = context.stores.generation
                request.condition = try condition(of: property, in: context)
                found = try context.fetchInThisState(request)
            } while context.stores.generation != generation
            return found
        } catch let error as FetchError {
            throw error.inFetchedProperty(property.name, of: entity)
        }
    }

    /// Returns a fetched property's condition with the values of the object. Throws if one cannot be read.
    private nonisolated func condition(
        of property: FetchedPropertyDescription, in context: ManagedObjectContext
    ) throws -> Condition? {
        let condition = try context.faults.evaluating {
            try property.fetchRequest.condition()?.replacingVariables { name, keyPath throws(FetchError) in
                try replacement(of: name, keyPath: keyPath, in: property)
            }
        }
        if let missing = condition?.variableNames.first {
            throw FetchError.missingVariable(missing, among: ["FETCH_SOURCE", "FETCHED_PROPERTY"])
        }
        return condition
    }

    private nonisolated func replacement(
        of name: String, keyPath: String?, in property: FetchedPropertyDescription
    ) throws(FetchError) -> ConditionExpression? {
        switch (name, keyPath) {
        case ("FETCH_SOURCE", nil): return .value(.object(anyObjectID))
        case ("FETCH_SOURCE", let keyPath?): return .value(try value(at: PathResolver(entity: entity).resolve(keyPath)))
        case ("FETCHED_PROPERTY", "name"): return .value(.string(property.name))
        case ("FETCHED_PROPERTY", let keyPath?) where keyPath.hasPrefix("userInfo."):
            let noted = property.userInfo[String(keyPath.dropFirst("userInfo.".count))]
            return .value(noted.map { .string($0) } ?? .null)
        default: return nil
        }
    }

    /// Returns the value at a path as a constant, which is a list for a collection.
    private nonisolated func value(at path: ResolvedPath) throws(FetchError) -> ManagedValue {
        func id(_ key: ObjectKey?) -> ManagedValue {
            key.map { .object(AnyObjectID(key: $0, directory: home.directory)) } ?? .null
        }
        if case .object = path.terminal {
            return path.isCollection ? .list(path.keys(of: self).map(id)) : id(path.key(of: self))
        }
        guard path.isCollection else { return path.value(of: self) }
        var values: [ManagedValue] = []
        try path.forEachValue(of: self) { value throws(FetchError) in
            values.append(value)
            return true
        }
        return .list(values)
    }
}

extension FetchError {
    fileprivate func inFetchedProperty(_ name: String, of entity: Entity) -> FetchError {
        var named = self
        named.message = "The fetched property \(entity.name).\(name) failed: \(message)"
        return named
    }
}
