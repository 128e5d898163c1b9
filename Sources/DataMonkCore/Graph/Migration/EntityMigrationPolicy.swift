/// The steps by which code of a migration makes objects of those of an entity: several of one, one kind of several kinds, or
/// links that no mapping tells.
///
/// ```swift
/// struct Pages: EntityMigrationPolicy {
///     func create(from letter: ManagedObject, in context: ManagedObjectContext) throws {
///         let page = try context.insert(context.entity(named: "Page"))
///         try page.convert("text", from: letter)
///         try page.setValue(.object(letter.anyObjectID), forKey: "letter")
///     }
/// }
/// ```
/// A policy works in a version of the model that has both the old entity and what becomes of it; the next stage removes the
/// old one. See ``ManagedObjectContext/migrate(_:)``. Each call does nothing unless the policy implements it.
public protocol EntityMigrationPolicy {
    /// Called once, before the first object is read.
    func begin(in context: ManagedObjectContext) throws
    /// Makes what becomes of an object.
    func create(from source: ManagedObject, in context: ManagedObjectContext) throws
    /// Links what became of an object. Everything that becomes of any object is there.
    func relate(_ source: ManagedObject, in context: ManagedObjectContext) throws
    /// Checks what became of an object, and throws an error for a fault.
    func validate(_ source: ManagedObject, in context: ManagedObjectContext) throws
    /// Called once, after the last object.
    func end(in context: ManagedObjectContext) throws
}

extension EntityMigrationPolicy {
    /// Does nothing.
    public func begin(in context: ManagedObjectContext) throws {}
    /// Does nothing.
    public func create(from source: ManagedObject, in context: ManagedObjectContext) throws {}
    /// Does nothing.
    public func relate(_ source: ManagedObject, in context: ManagedObjectContext) throws {}
    /// Does nothing.
    public func validate(_ source: ManagedObject, in context: ManagedObjectContext) throws {}
    /// Does nothing.
    public func end(in context: ManagedObjectContext) throws {}
}
