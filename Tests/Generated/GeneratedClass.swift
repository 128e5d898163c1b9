import DataMonk

/// **Value.** A generated class, whose properties are read and set through their key paths.
protocol GeneratedClass {
    /// Returns the name of the class's entity.
    func entityName(in model: ManagedObjectModel) throws -> String
    /// Returns the names of the properties that can be set, sorted. Stores compute derived attributes.
    func settableNames(of entity: Entity) -> [String]

    /// Returns what the properties hold, by name.
    func contents(of object: ManagedObject) throws -> [String: Contents]
    /// Sets an attribute to a value that it does not have, the `attempt`th of those that might be allowed. Returns what it
    /// holds now, or `nil` if there are no more.
    func setAttribute(named name: String, of object: ManagedObject, attempt: Int, from values: inout NewValues) throws
        -> Contents?
    /// Sets a relationship to these objects.
    func setRelationship(named name: String, of object: ManagedObject, to objects: [ManagedObject]) throws -> Contents
}
