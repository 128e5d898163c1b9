/// **Confined.** An object as conditions and selections read it: a managed object, or a row of the in-memory store.
package protocol PropertyReader {
    /// The object's own entity, which may be a sub-entity of the fetched one.
    var entity: Entity { get }
    var objectKey: ObjectKey { get }

    /// Returns the value of the attribute in a slot.
    func value(at slot: Int) -> ManagedValue
    /// Returns the destination of the to-one in a slot.
    func toOne(_ slot: Int) -> (any PropertyReader)?
    /// Returns the key of the destination of the to-one in a slot, without reading that object.
    func toOneKey(_ slot: Int) -> ObjectKey?
    /// Returns the destinations of the to-many in a slot.
    func toMany(_ slot: Int) -> [any PropertyReader]
}

extension PropertyReader {
    package func toOneKey(_ slot: Int) -> ObjectKey? { toOne(slot)?.objectKey }
}
