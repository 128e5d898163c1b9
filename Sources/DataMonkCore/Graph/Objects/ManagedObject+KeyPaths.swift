/// Access by key paths over relationships, read as conditions read them.
extension ManagedObject {
    /// Returns the value at a key path: of an attribute or a to-one across to-ones, of each object of a to-many, or of
    /// a collection operator.
    ///
    ///     try person.value(forKeyPath: "department.name")         // .string("kitchen"), or .null without a department
    ///     try person.value(forKeyPath: "friends.name")            // .list([.string("Monk"), .null])
    ///     try person.value(forKeyPath: "friends.@avg.age")        // .double(18)
    ///     try person.value(forKeyPath: "friends.@distinctUnionOfObjects.department.name")
    ///
    /// A to-one is the id of its object. Across a to-many, the value is a list with one element for each object at the
    /// end of the path, in the relationship's order if it has one; several to-manys give a single flat list. An object
    /// that lacks the value, or a to-one on the way to it, is represented by `.null`.
    ///
    /// The operators `@count`, `@sum`, `@avg`, `@min` and `@max` follow a to-many and yield what they yield in a
    /// condition, in the attribute's type: a sum of nothing is 0, and an average is a Double. `@unionOfObjects` yields
    /// the values that are not `nil`, and `@distinctUnionOfObjects` each of them once; texts are the same if their
    /// bytes are. A sum of decimals has the digits of a Double; that of a query is exact.
    ///
    /// - Throws: ``FetchError`` with the code `unknownKey` and the nearest correct name, or `invalidKeyPath` or
    ///   `notComparable` for a path that cannot be followed, before anything is read; otherwise the errors of
    ///   ``value(forKey:)`` for each object on the way.
    /// - Complexity: Faults on the way are read in batches: those that were fetched together, at once.
    public final nonisolated func value(forKeyPath keyPath: String) throws -> ManagedValue {
        checkOwner()
        if let (path, isDistinct) = try UnionPath.parse(keyPath, of: entity) {
            let values = try self.values(at: path).filter { !$0.isNull }
            var seen: Set<RowIdentity> = []
            return .list(isDistinct ? values.filter { seen.insert(RowIdentity([$0])).inserted } : values)
        }
        let path = try PathResolver(entity: entity).resolve(keyPath)
        switch path.terminal {
        case .count, .aggregate:
            return try inOneState(along: path) {
                try requireContext().faults.evaluating { path.kind.column(path.value(of: self)) }
            }
        case .object, .attribute, .member, .entityName:
            let values = try self.values(at: path)
            return path.isCollection ? .list(values) : values.first ?? .null
        }
    }

    /// Sets the attribute or the to-one at the end of a key path over to-ones. A to-one is set to an object's id.
    ///
    ///     try person.setValue("Taipei", forKeyPath: "department.address.city")
    ///
    /// - Throws: ``FetchError`` as ``value(forKeyPath:)``, and with the code `objectNotFound` if a to-one on the way is
    ///   `nil`, or `typeMismatch` for a path across a to-many; the errors of ``setValue(_:forKey:)``. In these cases,
    ///   nothing has been set.
    public final nonisolated func setValue(_ value: ManagedValue, forKeyPath keyPath: String) throws {
        checkOwner()
        let path = try PathResolver(entity: entity).resolve(keyPath)
        if path.isCollection { throw FetchError.noSingleValue(keyPath, of: entity) }
        let (steps, key): (ArraySlice<Entity.Relationship>, String)
        switch path.terminal {
        case .attribute(let attribute): (steps, key) = (path.steps[...], attribute.keyPath)
        case .member(let member) where member.isWhole: (steps, key) = (path.steps[...], member.attribute.name)
        case .object where !path.steps.isEmpty:
            (steps, key) = (path.steps.dropLast(), path.steps[path.steps.count - 1].name)
        default: throw FetchError.notSettable(keyPath, of: entity)
        }
        let holder = ResolvedPath(entity: entity, steps: Array(steps), terminal: .object)
        guard let object = try objects(at: holder).first ?? nil else {
            throw FetchError.nothingToSet(keyPath, at: holder.name ?? keyPath, of: entity)
        }
        try object.setValue(value, forKey: key)
    }

    /// Returns the values of the objects at the end of a path.
    private nonisolated func values(at path: ResolvedPath) throws -> [ManagedValue] {
        try inOneState(along: path) {
            try objects(at: path).map { object in
                guard let object else { return .null }
                switch path.terminal {
                case .attribute(let attribute): return try object.value(forKey: attribute.keyPath)
                case .member(let member):
                    let text = try object.value(forKey: member.attribute.name)
                    return member.isWhole ? text : member.value(in: text)
                case .entityName: return .string(object.entity.name)
                case .object, .count, .aggregate: return .object(object.anyObjectID)
                }
            }
        }
    }

    /// Runs a body that follows a path, and reads all objects on it in one state.
    private nonisolated func inOneState<Result>(
        along path: ResolvedPath, _ body: () throws -> Result
    ) throws -> Result {
        if path.steps.isEmpty { return try body() }
        return try requireContext().faults.inOneState(body)
    }

    /// Returns the objects at the end of a path, with `nil` for each branch on which a to-one is `nil`.
    private nonisolated func objects(at path: ResolvedPath) throws -> [ManagedObject?] {
        if path.steps.isEmpty { return [self] }
        return try requireContext().faults.evaluating { path.ends(of: self).map { $0 as? ManagedObject } }
    }
}

/// **Value.** A key path with one of the operators that collect values.
private enum UnionPath {
    /// Returns the path without its operator, or `nil` if it has none.
    ///
    /// - Throws: ``FetchError`` if the operator does not follow a to-many, or does not precede a key.
    static func parse(_ keyPath: String, of entity: Entity) throws -> (path: ResolvedPath, isDistinct: Bool)? {
        let names = keyPath.split(separator: ".", omittingEmptySubsequences: false)
        guard let place = names.firstIndex(where: { $0 == "@unionOfObjects" || $0 == "@distinctUnionOfObjects" })
        else { return nil }
        let collection = try PathResolver(entity: entity).resolve(names[..<place].joined(separator: "."))
        let path = try PathResolver(entity: entity).resolve(
            (names[..<place] + names[(place + 1)...]).joined(separator: "."))
        let endsInValues =
            switch path.terminal {
            case .object, .attribute, .member, .entityName: true
            case .count, .aggregate: false
            }
        guard collection.isCollection, collection.kind.isObject, place + 1 < names.count, endsInValues else {
            throw FetchError(
                .invalidKeyPath,
                """
                "\(keyPath)": \(names[place]) must follow a to-many relationship and precede a key of its objects, without \
                another operator.
                """, entityName: entity.name, keyPath: keyPath)
        }
        return (path, names[place] == "@distinctUnionOfObjects")
    }
}

extension FetchError {
    fileprivate static func notSettable(_ keyPath: String, of entity: Entity) -> FetchError {
        FetchError(
            .typeMismatch,
            "\(entity.name).\(keyPath) is not an attribute or a to-one relationship, so it cannot be set.",
            entityName: entity.name, keyPath: keyPath)
    }

    fileprivate static func nothingToSet(_ keyPath: String, at holder: String, of entity: Entity) -> FetchError {
        FetchError(
            .objectNotFound,
            """
            \(entity.name).\(keyPath) cannot be set, because \(holder) leads to no object: a to-one on the way is nil, or its \
            object no longer exists. Set that first.
            """, entityName: entity.name, keyPath: keyPath)
    }
}
