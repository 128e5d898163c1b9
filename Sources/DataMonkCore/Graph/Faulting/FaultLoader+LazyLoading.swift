extension FaultLoader {
    /// Reads the row of a fault for access to a property.
    func fulfillLazily(_ object: ManagedObject) -> UnsafeRawPointer {
        if context.lazyLoading != .automatic, takeCachedRow(object) == nil {
            noteLazyLoading(errorOfLazyLoading(object))
        }
        return object.row ?? fulfill(object)
    }

    /// Reads the row of a fault for an access that can throw.
    func fulfillLazilyOrThrow(_ object: ManagedObject) throws -> UnsafeRawPointer {
        if context.lazyLoading != .automatic, takeCachedRow(object) == nil {
            if context.lazyLoading == .refused { throw errorOfLazyLoading(object) }
            coordinator.report(errorOfLazyLoading(object))
        }
        return try object.row ?? fulfillOrThrow(object)
    }

    /// Returns a to-many for access to a property, loaded.
    func toManyLazily(_ relationship: Entity.Relationship, of object: ManagedObject) -> ToManyRelation {
        if case .isSet = toManyProbe {
            toManyProbe = .asked(relationship)
            return ToManyRelation(relationship, isLoaded: true)
        }
        if context.lazyLoading != .automatic, needsLoading(relationship, of: object) {
            noteLazyLoading(.lazyLoading(of: object.entity, relationship.name, prefetch: relationship))
        }
        return toMany(relationship, of: object)
    }

    /// Returns a to-many, loaded, for an access that can throw.
    func toManyLazilyOrThrow(_ relationship: Entity.Relationship, of object: ManagedObject) throws -> ToManyRelation {
        if context.lazyLoading != .automatic, needsLoading(relationship, of: object) {
            let error = FetchError.lazyLoading(of: object.entity, relationship.name, prefetch: relationship)
            if context.lazyLoading == .refused { throw error }
            coordinator.report(error)
        }
        return try loadedToMany(relationship, of: object)
    }

    /// Returns the to-many that `access` requests from an object; `nil` if it requests none.
    func relationship(askedFor access: () -> Void) -> Entity.Relationship? {
        toManyProbe = .isSet
        access()
        defer { toManyProbe = .none }
        if case .asked(let relationship) = toManyProbe { return relationship }
        return nil
    }

    private func needsLoading(_ relationship: Entity.Relationship, of object: ManagedObject) -> Bool {
        if object.relation(relationship).isLoaded || object.key.isTemporary { return false }
        return !context.inheritsToMany(relationship, of: object)
    }

    private func noteLazyLoading(_ error: FetchError) {
        if context.lazyLoading == .refused { stopProgram(error.message) }
        coordinator.report(error)
    }

    private func errorOfLazyLoading(_ object: ManagedObject) -> FetchError {
        let step = lastToOne.flatMap { $0.destination == object.key ? $0 : nil }
        let source = step.flatMap { step in
            context.directory.layout(of: step.source).entity.properties[step.slot].relationship
        }
        return .lazyLoading(of: object.entity, nil, prefetch: source)
    }
}

extension FetchError {
    /// Creates an error for access to a property that had not been read.
    static func lazyLoading(
        of entity: Entity, _ key: String?, prefetch relationship: Entity.Relationship?
    ) -> FetchError {
        let what = key.map { "\(entity.name).\($0)" } ?? "A fault of \(entity.name)"
        let remedy =
            relationship.map {
                "Prefetch \"\($0.name)\" where the \($0.entity.name) is fetched (`options: .Prefetch([\"\($0.name)\"])`)"
            } ?? "Fetch the object with its values before you use it, or call `fault()` on it"
        return FetchError(
            .lazyLoading,
            "\(what) would be loaded lazily, which this context forbids. "
                + "\(remedy), or set lazyLoading to .automatic.", entityName: entity.name, keyPath: key)
    }

    /// Creates an error for an object whose context has been released, so that unread values can no longer be read.
    static func contextIsGone(_ entity: Entity) -> FetchError {
        FetchError(
            .contextIsGone,
            """
            The context of this \(entity.name) was released, so values that were not loaded before can no longer be \
            read. Keep the MainContext or the Update as long as you use its objects.
            """, entityName: entity.name)
    }
}
