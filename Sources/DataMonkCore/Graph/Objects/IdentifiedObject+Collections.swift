/// Changes of to-many relationships by single objects.
///
/// Setting a collection compares all of its objects, and `department.employees.insert(monk)` sets the collection in the
/// end. These calls touch only the object that is added or removed, and read nothing.
extension IdentifiedObject where Self: ManagedObject {
    /// Adds an object to a to-many relationship, and sets its inverse. Does nothing if it is already a member.
    ///
    ///     department.add(monk, to: \.employees)
    ///
    /// - Precondition: The object's context is writable, and both objects belong to it.
    /// - Complexity: Constant, however many objects the relationship holds; the relationship is not read. Without an
    ///   inverse, each registered object is checked, because another owner may have to lose the object.
    public nonisolated func add<Object: ManagedObject>(_ object: Object, to keyPath: KeyPath<Self, Set<Object>>) {
        change(keyPath, adding: object) { $0.graph.link(object, to: $1, of: self) }
    }

    /// Adds an object at the end of an ordered to-many relationship, and sets its inverse. Does nothing if it is already
    /// a member.
    ///
    ///     company.add(department, to: \.departments)
    ///
    /// - Precondition: The object's context is writable, and both objects belong to it.
    /// - Complexity: Constant; the relationship is not read. Without an inverse, each registered object is checked,
    ///   because another owner may have to lose the object.
    public nonisolated func add<Object: ManagedObject>(_ object: Object, to keyPath: KeyPath<Self, [Object]>) {
        change(keyPath, adding: object) { $0.graph.link(object, to: $1, of: self) }
    }

    /// Removes an object from a to-many relationship, and clears its inverse. Does nothing if it is not a member.
    ///
    ///     department.remove(monk, from: \.employees)
    ///
    /// - Precondition: The object's context is writable, and both objects belong to it.
    /// - Complexity: Constant, however many objects the relationship holds; the relationship is not read.
    public nonisolated func remove<Object: ManagedObject>(
        _ object: Object, from keyPath: KeyPath<Self, Set<Object>>
    ) {
        change(keyPath) { context, relationship in context.graph.unlinkMember(object, from: relationship, of: self) }
    }

    /// Removes an object from an ordered to-many relationship, and clears its inverse. Does nothing if it is not a
    /// member.
    ///
    /// - Precondition: The object's context is writable, and both objects belong to it.
    /// - Complexity: Linear in the number of members if they have been read; the relationship is not read.
    public nonisolated func remove<Object: ManagedObject>(_ object: Object, from keyPath: KeyPath<Self, [Object]>) {
        change(keyPath) { context, relationship in context.graph.unlinkMember(object, from: relationship, of: self) }
    }

    private nonisolated func change<Collection>(
        _ keyPath: KeyPath<Self, Collection>, adding addition: ManagedObject? = nil,
        body: (ManagedObjectContext, Entity.Relationship) -> Void
    ) {
        let context = livingContext
        // A key path has no name to ask for, but following it makes the accessor request the relationship.
        guard let relationship = context.faults.relationship(askedFor: { _ = self[keyPath: keyPath] }) else {
            stopProgram(
                "The key path does not lead to a to-many relationship of \(entity.name). Use the property itself.")
        }
        if canSet(relationship.slot, to: addition) { body(context, relationship) }
    }
}
