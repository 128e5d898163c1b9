/// Changing to-manys one object at a time.
///
/// Setting a collection, which is what `department.employees.insert(monk)` does in the end, compares all of it; these
/// calls touch what changes and nothing else, and read nothing.
extension IdentifiedObject where Self: ManagedObject {
    /// Adds an object to a to-many, and sets its inverse. Does nothing if it is there.
    ///
    ///     department.add(monk, to: \.employees)
    ///
    /// - Precondition: the object's context is one for writing, and both objects belong to it.
    /// - Complexity: constant, however many objects the relationship holds. Reads nothing of it. Without an inverse a look at
    ///   each registered object: another owner may have to give the object up.
    public nonisolated func add<Object: ManagedObject>(_ object: Object, to keyPath: KeyPath<Self, Set<Object>>) {
        change(keyPath, adding: object) { $0.link(object, to: $1, of: self) }
    }

    /// Adds an object at the end of an ordered to-many, and sets its inverse. Does nothing if it is there.
    ///
    ///     company.add(department, to: \.departments)
    ///
    /// - Precondition: the object's context is one for writing, and both objects belong to it.
    /// - Complexity: constant. Reads nothing of the relationship. Without an inverse a look at each registered object: another
    ///   owner may have to give the object up.
    public nonisolated func add<Object: ManagedObject>(_ object: Object, to keyPath: KeyPath<Self, [Object]>) {
        change(keyPath, adding: object) { $0.link(object, to: $1, of: self) }
    }

    /// Takes an object out of a to-many, and clears its inverse. Does nothing if it is not there.
    ///
    ///     department.remove(monk, from: \.employees)
    ///
    /// - Precondition: the object's context is one for writing, and both objects belong to it.
    /// - Complexity: constant, however many objects the relationship holds. Reads nothing of it.
    public nonisolated func remove<Object: ManagedObject>(
        _ object: Object, from keyPath: KeyPath<Self, Set<Object>>
    ) {
        change(keyPath) { context, relationship in context.unlinkMember(object, from: relationship, of: self) }
    }

    /// Takes an object out of an ordered to-many, and clears its inverse. Does nothing if it is not there.
    ///
    /// - Precondition: the object's context is one for writing, and both objects belong to it.
    /// - Complexity: one look at each object of the relationship, if it has been read. Reads nothing of it.
    public nonisolated func remove<Object: ManagedObject>(_ object: Object, from keyPath: KeyPath<Self, [Object]>) {
        change(keyPath) { context, relationship in context.unlinkMember(object, from: relationship, of: self) }
    }

    private nonisolated func change<Collection>(
        _ keyPath: KeyPath<Self, Collection>, adding addition: ManagedObject? = nil,
        _ body: (ManagedObjectContext, Entity.Relationship) -> Void
    ) {
        let context = livingContext
        // A key path cannot be asked for a name, but to follow it asks for the relationship.
        guard let relationship = context.relationship(askedFor: { _ = self[keyPath: keyPath] }) else {
            preconditionFailure("The key path leads to no to-many of \(entity.name): name the property itself.")
        }
        if canSet(relationship.slot, to: addition) { body(context, relationship) }
    }
}
